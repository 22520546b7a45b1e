// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "statistics/five_by_two.hpp"
#include "statistics/friedman.hpp"
#include "statistics/holm.hpp"
#include "statistics/paired.hpp"
#include "statistics/resampled_t.hpp"

namespace manyone::test {
namespace {

// Numbers of the independent numpy implementation (SPEC section 12, stats.json).
constexpr HalvedDifferences kDifferences = {{{0.02, -0.01}, {0.03, 0.01}, {0, 0.02}, {0.01, -0.02}, {0.04, 0.03}}};

TEST(FiveByTwo, AgreesWithTheReference) {
  const TestedDifference result = five_by_two(kDifferences);
  EXPECT_NEAR(result.statistic, 1.8148148148148147, 1e-12);
  EXPECT_NEAR(result.p, 0.264988380090174, 1e-10);
  EXPECT_NEAR(result.difference, 0.013, 1e-12);
}

TEST(FiveByTwo, TheIntervalEndsWhereTheTestBeginsToRefuse) {
  const TestedDifference result = five_by_two(kDifferences);
  for (const double end : {result.interval->low, result.interval->high}) {
    HalvedDifferences moved = kDifferences;
    for (auto& halves : moved) {
      for (double& d : halves) d -= end;
    }
    EXPECT_NEAR(five_by_two(moved).statistic, 4.735063, 1e-5);  // F(10, 5) at 0.95
    EXPECT_NEAR(five_by_two(moved).p, 0.05, 1e-6);
  }
}

TEST(FiveByTwo, NoDifferenceAnywhereIsNoneAndAConstantOneIsCertain) {
  const TestedDifference none = five_by_two(HalvedDifferences{});
  EXPECT_EQ(none.statistic, 0);
  EXPECT_EQ(none.p, 1);
  HalvedDifferences constant;
  for (auto& halves : constant) halves = {0.25, 0.25};
  EXPECT_EQ(five_by_two(constant).p, 0);
  EXPECT_FALSE(five_by_two(constant).interval) << "nothing tells how sure it is";
  EXPECT_FALSE(none.interval);
}

TEST(FiveByTwo, NoIntervalWhereEveryDifferenceIsRefused) {
  HalvedDifferences apart = {{{0.1, 0.1001}, {-0.1, -0.1}, {0.05, 0.05}, {-0.05, -0.05}, {0, 0}}};
  EXPECT_FALSE(five_by_two(apart).interval);
}

// Numerator and denominator share the differences within halvings, which makes the test cautious (Alpaydin 1999).
TEST(FiveByTwo, RefusesEquallyGoodClassifiersLessThanOnceInTwenty) {
  Random random(3);
  int refused = 0;
  constexpr int trials = 4000;
  for (int t = 0; t < trials; ++t) {
    HalvedDifferences differences;
    for (auto& halves : differences) halves = {random.normal(), random.normal()};
    refused += five_by_two(differences).p < 0.05;
  }
  EXPECT_LT(refused, 0.05 * trials);
  EXPECT_GT(refused, 0.005 * trials);
}

TEST(McNemarTest, RefusesEquallyGoodClassifiersAboutOnceInTwenty) {
  Random random(4);
  int refused = 0;
  constexpr int trials = 3000;
  for (int t = 0; t < trials; ++t) {
    PairedCounts counts;
    for (int i = 0; i < 120; ++i) ++(random.uniform() < 0.5 ? counts.first_only : counts.second_only);
    refused += mcnemar(counts).p < 0.05;
  }
  EXPECT_NEAR(refused / static_cast<double>(trials), 0.045, 0.02);  // the correction makes it a little shy
}

TEST(ResampledT, IsStudentsTestWhenPartsDoNotOverlap) {
  const std::vector<double> d = {0.01, 0.03, -0.01, 0.02, 0.05};
  const TestedDifference result = resampled_t(d, 0);
  EXPECT_NEAR(result.difference, 0.02, 1e-12);
  EXPECT_NEAR(result.statistic, 2.0, 1e-12);          // 0.02 / (sqrt(0.0005) / sqrt(5))
  EXPECT_NEAR(result.p, 0.116116523516816, 1e-12);    // scipy.stats.ttest_1samp
  EXPECT_LT(resampled_t(d, 1.0 / 9).statistic, 2.0);  // overlapping parts tell less
  EXPECT_NEAR(result.interval->low, -0.0077645, 1e-6);
}

TEST(ResampledT, EqualDifferencesAreCertainAndNoneAreNone) {
  EXPECT_EQ(resampled_t(std::vector<double>(10, 0.0), 0.1).p, 1);
  EXPECT_EQ(resampled_t(std::vector<double>(10, 0.25), 0.1).p, 0);
}

TEST(ResampledT, RefusesEquallyGoodClassifiersAboutOnceInTwenty) {
  // Trials with the correlation rho = test share / (1 + test share) that the correction assumes.
  Random random(6);
  constexpr double share = 1.0 / 9;
  constexpr double rho = share / (1 + share);
  int refused = 0;
  constexpr int trials = 4000;
  for (int t = 0; t < trials; ++t) {
    const double common = std::sqrt(rho) * random.normal();
    std::vector<double> d;
    for (int k = 0; k < 10; ++k) d.push_back(common + std::sqrt(1 - rho) * random.normal());
    refused += resampled_t(d, share).p < 0.05;
  }
  EXPECT_NEAR(refused / static_cast<double>(trials), 0.05, 0.015);
}

TEST(Holm, IsTheStepDownOfTheSmallest) {
  EXPECT_EQ(holm(std::vector<double>{0.01, 0.04, 0.03, 0.005}), (std::vector<double>{0.03, 0.06, 0.06, 0.02}));
  EXPECT_EQ(holm(std::vector<double>{0.9, 0.6}), (std::vector<double>{1, 1}));
  EXPECT_TRUE(holm({}).empty());
}

TEST(Nemenyi, CriticalValuesAreThoseOfTheTables) {  // Demsar 2006, table 5: q for k classifiers
  const std::vector<double> at_5_percent = {1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164};
  for (Index k = 2; k <= 10; ++k) {
    const double q = nemenyi_difference(k, 6) / std::sqrt(static_cast<double>(k * (k + 1)) / 36);
    EXPECT_NEAR(q, at_5_percent[static_cast<std::size_t>(k - 2)], 1e-3) << k;
  }
  EXPECT_NEAR(nemenyi_difference(4, 14, 0.05), 1.25, 0.005);  // his worked example
  EXPECT_NEAR(nemenyi_difference(4, 14, 0.10), 1.12, 0.005);
}

}  // namespace
}  // namespace manyone::test
