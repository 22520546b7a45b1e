// SPDX-License-Identifier: Apache-2.0
#include "solve/grouped_sums.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "backend/runtime.hpp"
#include "tests/problems.hpp"
#include "tests/tolerance.hpp"

namespace manyone::test {
namespace {

struct Rows {
  Matrix x;
  std::vector<int> groups;
  Vector weights;
};

Rows some_rows(Index n, Index m, int groups, std::uint64_t seed, bool weighted) {
  Rows out{random_matrix(n, m, seed), {}, {}};
  for (Index i = 0; i < n; ++i) out.groups.push_back(static_cast<int>(i % groups));
  if (weighted) out.weights = random_matrix(n, 1, seed + 1).cwiseAbs().array() + 0.1;
  return out;
}

GroupedSums sums_of(const Backend& backend, const Rows& rows, int groups) {
  GroupedSums out(rows.x.cols(), groups);
  Matrix x = rows.x;
  out.add(backend, x, rows.groups, rows.weights);
  out.complete();
  return out;
}

Matrix indicators(const Rows& rows, int groups) {
  Matrix T = Matrix::Zero(rows.x.rows(), groups);
  for (Index i = 0; i < T.rows(); ++i) T(i, rows.groups[static_cast<std::size_t>(i)]) = 1;
  return T;
}

TEST(GroupedSums, RegressionMinimisesItsObjective) {
  const Runtime runtime(2);
  for (const bool weighted : {false, true}) {
    for (const bool bias : {false, true}) {
      const Rows rows = some_rows(60, 7, 3, 5, weighted);
      const Vector w = weighted ? rows.weights : Vector::Ones(60);
      const Matrix T = indicators(rows, 3);
      GroupRegression fit;
      ASSERT_TRUE(solve_groups(runtime.backend(), Interrupt(), sums_of(runtime.backend(), rows, 3), 0.3, bias, fit));
      // The gradient of sum w |t - W'x - b|^2 + ridge |W|^2 is 0.
      Matrix residual = T - rows.x * fit.W;
      residual.rowwise() -= fit.b.transpose();
      residual.array().colwise() *= w.array();
      EXPECT_LT((rows.x.transpose() * residual - 0.3 * fit.W).cwiseAbs().maxCoeff(), 1e-11);
      if (bias) {
        EXPECT_LT(residual.colwise().sum().cwiseAbs().maxCoeff(), 1e-11);
      } else {
        EXPECT_EQ(fit.b, Vector::Zero(3));
      }
    }
  }
}

TEST(GroupedSums, IndicatorsSumToOneSoWeightsSumToZero) {  // Lemma 1 of Chen et al.
  const Runtime runtime(2);
  const Rows rows = some_rows(50, 6, 4, 9, false);
  GroupRegression fit;
  ASSERT_TRUE(solve_groups(runtime.backend(), Interrupt(), sums_of(runtime.backend(), rows, 4), 0.01, true, fit));
  EXPECT_LT(fit.W.rowwise().sum().cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_NEAR(fit.b.sum(), 1, 1e-12);
}

RC_GTEST_PROP(GroupedSums, LeavingOutIsNeverHavingAdded, ()) {
  const Runtime runtime(1);
  const auto n = *rc::gen::inRange<Index>(4, 40);
  const auto cut = *rc::gen::inRange<Index>(1, 3);
  const auto seed = *rc::gen::inRange<std::uint64_t>(1, 1000);
  const Rows all = some_rows(n, 5, 2, seed, true);
  const auto part = [&](Index first, Index count) {
    const auto begin = all.groups.begin() + first;
    return Rows{all.x.middleRows(first, count), {begin, begin + count}, all.weights.segment(first, count)};
  };
  const GroupedSums whole = sums_of(runtime.backend(), all, 2);
  const GroupedSums rest = whole.without(sums_of(runtime.backend(), part(0, cut), 2));
  const GroupedSums direct = sums_of(runtime.backend(), part(cut, n - cut), 2);
  RC_ASSERT((rest.squares - direct.squares).cwiseAbs().maxCoeff() < 1e-12);
  RC_ASSERT((rest.totals - direct.totals).cwiseAbs().maxCoeff() < 1e-12);
  RC_ASSERT((rest.weights - direct.weights).cwiseAbs().maxCoeff() < 1e-12);
}

TEST(GroupedSums, MappedSumsAreTheSumsOfMappedRows) {
  const Runtime runtime(2);
  Rows rows = some_rows(40, 8, 3, 11, true);
  const GroupedSums sums = sums_of(runtime.backend(), rows, 3);
  const Matrix T = random_matrix(8, 4, 12);
  const Vector centre = random_matrix(8, 1, 13);
  const GroupedSums mapped = sums.mapped(runtime.backend(), centre, T);
  rows.x = (rows.x.rowwise() - centre.transpose()) * T;
  const GroupedSums direct = sums_of(runtime.backend(), rows, 3);
  EXPECT_LT((mapped.squares - direct.squares).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT((mapped.totals - direct.totals).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(GroupedSums, MeansAndSpreadOfOutputsAreThoseOfTheRows) {
  const Runtime runtime(2);
  const Rows rows = some_rows(40, 6, 3, 21, false);
  const GroupedSums sums = sums_of(runtime.backend(), rows, 3);
  const Matrix W = random_matrix(6, 2, 22);
  const Vector b = random_matrix(2, 1, 23);
  const Matrix f = (rows.x * W).rowwise() + b.transpose();
  const GroupedOutputs found = outputs_of_groups(runtime.backend(), sums, W, b);
  Matrix means = Matrix::Zero(3, 2);
  for (Index i = 0; i < 40; ++i) means.row(rows.groups[static_cast<std::size_t>(i)]) += f.row(i);
  for (Index g = 0; g < 3; ++g) means.row(g) /= sums.weights[g];
  Matrix within = Matrix::Zero(2, 2);
  for (Index i = 0; i < 40; ++i) {
    const Eigen::RowVectorXd d = f.row(i) - means.row(rows.groups[static_cast<std::size_t>(i)]);
    within += d.transpose() * d;
  }
  EXPECT_LT((found.means - means).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((found.within - within).cwiseAbs().maxCoeff(), 1e-11);
}

}  // namespace
}  // namespace manyone::test
