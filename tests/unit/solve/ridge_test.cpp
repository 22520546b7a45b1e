// SPDX-License-Identifier: Apache-2.0
#include "manyone/solve/ridge.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/problems.hpp"
#include "tests/tolerance.hpp"
#include "tests/unit/solve/refit.hpp"

namespace manyone::test {
namespace {

/// Solves with a backend of one thread.
RidgeSolution solved(const RidgeProblem& problem, Matrix K, const Matrix& T) {
  const auto backend = make_backend("cpu", 1);
  RidgeSolution solution;
  EXPECT_TRUE(solve_ridge(*backend, Interrupt(), problem, K, T, solution));
  return solution;
}

Matrix gaussian_gram(const Matrix& x) { return plain_gram({KernelKind::gaussian, 0.7, 3, 1}, x, x); }

TEST(SolveRidge, ByHand) {
  // (K + 1) a = t with K = [3 0; 0 1], t = (8, 6).
  const RidgeSolution solution = solved({1, {}, false}, Matrix{{3, 0}, {0, 1}}, Matrix{{8}, {6}});
  expect_close(solution.A, Matrix{{2}, {3}}, kRounding);
  EXPECT_EQ(solution.b[0], 0);
}

TEST(SolveRidge, ByHandWithWeights) {
  // The ridge of row i is ridge / weight: diagonals 3 + 2/2 and 1 + 2/0.5.
  const RidgeSolution solution = solved({2, Vector{{2, 0.5}}, false}, Matrix{{3, 0}, {0, 1}}, Matrix{{8}, {10}});
  expect_close(solution.A, Matrix{{2}, {2}}, kRounding);
}

TEST(SolveRidge, ByHandWithBias) {
  // a + b = t with K + ridge = I and a_1 + a_2 = 0: b is the mean of t.
  const RidgeSolution solution = solved({1, {}, true}, Matrix{{0, 0}, {0, 0}}, Matrix{{5}, {1}});
  EXPECT_NEAR(solution.b[0], 3, kRounding);
  expect_close(solution.A, Matrix{{2}, {-2}}, kRounding);
}

RC_GTEST_PROP(SolveRidge, SolutionSatisfiesItsEquations, ()) {
  const auto problem = *random_problem();
  const RidgeSolution solution = solved(problem.ridge, problem.K, problem.T);
  Matrix left = problem.K;
  left.diagonal() += problem.ridge_diagonal();
  left *= solution.A;
  left.rowwise() += solution.b.transpose();
  RC_ASSERT(relative_difference(left, problem.T) <= kSolution);
  if (problem.ridge.bias) {
    RC_ASSERT(solution.A.colwise().sum().cwiseAbs().maxCoeff() <= kSolution * solution.A.cwiseAbs().maxCoeff());
  } else {
    RC_ASSERT(solution.b.isZero(0));
  }
}

RC_GTEST_PROP(SolveRidge, IntegerWeightsEqualRepeatedRows, (bool bias)) {
  const auto seed = *rc::gen::arbitrary<std::uint32_t>();
  const Index n = *rc::gen::inRange(2, 15);
  const Matrix x = random_matrix(n, 3, seed);
  const Matrix T = random_matrix(n, 2, seed + 1ULL);
  Vector weights(n);
  std::vector<Index> repeated;
  for (Index i = 0; i < n; ++i) {
    weights[i] = *rc::gen::inRange(1, 4);
    for (int k = 0; k < weights[i]; ++k) repeated.push_back(i);
  }
  const Matrix many = x(repeated, Eigen::all);
  const Matrix queries = random_matrix(5, 3, seed + 2ULL);
  const Kernel kernel{KernelKind::gaussian, 0.7, 3, 1};
  const RidgeSolution weighted = solved({0.25, weights, bias}, gaussian_gram(x), T);
  const RidgeSolution longer = solved({0.25, {}, bias}, gaussian_gram(many), T(repeated, Eigen::all));
  Matrix f = plain_gram(kernel, queries, x) * weighted.A;
  f.rowwise() += weighted.b.transpose();
  Matrix g = plain_gram(kernel, queries, many) * longer.A;
  g.rowwise() += longer.b.transpose();
  RC_ASSERT(relative_difference(f, g) <= kSolution);
}

RC_GTEST_PROP(InvertRidge, GivesTheSolutionOfTheFactorisation, ()) {
  const auto problem = *random_problem();
  const auto backend = make_backend("cpu", 1);
  RidgeInverse inverse;
  RC_ASSERT(invert_ridge(*backend, Interrupt(), problem.ridge, problem.K, problem.T, inverse));
  const RidgeSolution solution = solved(problem.ridge, problem.K, problem.T);
  RC_ASSERT(relative_difference(inverse.solution.A, solution.A) <= kSolution);
  RC_ASSERT((inverse.solution.b - solution.b).cwiseAbs().maxCoeff() <= kSolution);
  RC_ASSERT((inverse.rho.size() > 0) == problem.ridge.bias);
}

TEST(SolveRidge, SaysWhenTheSystemIsNotPositiveDefinite) {
  const auto backend = make_backend("cpu", 1);
  const Matrix indefinite{{0, 1}, {1, 0}};  // eigenvalues 1 and -1; a ridge of 1/2 does not help
  Matrix K = indefinite;
  RidgeSolution solution;
  EXPECT_FALSE(solve_ridge(*backend, Interrupt(), {0.5, {}, false}, K, Matrix::Ones(2, 1), solution));
  RidgeInverse inverse;
  EXPECT_FALSE(invert_ridge(*backend, Interrupt(), {0.5, {}, false}, indefinite, Matrix::Ones(2, 1), inverse));
}

}  // namespace
}  // namespace manyone::test
