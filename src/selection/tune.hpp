// SPDX-License-Identifier: Apache-2.0
//
// tune(): the search over (sigma, ridge) that a recipe asks for, with its error, surface and calibration.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "selection/cells.hpp"
#include "selection/journal.hpp"
#include "selection/nested.hpp"
#include "selection/plan.hpp"
#include "selection/search.hpp"

namespace manyone {

/// What rows are given by a machine that has not seen them.
struct HeldOutRows {
  std::vector<Index> rows;  ///< of the table
  std::vector<int> labels;
  Matrix scores;  ///< a row each, a column for each class
};

struct Tuning {
  CellParameters best;               ///< for all rows of the table (the ridge is rescaled if it was found on a subset)
  CvSummary cv;                      ///< at the best parameters, which were chosen by it: slightly optimistic
  std::vector<Cell> surface;         ///< every cell scored on the tuning rows; ridges refer to those rows
  Index surface_rows = 0;            ///< how many those are
  std::vector<HalvingRound> rounds;  ///< cells scored on smaller subsets first; ridges for the tuning rows
  std::vector<HalvingRound> checks;  ///< cells scored on more rows than those, then on all, a block of them left out
  std::optional<NestedEstimate> nested;
  double temperature = 1;                ///< calibrated on the held-out scores of the best cell
  HeldOutRows held_out;                  ///< at the best cell, in the first partition; empty when interrupted
  std::optional<Coefficients> solution;  ///< at the best cell on all rows, where the search came by it
  bool interrupted = false;
  double kernel_seconds = 0;  ///< pair statistics
  double select_seconds = 0;

  /// The nested estimate is about models of (nearly) all rows, not of the subset that the search began with.
  bool nested_is_of_model() const { return nested && checks.empty() && cv.kind == EstimateKind::cross_validation; }
};

/// The automatic search works on a stratified subset of large tables and says so; what it finds is then corrected and
/// judged with all rows. A machine with centres is searched with a few of them on a sample: the ridge that goes with
/// all is still to be found (fit() does). When interrupted the result holds what was finished; throws Interrupted only
/// if not a single cell was.
Tuning tune(const Execution& execution, const Plan& plan);
Tuning tune(const Execution& execution, const Dataset& data, const Recipe& recipe, PlanWishes wishes = {});

class Problem;
/// tune() on a problem that is used further.
Tuning tune(const Execution& execution, const Plan& plan, Problem& problem);

/// Tells tables apart by their numbers and classes. `rows`: how many it has; those given may be a sample.
std::uint64_t data_fingerprint(Index rows, const Features& features, std::span<const int> labels);

/// What the score of a cell depends on, for the journal. `rows`: how many the table has; those given may be a sample.
JournalHeader journal_header(const Execution& execution, const Recipe& recipe, Index rows, const Features& features,
                             std::span<const int> labels);

}  // namespace manyone
