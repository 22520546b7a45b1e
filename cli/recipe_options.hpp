// SPDX-License-Identifier: Apache-2.0
//
// The options that make a recipe: machine, kernel, parameters, centres, search, folds. They are those of the table of
// parameters (model/parameters.hpp), with dashes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <CLI/CLI.hpp>

#include "model/parameters.hpp"
#include "selection/plan.hpp"

namespace manyone::cli {

/// What was typed of everything that makes a recipe.
class RecipeOptions {
 public:
  RecipeOptions();
  void declare(CLI::App& command);

  /// Of a parameter that is typed as words: them, or what it is without the option.
  const std::string& word(std::string_view parameter) const;
  void set_word(std::string_view parameter, std::string_view word);
  bool flag(std::string_view parameter) const;
  std::int64_t count(std::string_view parameter) const;

  /// The column of the table that says which rows stay together, of --folds column:NAME or --groups; "": none. Throws
  /// ConfigError when both are given.
  std::string fold_column() const;
  /// Of a fit at given parameters; the number of folds is only noted.
  void refuse_what_searches_have(Observer& observer) const;
  /// What these options mean for a table, which outlives it. Side files are read, and checked against the table.
  Plan plan(const Execution& execution, const RowSource& table) const;

 private:
  struct Option {
    const Parameter* parameter;
    std::variant<std::string, bool, std::int64_t, std::optional<int>, std::optional<double>> typed;
  };

  const Option& option(std::string_view parameter) const;
  Recipe recipe(const Execution& execution, const RowSource& table) const;

  std::vector<Option> options_;
};

}  // namespace manyone::cli
