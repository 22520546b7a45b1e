// SPDX-License-Identifier: Apache-2.0
//
// The options that make a recipe: machine, kernel, parameters, centres, search, folds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "manyone/kernel/kernel.hpp"
#include "manyone/selection/plan.hpp"

namespace manyone::cli {

/// The name that leaves the choice of the machine to the table.

/// Everything that makes a recipe.
struct RecipeOptions {
  std::string machine{kAutomaticMachine};
  std::string labelbook;
  std::string label_kernel = "linear";
  std::string decode;
  std::optional<int> length;
  std::string kernel{kGaussian.name};
  std::string sigma = "auto";
  std::optional<int> degree;
  std::optional<double> offset;
  std::string ridge = "auto";
  std::string cost = "auto";
  std::optional<double> lambda;
  bool bias = false;
  std::string solver = "auto";
  std::optional<double> accuracy;
  std::string learning = "published";
  std::string centres;
  std::optional<double> time;
  std::string reduce;
  std::string penalty;
  std::string centres_from = "training";
  std::string priors = "uniform";
  std::string weights = "uniform";
  std::string scale;
  std::string groups;  ///< name or number of a column
  std::string folds;   ///< empty: 10, or as many as there are rows
  int repeats = 1;
  bool stratify = false;
  bool nested = false;
  std::int64_t seed = 1;
  std::string search = "auto";
  std::string grid;
  std::string resume;
  bool scale_per_fold = false;

  void declare(CLI::App& command);
  /// The column of the table that says which rows stay together, of --folds column:NAME or --groups; "": none. Throws
  /// ConfigError when both are given.
  std::string fold_column() const;
  /// Of a fit at given parameters; the number of folds is only noted.
  void refuse_what_searches_have(Observer& observer) const;
  /// Reads side files and checks them against the table.
  Recipe recipe(const Execution& execution, const RowSource& table) const;
  /// What these options mean for a table, which outlives it.
  Plan plan(const Execution& execution, const RowSource& table) const;
};

}  // namespace manyone::cli
