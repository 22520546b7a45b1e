// SPDX-License-Identifier: Apache-2.0
//
// Protocol `gridmin` (SPEC section 10), by which many papers report: for every partition the smallest cross-validation
// error over a grid. Optimistic, since it is minimised over what it is measured on; use nested_estimate() for an honest
// one.
#pragma once

#include <span>
#include <vector>

#include "selection/cells.hpp"

namespace manyone {

struct GridMinimum {
  std::vector<double> errors;  ///< of each partition

  double mean() const;
  double best() const;
  double worst() const;
};

/// The minimum over the solved cells, partition by partition. Throws ConfigError when there is none.
GridMinimum grid_minimum(std::span<const Cell> surface);

}  // namespace manyone
