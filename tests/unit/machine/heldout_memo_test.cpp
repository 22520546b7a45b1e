// SPDX-License-Identifier: Apache-2.0
#include "machine/heldout_memo.hpp"

#include <gtest/gtest.h>

namespace manyone::test {
namespace {

/// Outputs that tell their ridge, and which ridges were asked for.
struct Counting {
  std::vector<std::vector<double>> asked;

  HeldOutMemo::Compute compute() {
    return [this](std::span<const double> ridges) {
      asked.emplace_back(ridges.begin(), ridges.end());
      std::vector<HeldOut> out;
      for (const double ridge : ridges) out.push_back({true, {Matrix::Constant(10, 2, ridge)}});
      return out;
    };
  }
};

double told(const HeldOut& outputs) { return outputs.of_partition.front()(0, 0); }

TEST(HeldOutMemo, ComputesOnlyTheRidgesThatAreNotKnown) {
  double room = 1e6;
  HeldOutMemo memo(room);
  Counting counting;
  memo.each(1, 0.5, std::vector{1.0, 2.0}, counting.compute());
  const auto out = memo.each(1, 0.5, std::vector{2.0, 3.0, 1.0}, counting.compute());
  EXPECT_EQ(counting.asked, (std::vector<std::vector<double>>{{1, 2}, {3}}));
  EXPECT_EQ(memo.found(), 2);
  EXPECT_EQ(told(out[0]), 2);
  EXPECT_EQ(told(out[1]), 3);
  EXPECT_EQ(told(out[2]), 1);
}

TEST(HeldOutMemo, OtherProblemsAndWidthsAreNotKnown) {
  double room = 1e6;
  HeldOutMemo memo(room);
  Counting counting;
  memo.each(1, 0.5, std::vector{1.0}, counting.compute());
  memo.each(2, 0.5, std::vector{1.0}, counting.compute());
  memo.each(1, 0.25, std::vector{1.0}, counting.compute());
  EXPECT_EQ(counting.asked.size(), 3U);
  EXPECT_EQ(memo.found(), 0);
}

TEST(HeldOutMemo, TogetherKnowsOnlyWhatWasAskedForTogether) {
  double room = 1e6;
  HeldOutMemo memo(room);
  Counting counting;
  memo.together(1, 0.5, std::vector{1.0, 2.0}, counting.compute());
  memo.together(1, 0.5, std::vector{1.0}, counting.compute());
  EXPECT_EQ(memo.found(), 0);
  const auto out = memo.together(1, 0.5, std::vector{1.0, 2.0}, counting.compute());
  EXPECT_EQ(counting.asked.size(), 2U);
  EXPECT_EQ(memo.found(), 2);
  EXPECT_EQ(told(out[1]), 2);
}

TEST(HeldOutMemo, KeepsNoMoreThanItMay) {
  double room = 3.5 * 10 * 2 * sizeof(double);  // of cells
  HeldOutMemo other(room);
  HeldOutMemo memo(room);
  Counting counting;
  other.each(1, 0.5, std::vector{1.0, 2.0}, counting.compute());
  for (int round = 0; round < 2; ++round) memo.each(1, 0.5, std::vector{1.0, 2.0}, counting.compute());
  EXPECT_EQ(counting.asked, (std::vector<std::vector<double>>{{1, 2}, {1, 2}, {2}}));
  EXPECT_GE(room, 0);
}

}  // namespace
}  // namespace manyone::test
