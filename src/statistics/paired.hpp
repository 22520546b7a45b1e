// SPDX-License-Identifier: Apache-2.0
//
// Two classifiers on the same rows: how often each is right, McNemar's test, and a bootstrap interval of the difference
// of their errors (SPEC section 10; Rifkin's lecture).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace manyone {

/// Rows by who is right; A is the first classifier, B the second.
struct PairedCounts {
  long both = 0;         ///< CC
  long first_only = 0;   ///< CI: A right, B wrong
  long second_only = 0;  ///< IC: A wrong, B right
  long neither = 0;      ///< II
  long same = 0;         ///< rows given the same class by both, right or wrong

  long rows() const { return both + first_only + second_only + neither; }
  /// Share of the rows that are given the same class.
  double agreement() const;
  /// err(A) - err(B) = (IC - CI)/n.
  double difference() const;
};

/// The three have the same length.
PairedCounts paired_counts(std::span<const int> labels, std::span<const int> first, std::span<const int> second);

struct McNemar {
  double statistic =
      0;  ///< (|CI - IC| - 1)^2/(CI + IC), chi-square with one degree of freedom; 0 where it has no sense
  double p = 1;
  double exact_p = 1;  ///< of the binomial distribution, two-sided
};

McNemar mcnemar(const PairedCounts& counts);

struct Interval {
  double low = 0;
  double high = 0;
};

/// A difference of errors, err(A) - err(B), and how sure it is.
struct TestedDifference {
  double difference = 0;
  double statistic = 0;
  double p = 1;
  /// Nothing where the parts give no measure of it: all of them the same difference, or such different ones that the
  /// test refuses every value.
  std::optional<Interval> interval = {};
};

/// The central percentile interval of err(A) - err(B) over multinomial draws of as many rows from the four counts.
Interval bootstrap_difference(const PairedCounts& counts, std::uint64_t seed, double confidence = 0.9,
                              int draws = 10000);

}  // namespace manyone
