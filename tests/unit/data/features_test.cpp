// SPDX-License-Identifier: Apache-2.0
#include "data/features.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "data/scaling.hpp"

namespace manyone::test {
namespace {

const Matrix kRows{{1, 2}, {3, 4}, {5, 6}};

Features borrowed(const Matrix& rows) { return Features::borrowed(rows.data(), rows.rows(), rows.cols()); }

TEST(BorrowedFeatures, StayWhereTheyAre) {
  const Features rows = borrowed(kRows);
  EXPECT_TRUE(rows.borrows());
  EXPECT_FALSE(rows.sparse());
  EXPECT_EQ(rows.view().data(), kRows.data());
  EXPECT_EQ(rows.rows(), 3);
  EXPECT_EQ(rows.features(), 2);
  const Features copy = rows;  // NOLINT(performance-unnecessary-copy-initialization)
  EXPECT_EQ(copy.view().data(), kRows.data());
}

TEST(BorrowedFeatures, GiveWhatOwnRowsGive) {
  const Features own = kRows;
  const Features rows = borrowed(kRows);
  EXPECT_FALSE(own.borrows());
  EXPECT_EQ(own.view(), rows.view());
  const std::vector<Index> chosen{2, 0};
  EXPECT_EQ(rows.select(chosen).dense(), own.select(chosen).dense());
  EXPECT_EQ(rows.dense_rows(1, 2), own.dense_rows(1, 2));
  EXPECT_EQ(rows.squared_norms(), own.squared_norms());
  EXPECT_EQ(rows.bytes(), own.bytes());
}

TEST(BorrowedFeatures, AreCopiedByScalingAndLeftAsTheyWere) {
  const Matrix before = kRows;
  for (const auto kind : {ScalingKind::range, ScalingKind::standard, ScalingKind::maxabs, ScalingKind::none}) {
    Features own = kRows;
    Features rows = borrowed(kRows);
    const Scaling scaling = Scaling::fit(kind, rows);
    scaling.apply(own);
    scaling.apply(rows);
    EXPECT_FALSE(rows.borrows()) << name_of(kind);
    EXPECT_EQ(rows.dense(), own.dense()) << name_of(kind);
    EXPECT_EQ(kRows, before) << name_of(kind);
  }
}

}  // namespace
}  // namespace manyone::test
