// SPDX-License-Identifier: Apache-2.0
#include "statistics/resampled_t.hpp"

#include <cmath>
#include <limits>

#include <boost/math/distributions/students_t.hpp>

namespace manyone {

TestedDifference resampled_t(std::span<const double> differences, double test_share, double confidence) {
  TestedDifference out;
  const auto n = static_cast<double>(differences.size());
  for (const double d : differences) out.difference += d / n;
  double variance = 0;
  for (const double d : differences) variance += (d - out.difference) * (d - out.difference) / (n - 1);
  const double spread = std::sqrt((1 / n + test_share) * variance);
  const boost::math::students_t distribution(n - 1);
  if (spread > 1e-12 * std::abs(out.difference)) {  // not only rounding
    const double half = spread * boost::math::quantile(distribution, 0.5 + confidence / 2);
    out.interval = Interval{out.difference - half, out.difference + half};
    out.statistic = out.difference / spread;
    out.p = 2 * boost::math::cdf(boost::math::complement(distribution, std::abs(out.statistic)));
  } else if (out.difference != 0) {
    out.statistic = std::copysign(std::numeric_limits<double>::infinity(), out.difference);
    out.p = 0;
  }
  return out;
}

}  // namespace manyone
