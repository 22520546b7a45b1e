// SPDX-License-Identifier: Apache-2.0
//
// Nested cross-validation: the whole search is repeated inside each outer training part, so the outer error has not
// been minimised over anything and is honest.
#pragma once

#include <functional>
#include <vector>

#include "selection/tuning_rows.hpp"

namespace manyone {

struct NestedEstimate {
  int folds = 0;
  double error = 0;                    ///< mean over outer folds of the fold error rates
  std::vector<CellParameters> chosen;  ///< what each outer training part chose
};

/// `choose` runs the search on a part: the given training rows.
using ChooseCell = std::function<CellParameters(TuningRows& part, const std::vector<Index>& rows)>;

/// Throws Interrupted when interrupted.
NestedEstimate nested_estimate(const Execution& execution, const TuningRows& rows, const Folds& outer,
                               const ChooseCell& choose);

}  // namespace manyone
