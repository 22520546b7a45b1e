// SPDX-License-Identifier: Apache-2.0
#include "statistics/paired.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace manyone::test {
namespace {

using Labels = std::vector<int>;

PairedCounts disagreeing(long first_only, long second_only) {
  PairedCounts out;
  out.first_only = first_only;
  out.second_only = second_only;
  return out;
}

TEST(PairedCounts, ByHand) {
  const PairedCounts counts = paired_counts(Labels{0, 0, 1, 1, 2}, Labels{0, 1, 1, 0, 0}, Labels{0, 0, 2, 0, 1});
  EXPECT_EQ(counts.both, 1);
  EXPECT_EQ(counts.first_only, 1);
  EXPECT_EQ(counts.second_only, 1);
  EXPECT_EQ(counts.neither, 2);
  EXPECT_DOUBLE_EQ(counts.agreement(), 2.0 / 5) << "also where both are wrong in the same way";
  EXPECT_EQ(counts.difference(), 0);
}

TEST(PairedCounts, TheDifferenceIsThatOfTheErrors) {
  const PairedCounts counts = paired_counts(Labels{0, 0, 0, 0}, Labels{1, 1, 1, 0}, Labels{0, 0, 1, 0});
  EXPECT_DOUBLE_EQ(counts.difference(), 3.0 / 4 - 1.0 / 4);
}

// Numbers of the independent numpy implementation (SPEC section 12, stats.json).
TEST(McNemar, AgreesWithTheReference) {
  const McNemar small = mcnemar(disagreeing(10, 3));
  EXPECT_NEAR(small.statistic, 2.769230769230769, 1e-12);
  EXPECT_NEAR(small.p, 0.0960923294556734, 1e-12);
  EXPECT_NEAR(small.exact_p, 0.09228515625, 1e-12);
  const McNemar large = mcnemar(disagreeing(25, 40));
  EXPECT_NEAR(large.statistic, 3.0153846153846153, 1e-12);
  EXPECT_NEAR(large.p, 0.08247788747320971, 1e-12);
  EXPECT_NEAR(large.exact_p, 0.08168153394154003, 1e-12);
}

TEST(McNemar, OneRowOrNoneTellsNothing) {
  for (const long rows : {0L, 1L}) {
    const McNemar result = mcnemar(disagreeing(rows, 0));
    EXPECT_EQ(result.statistic, 0);
    EXPECT_EQ(result.p, 1);
    EXPECT_EQ(result.exact_p, 1);
  }
}

TEST(Bootstrap, AgreesWithTheReference) {
  const PairedCounts counts{900, 30, 50, 20, 920};
  const Interval interval = bootstrap_difference(counts, 1);
  EXPECT_NEAR(interval.low, 0.005, 0.002);  // another random stream
  EXPECT_NEAR(interval.high, 0.035, 0.002);
}

TEST(Bootstrap, TheSameSeedGivesTheSameInterval) {
  const PairedCounts counts{90, 3, 5, 2, 92};
  const Interval first = bootstrap_difference(counts, 7, 0.9, 500);
  const Interval again = bootstrap_difference(counts, 7, 0.9, 500);
  EXPECT_EQ(first.low, again.low);
  EXPECT_EQ(first.high, again.high);
}

TEST(Bootstrap, SwappingTheTwoTurnsTheIntervalRound) {
  const Interval one = bootstrap_difference({400, 10, 40, 50, 450}, 1);
  const Interval other = bootstrap_difference({400, 40, 10, 50, 450}, 1);
  EXPECT_GT(one.low, 0) << "the first is worse";
  EXPECT_NEAR(one.low, -other.high, 0.004);
  EXPECT_NEAR(one.high, -other.low, 0.004);
}

TEST(Bootstrap, EqualPredictionsHaveNoWidth) {
  const Interval interval = bootstrap_difference({80, 0, 0, 20, 100}, 1, 0.9, 100);
  EXPECT_EQ(interval.low, 0);
  EXPECT_EQ(interval.high, 0);
  EXPECT_EQ(bootstrap_difference({}, 1).high, 0);
}

}  // namespace
}  // namespace manyone::test
