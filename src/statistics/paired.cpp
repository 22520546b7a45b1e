// SPDX-License-Identifier: Apache-2.0
#include "statistics/paired.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.hpp"

namespace manyone {

namespace {

/// Linear between the two nearest of the sorted values.
double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

/// Two-sided probability of a split as uneven as k of n, when both sides are equally likely.
double binomial_p(long k, long n) {
  const long tail = std::min(k, n - k);
  double sum = 0;
  for (long i = 0; i <= tail; ++i) {
    const auto x = static_cast<double>(i);
    const auto m = static_cast<double>(n);
    sum += std::exp(std::lgamma(m + 1) - std::lgamma(x + 1) - std::lgamma(m - x + 1) - m * std::log(2.0));
  }
  return std::min(1.0, 2 * sum);
}

}  // namespace

double PairedCounts::agreement() const {
  return rows() == 0 ? 1 : static_cast<double>(same) / static_cast<double>(rows());
}

double PairedCounts::difference() const {
  return rows() == 0 ? 0 : static_cast<double>(second_only - first_only) / static_cast<double>(rows());
}

PairedCounts paired_counts(std::span<const int> labels, std::span<const int> first, std::span<const int> second) {
  PairedCounts out;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const bool a = first[i] == labels[i];
    const bool b = second[i] == labels[i];
    ++(a ? (b ? out.both : out.first_only) : (b ? out.second_only : out.neither));
    if (first[i] == second[i]) ++out.same;
  }
  return out;
}

McNemar mcnemar(const PairedCounts& counts) {
  McNemar out;
  const long n = counts.first_only + counts.second_only;
  if (n == 0) return out;
  const double gap = std::max(0.0, std::abs(static_cast<double>(counts.first_only - counts.second_only)) - 1);
  out.statistic = gap * gap / static_cast<double>(n);
  out.p = std::erfc(std::sqrt(out.statistic / 2));  // P(chi^2_1 > x) = erfc(sqrt(x/2))
  out.exact_p = binomial_p(counts.first_only, n);
  return out;
}

Interval bootstrap_difference(const PairedCounts& counts, std::uint64_t seed, double confidence, int draws) {
  const long n = counts.rows();
  if (n == 0) return {};
  // Rows on which both are right or both are wrong change nothing, so each drawn row adds -1, 0 or 1.
  const auto rows = static_cast<std::uint64_t>(n);
  const auto minus = static_cast<std::uint64_t>(counts.first_only);
  const auto either = minus + static_cast<std::uint64_t>(counts.second_only);
  std::vector<double> differences;
  for (int draw = 0; draw < draws; ++draw) {
    Random random(seed, static_cast<std::uint64_t>(draw));
    long sum = 0;
    for (long i = 0; i < n; ++i) {
      const std::uint64_t row = random.below(rows);
      if (row < either) sum += row < minus ? -1 : 1;
    }
    differences.push_back(static_cast<double>(sum) / static_cast<double>(n));
  }
  std::sort(differences.begin(), differences.end());
  return {quantile(differences, (1 - confidence) / 2), quantile(differences, (1 + confidence) / 2)};
}

}  // namespace manyone
