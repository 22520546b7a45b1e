// SPDX-License-Identifier: Apache-2.0
//
// What a search on a subset of a large table leaves open: parameters that suit all rows, and the error of the model
// that is trained on them. Widths and ridges that are best for few rows are corrected on more and more rows and checked
// on all of them; then some tenths of the table are judged by machines trained on all other rows.
#pragma once

#include "selection/kernel_rows.hpp"
#include "selection/tune.hpp"

namespace manyone {

/// Tables that are searched on a subset, with what the search needs.
struct LargeTable {
  const Dataset& data;
  MachineOfRecipe trained;
  Folds folds;  ///< of all rows; whole ones are left out
};

/// Corrects and checks `tuning.best`, which refers to all rows, and replaces the estimate, the held-out rows and the
/// calibration by those of machines on (nearly) all rows. Where memory does not allow that the tuning stays as it is.
/// When interrupted the best parameters so far are kept.
void choose_on_all_rows(const Execution& execution, const LargeTable& table, Journal* journal, Tuning& tuning);

/// Rows that are left out together, a tenth of the table or a little more, for at most so many blocks: whole folds in
/// an order of their own, never all of them.
std::vector<std::vector<Index>> blocks_of(const Folds& folds, std::size_t most, std::uint64_t seed);

}  // namespace manyone
