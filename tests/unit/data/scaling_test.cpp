// SPDX-License-Identifier: Apache-2.0
#include "data/scaling.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "manyone/errors.hpp"
#include "tests/complaints.hpp"
#include "tests/problems.hpp"
#include "tests/tolerance.hpp"

namespace manyone::test {
namespace {

Matrix scaled(ScalingKind kind, const Matrix& train, const Matrix& rows) {
  Features out = rows;
  Scaling::fit(kind, train).apply(out);
  return out.dense();
}

TEST(Scaling, ByHand) {
  const Matrix x{{0, 10}, {4, 30}, {2, 20}};
  EXPECT_TRUE(scaled(ScalingKind::range, x, x) == (Matrix{{-1, -1}, {1, 1}, {0, 0}}));
  EXPECT_TRUE(scaled(ScalingKind::maxabs, x, x) == (Matrix{{0, 1.0 / 3}, {1, 1}, {0.5, 2.0 / 3}}));
  EXPECT_TRUE(scaled(ScalingKind::none, x, x) == x);
  const double s = std::sqrt(1.5);  // (2 - 0) / sqrt(8/3)
  expect_close(scaled(ScalingKind::standard, x, x), Matrix{{-s, -s}, {s, s}, {0, 0}}, kRounding);
}

TEST(Scaling, TestRowsMayLeaveTheTrainingRange) {
  EXPECT_TRUE(scaled(ScalingKind::range, Matrix{{0}, {2}}, Matrix{{3}, {-2}}) == (Matrix{{2}, {-3}}));
}

TEST(Scaling, AConstantFeatureBecomesZero) {
  const Matrix x{{0.1, 1}, {0.1, 2}, {0.1, 4}};  // 0.1 has no exact mean: its deviations are rounding noise
  for (const auto kind : {ScalingKind::range, ScalingKind::standard}) {
    EXPECT_TRUE(scaled(kind, x, x).col(0).isZero(0)) << name_of(kind);
    EXPECT_EQ(scaled(kind, x, Matrix{{5, 1}})(0, 0), 0) << name_of(kind);
  }
  EXPECT_TRUE(scaled(ScalingKind::maxabs, Matrix{{0}, {0}}, Matrix{{5}}).isZero(0));
}

TEST(Scaling, ExtremeValuesStayFinite) {
  const double big = std::numeric_limits<double>::max();
  const Matrix x{{-big, 1e-300}, {big, 3e-300}};
  expect_close(scaled(ScalingKind::range, x, x), Matrix{{-1, -1}, {1, 1}}, kRounding);
  EXPECT_TRUE(scaled(ScalingKind::maxabs, x, x).allFinite());
  expect_close(scaled(ScalingKind::standard, x, x), Matrix{{-1, -1}, {1, 1}}, kRounding);
}

TEST(Scaling, AFeatureTooNarrowForAnInverseBecomesZero) {
  const double tiny = std::numeric_limits<double>::denorm_min();
  const Matrix x{{0}, {tiny}};
  for (const auto kind : {ScalingKind::range, ScalingKind::standard, ScalingKind::maxabs}) {
    EXPECT_TRUE(scaled(kind, x, x).isZero(0)) << name_of(kind);
  }
}

TEST(Scaling, TinyAndHugeColumnsAreStandardisedAlike) {
  const Matrix x{{1e-200, 1e200}, {3e-200, 3e200}};
  expect_close(scaled(ScalingKind::standard, x, x), Matrix{{-1, -1}, {1, 1}}, kRounding);
}

RC_GTEST_PROP(Scaling, CanBeUndone, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint32_t>();
  const Matrix x = 100 * random_matrix(*rc::gen::inRange(10, 30), *rc::gen::inRange(1, 5), seed);
  for (const auto kind : {ScalingKind::range, ScalingKind::standard, ScalingKind::maxabs, ScalingKind::none}) {
    const Scaling scaling = Scaling::fit(kind, x);
    Matrix back = scaled(kind, x, x);
    back.array().rowwise() /= scaling.factor.transpose().array();
    back.rowwise() += scaling.offset.transpose();
    RC_ASSERT(relative_difference(back, x) <= kProduct);
  }
}

RC_GTEST_PROP(Scaling, PutsTrainingRowsWhereTheNameSays, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint32_t>();
  const Matrix x = 100 * random_matrix(*rc::gen::inRange(10, 30), 3, seed);  // enough rows for a wide range
  const Matrix range = scaled(ScalingKind::range, x, x);
  RC_ASSERT((range.colwise().minCoeff().array() + 1).abs().maxCoeff() <= kProduct);
  RC_ASSERT((range.colwise().maxCoeff().array() - 1).abs().maxCoeff() <= kProduct);
  const Matrix standard = scaled(ScalingKind::standard, x, x);
  RC_ASSERT(standard.colwise().mean().cwiseAbs().maxCoeff() <= kProduct);
  RC_ASSERT((standard.colwise().squaredNorm().array() / static_cast<double>(x.rows()) - 1).abs().maxCoeff() <=
            kProduct);
  RC_ASSERT((scaled(ScalingKind::maxabs, x, x).cwiseAbs().colwise().maxCoeff().array() - 1).abs().maxCoeff() <=
            kRounding);
}

TEST(Scaling, SparseRowsScaleByMaxabsAsDenseOnesDo) {
  const SparseMatrix sparse = random_sparse(20, 30, 0.2, 1);
  const Matrix dense = sparse;
  Features x = sparse;
  const Scaling scaling = Scaling::fit(ScalingKind::maxabs, x);
  scaling.apply(x);
  EXPECT_TRUE(x.sparse());
  EXPECT_TRUE(x.dense_rows(0, 20) == scaled(ScalingKind::maxabs, dense, dense));
  EXPECT_EQ(x.csr().nonZeros(), sparse.nonZeros());
}

TEST(Scaling, SparseRowsRefuseWhatWouldMakeThemDense) {
  const Features x = random_sparse(5, 5, 0.5, 2);
  expect_complaint([&] { Scaling::fit(ScalingKind::range, x); }, Fault::usage, "scale", "scale=maxabs");
  EXPECT_THROW(Scaling::fit(ScalingKind::standard, x), ConfigError);
  EXPECT_NO_THROW(Scaling::fit(ScalingKind::none, x));
}

TEST(Scaling, AnotherNumberOfFeaturesIsAnInputError) {
  const Scaling scaling = Scaling::fit(ScalingKind::range, Matrix{{1, 2}, {3, 4}});
  Features three = Matrix{{1, 2, 3}};
  EXPECT_THROW(scaling.apply(three), InputError);
}

Scaling in_blocks(ScalingKind kind, const Features& rows, Index block) {
  ScalingSums sums;
  for (Index first = 0; first < rows.rows(); first += block) {
    std::vector<Index> some;
    for (Index i = first; i < std::min(first + block, rows.rows()); ++i) some.push_back(i);
    sums.add(rows.select(some));
  }
  EXPECT_EQ(sums.rows(), rows.rows());
  return sums.finish(kind);
}

TEST(ScalingSums, BlocksOfAnySizeGiveTheSameScaling) {
  Matrix x = 100 * random_matrix(500, 4, 3);
  x.col(1).array() += 1e9;
  x.col(2).setConstant(0.1);
  x.col(3).array() *= 1e-200;
  x(250, 3) = 1e200;  // its unit changes on the way
  for (const auto kind : {ScalingKind::range, ScalingKind::standard, ScalingKind::maxabs, ScalingKind::none}) {
    const Scaling whole = Scaling::fit(kind, x);
    for (const Index block : {1, 7, 499, 500}) {
      const Scaling found = in_blocks(kind, x, block);
      EXPECT_EQ(found.kind, kind);
      EXPECT_EQ(found.offset, whole.offset) << name_of(kind) << " " << block;
      EXPECT_EQ(found.factor, whole.factor) << name_of(kind) << " " << block;
    }
  }
  const SparseMatrix sparse = random_sparse(40, 30, 0.1, 4);
  EXPECT_EQ(in_blocks(ScalingKind::maxabs, sparse, 3).factor, Scaling::fit(ScalingKind::maxabs, Matrix(sparse)).factor);
  EXPECT_THROW(in_blocks(ScalingKind::standard, sparse, 3), ConfigError);
}

TEST(ScalingSums, MeanAndDeviationAreThoseOfTheDefinition) {
  Matrix x = random_matrix(2000, 3, 5);
  x.col(0).array() += 1e8;  // a mean far from 0
  x(0, 1) = 1e3;            // an unusual first row
  x.col(2).array() *= 1e-3;
  const Scaling scaling = Scaling::fit(ScalingKind::standard, x);
  for (Index j = 0; j < x.cols(); ++j) {
    long double mean = 0;
    for (Index i = 0; i < x.rows(); ++i) mean += x(i, j) / static_cast<long double>(x.rows());
    long double variance = 0;
    for (Index i = 0; i < x.rows(); ++i)
      variance += (x(i, j) - mean) * (x(i, j) - mean) / static_cast<long double>(x.rows());
    EXPECT_NEAR(scaling.offset[j], static_cast<double>(mean),
                kRounding * std::abs(static_cast<double>(mean)) + kRounding);
    EXPECT_NEAR(scaling.factor[j] * static_cast<double>(std::sqrt(variance)), 1, kProduct);
  }
}

TEST(ScalingSums, NoRowsScaleNothing) {
  EXPECT_EQ(ScalingSums().finish(ScalingKind::range).factor.size(), 0);
  const Scaling scaling = Scaling::fit(ScalingKind::standard, Matrix(0, 2));
  EXPECT_EQ(scaling.offset, (Vector{{0, 0}}));
  EXPECT_EQ(scaling.factor, (Vector{{1, 1}}));
}

TEST(ScalingSums, AnotherNumberOfFeaturesIsAnInputError) {
  ScalingSums sums;
  sums.add(Matrix{{1, 2}});
  EXPECT_THROW(sums.add(Matrix{{1, 2, 3}}), InputError);
}

TEST(Scaling, NamesReadBack) {
  for (const auto kind : {ScalingKind::range, ScalingKind::standard, ScalingKind::maxabs, ScalingKind::none}) {
    EXPECT_EQ(scaling_from_name(name_of(kind)), kind);
  }
  EXPECT_THROW(scaling_from_name("minmax"), ConfigError);
}

}  // namespace
}  // namespace manyone::test
