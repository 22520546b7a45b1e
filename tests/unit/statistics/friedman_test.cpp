// SPDX-License-Identifier: Apache-2.0
#include "statistics/friedman.hpp"

#include <gtest/gtest.h>

namespace manyone::test {
namespace {

// Numbers of the independent numpy implementation (SPEC section 12, stats.json).
const Matrix kErrors{{1.1, 0.76, 4.36, 3.9},
                     {3.33, 4.64, 3.2, 3.42},
                     {21.33, 24, 6, 4},
                     {5.88, 4.71, 1.76, 3.53},
                     {25.48, 25, 20.48, 20.48}};

TEST(RowRanks, EqualEntriesShareTheirRanks) {
  const Matrix expected{{2, 1, 4, 3}, {2, 4, 1, 3}, {3, 4, 2, 1}, {4, 3, 1, 2}, {4, 3, 1.5, 1.5}};
  EXPECT_TRUE(row_ranks(kErrors) == expected) << row_ranks(kErrors);
  EXPECT_TRUE((row_ranks(Matrix{{5, 5, 5}}).array() == 2).all());
}

TEST(Friedman, AgreesWithTheReference) {
  const Friedman result = friedman(kErrors);
  const Vector ranks{{3.0, 3.0, 1.9, 2.1}};
  EXPECT_TRUE(result.ranks.isApprox(ranks, 1e-12));
  EXPECT_NEAR(result.chi_square, 3.06, 1e-12);
  ASSERT_TRUE(result.F);
  EXPECT_NEAR(*result.F, 1.025125628140703, 1e-12);
  EXPECT_NEAR(result.p, 0.41598479426023505, 1e-10);
  EXPECT_EQ(result.numerator, 3);
  EXPECT_EQ(result.denominator, 12);
}

TEST(Friedman, FIsInfiniteWhenAllSetsRankAlike) {
  EXPECT_FALSE(friedman(Matrix{{1, 2, 3}, {2, 4, 6}}).F);
  // Two data sets order three classifiers alike by chance once in 3!, three order two alike once in 2! 2!.
  EXPECT_NEAR(friedman(Matrix{{1, 2, 3}, {2, 4, 6}}).p, 1.0 / 6, 1e-12);
  EXPECT_NEAR(friedman(Matrix{{1, 2}, {2, 4}, {0, 1}}).p, 0.25, 1e-12);
  EXPECT_FALSE(friedman(Matrix{{1, 2, 3}}).F) << "one data set";
}

}  // namespace
}  // namespace manyone::test
