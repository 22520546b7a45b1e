// SPDX-License-Identifier: Apache-2.0
//
// tune(): the search over (sigma, ridge) that a recipe asks for, with its error, surface and calibration.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "manyone/model/reduced.hpp"
#include "manyone/selection/cells.hpp"
#include "manyone/selection/journal.hpp"
#include "manyone/selection/nested.hpp"
#include "manyone/selection/search.hpp"
#include "manyone/selection/shared_work.hpp"

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
  double temperature = 1;               ///< calibrated on the held-out scores of the best cell
  HeldOutRows held_out;                 ///< at the best cell, in the first partition; empty when interrupted
  std::optional<Coefficients> trained;  ///< at the best cell on all rows, where the search had them at hand
  bool interrupted = false;
  double kernel_seconds = 0;  ///< pair statistics
  double select_seconds = 0;

  /// The nested estimate is about models of (nearly) all rows, not of the subset that the search began with.
  bool nested_is_of_model() const { return nested && checks.empty() && cv.kind == EstimateKind::cross_validation; }
};

/// The automatic search works on a stratified subset of large tables and says so; what it finds is then corrected and
/// judged with all rows (selection/large_table). When interrupted the result holds what was finished; throws
/// Interrupted only if not a single cell was.
/// With a journal every scored cell is written to that file at once, and those found there are not scored again.
/// `shared`: with other machines that are tuned on the same table, or nothing.
Tuning tune(const Execution& execution, const Dataset& data, const Recipe& recipe, bool nested = false,
            const std::string& journal = "", SharedWork* shared = nullptr);

/// Centres with which the automatic search looks for a width, at most: more of them change its price, not the width.
constexpr Index kTuneCentres = 500;

/// The same for a machine with centres, on the sample of a table. The automatic search uses at most kTuneCentres, so
/// the ridge that goes with more is still to be found (fit() does).
Tuning tune(const Execution& execution, const PreparedTable& table, const Recipe& recipe, bool nested = false,
            const std::string& journal = "");

/// Of the numbers and classes of a table. `rows`: how many it has; those given may be a sample.
std::uint64_t data_fingerprint(Index rows, const Features& features, std::span<const int> labels);

/// What the score of a cell depends on, for the journal. `rows`: how many the table has; those given may be a sample.
JournalHeader journal_header(const Execution& execution, const Recipe& recipe, Index rows, const Features& features,
                             std::span<const int> labels);

/// Temperature for fixed parameters, from closed-form held-out scores on (at most 1000) rows.
double calibrate(const Execution& execution, const Dataset& data, const Recipe& recipe, const CellParameters& at);

/// A note if a precomputed kernel matrix is not positive semidefinite and the machine is a quadratic program, whose
/// solution is then one of several. Precondition: the matrix is square.
void note_indefinite(const Execution& execution, const Dataset& data, const Recipe& recipe);

}  // namespace manyone
