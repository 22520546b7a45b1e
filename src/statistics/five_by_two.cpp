// SPDX-License-Identifier: Apache-2.0
#include "statistics/five_by_two.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <boost/math/distributions/fisher_f.hpp>

namespace manyone {

TestedDifference five_by_two(const HalvedDifferences& differences, double confidence) {
  TestedDifference out;
  double squares = 0;
  double variances = 0;  // sum of s_i^2
  for (const auto& [first, second] : differences) {
    const double mean = (first + second) / 2;
    out.difference += mean / 5;
    squares += first * first + second * second;
    variances += (first - mean) * (first - mean) + (second - mean) * (second - mean);
  }
  const boost::math::fisher_f distribution(10, 5);
  if (variances > 1e-20 * squares) {  // not only rounding
    out.statistic = squares / (2 * variances);
    out.p = boost::math::cdf(boost::math::complement(distribution, out.statistic));
  } else if (squares > 0) {  // the same difference on all halves
    out.statistic = std::numeric_limits<double>::infinity();
    out.p = 0;
  }
  // f of the differences less d is (Q + 10 (mean - d)^2) / (2 sum s^2) with Q their squares about the mean.
  const double about_mean = squares - 10 * out.difference * out.difference;
  const double limit = boost::math::quantile(distribution, confidence);
  const double square = (2 * limit * variances - about_mean) / 10;
  if (square > 1e-12 * out.difference * out.difference && square > 0) {  // not only rounding
    const double half = std::sqrt(square);
    out.interval = Interval{out.difference - half, out.difference + half};
  }
  return out;
}

}  // namespace manyone
