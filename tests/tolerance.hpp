// SPDX-License-Identifier: Apache-2.0
//
// Every tolerance of the C++ tests, with its reason. All are relative to the largest entry of what is expected, because
// that is what rounding in a matrix product or a solve is proportional to. What must be exact is compared with ==.
#pragma once

#include <gtest/gtest.h>

#include <limits>

#include "base/matrix.hpp"

namespace manyone::test {

/// Half a dozen roundings: the same sum written in another order.
inline constexpr double kRounding = 1e-14;
/// Products over up to a thousand terms, added in another order.
inline constexpr double kProduct = 1e-12;
/// Solutions of systems with a condition number up to 1e5 (a thousand rows, ridge 1e-2): 1e5 x 1e-16 x a margin of 100.
inline constexpr double kSolution = 1e-9;
/// What the solvers of quadratic programs are asked for: violations of their conditions, at the scale of the problem.
inline constexpr double kTight = 1e-10;
/// Single precision: products over a few hundred terms, and inverses of systems with a condition number up to 4e3 (400
/// rows, ridge 0.1): 4e3 x 6e-8 x a margin of 4.
inline constexpr double kSingleProduct = 1e-5;
inline constexpr double kSingleSolution = 1e-3;
/// A solution from an inverse in single precision after one step of refinement: about its error squared.
inline constexpr double kRefinedSingle = 1e-7;
/// Goldens hold 16 digits; scores lose what the system's condition number takes (SPEC section 12).
inline constexpr double kGoldenScore = 1e-9;
inline constexpr double kGoldenCoefficient = 1e-8;
/// vo-RLS(f) on iris has a condition number above 1e18.
inline constexpr double kGoldenIllConditioned = 1e-6;
/// Rounding of a squared distance in the form |x|^2 + |z|^2 - 2x'z, in units of |x|^2 + |z|^2.
inline constexpr double kDistance = 64 * std::numeric_limits<double>::epsilon();

/// Largest difference in units of the largest expected entry (of 1 when nothing is expected).
inline double relative_difference(const Matrix& found, const Matrix& expected) {
  if (found.rows() != expected.rows() || found.cols() != expected.cols())
    return std::numeric_limits<double>::infinity();
  if (expected.size() == 0) return 0;
  if (!found.allFinite()) return std::numeric_limits<double>::infinity();
  const double scale = expected.cwiseAbs().maxCoeff();
  return (found - expected).cwiseAbs().maxCoeff() / (scale > 0 ? scale : 1);
}

inline void expect_close(const Matrix& found, const Matrix& expected, double tolerance, const std::string& what = "") {
  EXPECT_LE(relative_difference(found, expected), tolerance) << what;
}

}  // namespace manyone::test
