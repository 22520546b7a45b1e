// SPDX-License-Identifier: Apache-2.0
#include "statistics/wilson.hpp"

#include <algorithm>
#include <cmath>

namespace manyone {

Interval wilson(double share, long rows) {
  constexpr double z = 1.959963984540054;  // 97.5 % quantile of the normal distribution
  const auto n = static_cast<double>(rows);
  const double centre = (share + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
  return {share == 0 ? 0 : std::max(0.0, centre - half), share == 1 ? 1 : std::min(1.0, centre + half)};
}

}  // namespace manyone
