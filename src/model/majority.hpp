// SPDX-License-Identifier: Apache-2.0
//
// The error of always guessing the most frequent class: what every other error is to be compared with.
#pragma once

#include <algorithm>
#include <numeric>
#include <span>

#include "base/matrix.hpp"

namespace manyone {

/// From the number of rows of each class.
inline double majority_error(std::span<const Index> rows_of_class) {
  const Index rows = std::accumulate(rows_of_class.begin(), rows_of_class.end(), Index{0});
  if (rows == 0) return 0;
  const Index most = *std::max_element(rows_of_class.begin(), rows_of_class.end());
  return 1 - static_cast<double>(most) / static_cast<double>(rows);
}

}  // namespace manyone
