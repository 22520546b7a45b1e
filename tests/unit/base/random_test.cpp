// SPDX-License-Identifier: Apache-2.0
#include "base/random.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace manyone {
namespace {

TEST(Random, FirstValuesNeverChange) {
  // Folds, subsets and codes of published results depend on these.
  Random random(1);
  EXPECT_EQ(random.next(), 0xef75d62a19ba94edULL);
  EXPECT_EQ(random.next(), 0x8e9490536375f270ULL);
  EXPECT_EQ(random.next(), 0xc05630b1c614195dULL);
  EXPECT_EQ(Random(1, 1).next(), 0x309714ec38d33b4cULL);
  EXPECT_EQ(Random(42, 7).next(), 0x24bfb39aeb008c15ULL);
}

TEST(Random, StreamsAndSeedsDiffer) {
  std::set<std::uint64_t> firsts;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    for (std::uint64_t stream = 0; stream < 100; ++stream) firsts.insert(Random(seed, stream).next());
  }
  EXPECT_EQ(firsts.size(), 10'000u);
}

TEST(Random, UniformFillsTheUnitInterval) {
  Random random(3);
  std::array<int, 16> counts{};
  double sum = 0;
  constexpr int n = 160'000;
  for (int i = 0; i < n; ++i) {
    const double u = random.uniform();
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    ++counts[static_cast<std::size_t>(u * 16)];
    sum += u;
  }
  // Six standard deviations: of a binomial count (about 97) and of the mean (1/sqrt(12 n)).
  for (const int count : counts) EXPECT_NEAR(count, n / 16, 600);
  EXPECT_NEAR(sum / n, 0.5, 6 / std::sqrt(12.0 * n));
}

TEST(Random, BelowIsUnbiasedWhereModuloIsNot) {
  // With bound 3/4 of 2^64 a plain remainder would hit the lowest third twice as often as the others.
  Random random(4);
  constexpr std::uint64_t bound = 3ULL << 62;
  std::array<int, 3> thirds{};
  constexpr int n = 30'000;
  for (int i = 0; i < n; ++i) {
    const std::uint64_t draw = random.below(bound);
    ASSERT_LT(draw, bound);
    ++thirds[draw >> 62];
  }
  for (const int count : thirds) EXPECT_NEAR(count, n / 3, 500);  // six standard deviations are 490
}

TEST(Random, BelowOneIsZero) {
  Random random(5);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(random.below(1), 0u);
}

TEST(Random, NormalHasItsMoments) {
  Random random(6);
  double sum = 0, squares = 0, fourth = 0;
  constexpr int n = 200'000;
  for (int i = 0; i < n; ++i) {
    const double z = random.normal();
    sum += z, squares += z * z, fourth += z * z * z * z;
  }
  EXPECT_NEAR(sum / n, 0, 6 / std::sqrt(n));
  EXPECT_NEAR(squares / n, 1, 6 * std::sqrt(2.0 / n));
  EXPECT_NEAR(fourth / n, 3, 6 * std::sqrt(96.0 / n));
}

RC_GTEST_PROP(Random, PermutationHoldsEveryIndexOnce, (std::uint64_t seed)) {
  const auto n = *rc::gen::inRange<std::int64_t>(0, 200);
  Random random(seed);
  auto order = random_permutation(n, random);
  std::ranges::sort(order);
  std::vector<std::int64_t> expected(static_cast<std::size_t>(n));
  std::iota(expected.begin(), expected.end(), 0);
  RC_ASSERT(order == expected);
}

TEST(Random, AllOrdersAreEquallyLikely) {
  Random random(7);
  std::array<int, 64> counts{};
  constexpr int n = 60'000;
  for (int i = 0; i < n; ++i) {
    const auto order = random_permutation(3, random);
    ++counts[static_cast<std::size_t>(16 * order[0] + 4 * order[1] + order[2])];
  }
  EXPECT_EQ(std::ranges::count_if(counts, [](int count) { return count > 0; }), 6);
  for (const int count : counts) EXPECT_TRUE(count == 0 || std::abs(count - n / 6) < 550) << count;  // six deviations
}

}  // namespace
}  // namespace manyone
