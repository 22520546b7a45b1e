// SPDX-License-Identifier: Apache-2.0
//
// compare(): several machines on one or more tables, on the same rows, each tuned inside every training part, and the
// test that goes with the protocol: is the difference real?
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "selection/fit.hpp"
#include "statistics/friedman.hpp"
#include "statistics/metrics.hpp"
#include "statistics/paired.hpp"

namespace manyone {

enum class ComparisonKind {
  five_by_two,  ///< five halvings; the combined 5x2cv F test
  folds,        ///< k folds, repeated; the corrected resampled t test
  holdout,      ///< one split; McNemar's test
};

struct ComparisonProtocol {
  ComparisonKind kind = ComparisonKind::five_by_two;
  int folds = 10;      ///< ComparisonKind::folds
  int repeats = 1;     ///< the same
  double share = 0.3;  ///< ComparisonKind::holdout: of the rows that are tested

  /// "5x2cv", "cv", "cv:5", "cv:10x3", "holdout", "holdout:0.25". Throws ConfigError.
  static ComparisonProtocol parse(const std::string& text);
  std::string text() const;
};

/// A machine that takes part. The recipe may depend on the table (weights, codes), so it is made for each.
struct Contestant {
  std::string name;
  std::function<Recipe(const Dataset&)> recipe;
};

/// One training part and the rows it was tested on.
struct Trial {
  int repeat = 0;
  int fold = 0;
  double error = 0;
  double seconds = 0;
  long shared = 0;  ///< cells that a machine before it had computed
  CellParameters chosen;
  std::vector<int> predicted;  ///< of the tested rows, in the order of the table
};

struct ContestantResult {
  std::string name;
  Recipe recipe;
  std::vector<Trial> trials;  ///< by repeat and fold
  double error = 0;           ///< mean over trials
  double std = 0;             ///< over trials
  double balanced_error = 0;  ///< of all tested rows together
  double seconds = 0;         ///< all trials: tuning, training, prediction
  long shared = 0;            ///< cells of all trials that a machine before it had computed
};

/// `difference` is error(first) - error(second).
struct PairResult : TestedDifference {
  std::size_t set = 0;
  std::size_t first = 0;  ///< contestants
  std::size_t second = 0;
  std::string test;
  double confidence = 0.95;
  double holm_p = 1;  ///< adjusted for all pairs of all sets

  /// The parts differ among themselves by more than the test expects: it refuses every difference, 0 as well.
  bool inconsistent() const { return !interval && std::isfinite(statistic) && statistic > 0; }
  /// -1: the first is better, 1: the second, 0: no significant difference.
  int better() const { return holm_p > 1 - confidence || inconsistent() ? 0 : difference < 0 ? -1 : 1; }
};

struct ComparedSet {
  std::string name;
  Index rows = 0;
  Index features = 0;
  std::vector<std::string> classes;
  std::uint64_t fingerprint = 0;
  double majority_error = 0;  ///< of always giving the most frequent class
  std::vector<ContestantResult> contestants;
};

struct Comparison {
  ComparisonProtocol protocol;
  std::vector<ComparedSet> sets;
  std::vector<PairResult> pairs;
  std::optional<Friedman> ranks;  ///< with two sets or more
  double critical_difference = 0;
  double seconds = 0;
};

/// Rows of a table with the same text in Dataset::folds are tested together. With a journal, finished trials are
/// written to that file at once, and those found there are not run again. Throws Interrupted when interrupted.
Comparison compare(const Execution& execution, const std::vector<Dataset>& tables,
                   const std::vector<Contestant>& contestants, const ComparisonProtocol& protocol, std::uint64_t seed,
                   const std::string& journal = "");

/// "onelsm is better: 1.8 points fewer errors …"
std::string verdict(const Comparison& comparison, const PairResult& pair);

}  // namespace manyone
