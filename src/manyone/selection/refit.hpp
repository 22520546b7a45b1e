// SPDX-License-Identifier: Apache-2.0
//
// Training on some rows of a search's data and asking for the outputs of others: what closed forms spare us, for the
// cases that have none (a scaling of its own for every training part, the outer folds of nested cross-validation).
#pragma once

#include <vector>

#include "manyone/selection/cells.hpp"

namespace manyone {

/// Outputs of the `test` rows by the machine trained at `at` on the `train` rows. Where `data` has raw rows, they are
/// scaled by the ranges of the training rows alone. Throws ConfigError when the ridge is too small.
Matrix refit_outputs(const Execution& execution, const Recipe& recipe, const Machine& machine, const CellData& data,
                     const std::vector<Index>& train, const std::vector<Index>& test, const CellParameters& at);

/// refit_outputs() for every fold of a partition: n x q held-out outputs.
Matrix refit_by_fold(const Execution& execution, const Recipe& recipe, const Machine& machine, const CellData& data,
                     const Folds& folds, const CellParameters& at);

}  // namespace manyone
