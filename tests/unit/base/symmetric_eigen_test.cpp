// SPDX-License-Identifier: Apache-2.0
#include "manyone/base/symmetric_eigen.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace manyone::test {
namespace {

TEST(SymmetricEigen, RebuildsTheMatrixFromItsLowerTriangle) {
  Eigen::MatrixXd A(3, 3);
  A << 4, 1, -2, 1, 3, 0.5, -2, 0.5, 1;
  Eigen::MatrixXd lower = A;
  lower(0, 1) = lower(0, 2) = lower(1, 2) = 99;  // not looked at
  const auto [values, vectors] = symmetric_eigen(lower);
  EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
  EXPECT_TRUE((vectors * values.asDiagonal() * vectors.transpose()).isApprox(A, 1e-14));
  EXPECT_TRUE((vectors.transpose() * vectors).isIdentity(1e-14));
}

}  // namespace
}  // namespace manyone::test
