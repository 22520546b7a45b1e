// SPDX-License-Identifier: Apache-2.0
#include "base/small_algebra.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace manyone::test {
namespace {

Eigen::MatrixXd symmetric() {
  Eigen::MatrixXd A(3, 3);
  A << 4, 1, -2, 1, 3, 0.5, -2, 0.5, 1;
  return A;
}

/// Four rows; the third column is the sum of the first two.
Eigen::MatrixXd dependent() {
  Eigen::MatrixXd A(4, 3);
  A << 1, 2, 3, 0, 1, 1, 4, -1, 3, 2, 2, 4;
  return A;
}

TEST(SmallAlgebra, EigenvectorsRebuildTheMatrixFromItsLowerTriangle) {
  const Eigen::MatrixXd A = symmetric();
  Eigen::MatrixXd lower = A;
  lower(0, 1) = lower(0, 2) = lower(1, 2) = 99;  // not looked at
  const auto [values, vectors] = symmetric_eigen(lower);
  EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
  EXPECT_TRUE((vectors * values.asDiagonal() * vectors.transpose()).isApprox(A, 1e-14));
  EXPECT_TRUE((vectors.transpose() * vectors).isIdentity(1e-14));
}

TEST(SmallAlgebra, SymmetricSystemsNeedNotBeDefinite) {
  Eigen::MatrixXd S = symmetric();
  S(0, 0) = -4;
  const Eigen::MatrixXd X = Eigen::MatrixXd::Random(3, 2);
  EXPECT_TRUE(solve_symmetric(S, S * X).isApprox(X, 1e-12));
}

TEST(SmallAlgebra, CholeskySolvesDefiniteSystemsAndRefusesOthers) {
  Eigen::MatrixXd S = symmetric();
  S(2, 2) = 2;
  SmallCholesky factor;
  ASSERT_TRUE(factor.compute(S));
  const Eigen::MatrixXd X = Eigen::MatrixXd::Random(3, 2);
  EXPECT_TRUE(factor.solve(S * X).isApprox(X, 1e-12));
  S(0, 0) = -4;
  EXPECT_FALSE(factor.compute(S));
}

TEST(SmallAlgebra, DependentColumnsAddNothingToABasis) {
  const Eigen::MatrixXd Q = column_basis(dependent(), 1e-9);
  ASSERT_EQ(Q.cols(), 2);
  EXPECT_TRUE((Q.transpose() * Q).isIdentity(1e-14));
  EXPECT_TRUE((Q * (Q.transpose() * dependent())).isApprox(dependent(), 1e-14));
}

TEST(SmallAlgebra, OfAllSolutionsTheShortestIsTaken) {
  const Eigen::MatrixXd A = dependent();
  const Vector b = A * Vector::Ones(3);
  const Vector x = shortest_solution(A, b, 1e-9);
  EXPECT_TRUE((A * x).isApprox(b, 1e-12));
  const Eigen::Vector3d null(1, 1, -1);  // A null = 0
  EXPECT_NEAR(x.dot(null), 0, 1e-12);
}

TEST(SmallAlgebra, SingularVectorsAreThoseOfTheSquares) {
  const Eigen::MatrixXd W = dependent();
  const RightSingular found = right_singular(W);
  EXPECT_TRUE(std::is_sorted(found.values.begin(), found.values.end(), std::greater<>()));
  EXPECT_TRUE((found.vectors.transpose() * found.vectors).isIdentity(1e-14));
  EXPECT_LT(found.values[2], 1e-14 * found.values[0]);
  const SymmetricEigen squares = symmetric_eigen(W.transpose() * W);
  for (Index k = 0; k < 2; ++k) EXPECT_NEAR(found.values[k] * found.values[k], squares.values[2 - k], 1e-12);
  EXPECT_TRUE(((W * found.vectors).transpose() * (W * found.vectors)).isDiagonal(1e-12));
}

TEST(SmallAlgebra, SmallSingularValuesAreExact) {
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(3, 2);
  W(0, 0) = 1;
  W(0, 1) = 1;
  W(1, 1) = 1e-12;
  EXPECT_NEAR(right_singular(W).values[1] / (1e-12 / std::sqrt(2.0)), 1, 1e-3);
}

}  // namespace
}  // namespace manyone::test
