// SPDX-License-Identifier: Apache-2.0
//
// The experiments of the papers run again: errors by the minimum over a grid or on test rows, training times, the iris
// figure. What is computed is set beside what was published (studies/published); how it is shown is in
// studies/table_text.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/model.hpp"
#include "selection/gridmin.hpp"
#include "statistics/paired.hpp"
#include "studies/published.hpp"

namespace manyone {

/// The part of a table that is to be reproduced.
struct ReproduceChoice {
  const PublishedTable* table = nullptr;
  std::vector<const PublishedRow*> rows;
  std::vector<std::size_t> sets;      ///< places in table->sets
  std::vector<std::string> left_out;  ///< rows of the table whose machine does not exist here
};

/// Nothing named: all machines that exist, all data sets. Throws ConfigError for a name that is not in the table, or a
/// machine that is not in this version.
ReproduceChoice choose_part(const PublishedTable& table, std::span<const std::string> machines,
                            std::span<const std::string> sets);

/// The rows and features the paper used. Throws InputError when the table is too short or has no square images.
Dataset as_published(const PublishedSet& set, Dataset data);

/// The rows to train on and those to test; all and none where the set has no test rows. Throws InputError when there
/// are too few.
std::pair<Dataset, std::optional<Dataset>> train_and_test(const PublishedSet& set, const Dataset& data);

/// What differs from the shape the paper prints, as a sentence; empty if nothing does.
std::string shape_difference(const PublishedSet& set, const Dataset& data);

/// A data set of the choice that was found.
struct FoundSet {
  std::size_t set = 0;  ///< place in table->sets
  Dataset data;         ///< rows to train on, or all
  std::optional<Dataset> test = {};
};

struct ReproducedCell {
  const PublishedRow* row = nullptr;
  std::size_t set = 0;
  std::optional<GridMinimum> ours;        ///< errors; not set where the machine refuses the labelbook
  std::optional<double> seconds;          ///< of the search, or of one training
  const PublishedRow* same_as = nullptr;  ///< predicts as this row by theory, so it was not computed again
  bool refused = false;                   ///< the machine refuses the labelbook
  std::vector<int> predicted = {};        ///< classes of the test rows, where predictions are compared

  /// Nothing where the paper has no entry.
  const PublishedCell* published() const;
};

/// Two rows on the same test rows.
struct ReproducedPair {
  const PublishedPair* pair = nullptr;
  std::size_t set = 0;
  PairedCounts counts;
  McNemar test;
  Interval interval;  ///< of err(first) - err(second)

  /// Nothing where the paper has no entry.
  const PublishedPairCell* published() const;
};

struct Reproduction {
  const PublishedTable* table = nullptr;
  std::vector<ReproducedCell> cells;  ///< row by row, as in the paper
  std::vector<ReproducedPair> pairs;  ///< pair by pair, those of which both rows are there
  std::vector<std::string> notes;     ///< rows that were used, set by set
  bool interrupted = false;           ///< some cells have nothing of ours
};

/// Errors by protocol gridmin: sigma and ridge (or cost) 2^-4..2^4, 10 random folds, range scaling over all rows, which
/// the closed forms need. Machines and labelbooks that predict alike are computed once.
Reproduction reproduce_errors(const Execution& execution, const ReproduceChoice& choice,
                              std::span<const FoundSet> found, int repeats, std::uint64_t seed);

/// One training at sigma 1 and ridge 1, the median of three. oneLSM is always timed, it is the unit.
Reproduction reproduce_times(const Execution& execution, const ReproduceChoice& choice,
                             std::span<const FoundSet> found);

struct TrialOptions {
  int repeats = 1;  ///< random partitions of sets without test rows
  std::uint64_t seed = 1;
  std::optional<Index> rows = {};  ///< to train on at most; nothing: the limits of the table
};

/// Errors on rows that were not trained on, by the protocols validation, codes and nested. Sets without test rows are
/// cut into 10 random folds.
Reproduction reproduce_trials(const Execution& execution, const ReproduceChoice& choice,
                              std::span<const FoundSet> found, const TrialOptions& options);

/// What reproduce_trials() does, in a few lines for the reader.
std::string trial_protocol(const PublishedTable& table, const TrialOptions& options);

/// The iris figure: sepal length and petal width, sigma 0.6, ridge 100, 120 rows to train on and 30 to test.
struct IrisFigure {
  Reproduction errors;  ///< of every random split
  Model model;          ///< the first machine on the first split
  Dataset points;       ///< its training rows
};

IrisFigure reproduce_iris_figure(const Execution& execution, const ReproduceChoice& choice, const Dataset& iris,
                                 int repeats, std::uint64_t seed);

}  // namespace manyone
