// SPDX-License-Identifier: Apache-2.0
#include "solve/ridge.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

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

Matrix gaussian_gram(const Matrix& x) { return plain_gram({&kGaussian, 0.7, 3, 1}, x, x); }

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
  const Kernel kernel{&kGaussian, 0.7, 3, 1};
  const RidgeSolution weighted = solved({0.25, weights, bias}, gaussian_gram(x), T);
  const RidgeSolution longer = solved({0.25, {}, bias}, gaussian_gram(many), T(repeated, Eigen::all));
  Matrix f = plain_gram(kernel, queries, x) * weighted.A;
  f.rowwise() += weighted.b.transpose();
  Matrix g = plain_gram(kernel, queries, many) * longer.A;
  g.rowwise() += longer.b.transpose();
  RC_ASSERT(relative_difference(f, g) <= kSolution);
}

// Blocks of the last rows, whose factor is at hand, are left out as if the rest had been solved anew.
RC_GTEST_PROP(SolveRidge, BlocksOfTheLastRowsAreLeftOutExactly, ()) {
  auto problem = *random_problem();
  const Index n = problem.K.rows();
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  const auto fold_of = [&](Index i) { return problem.folds.fold_of_row[static_cast<std::size_t>(i)]; };
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return fold_of(a) < fold_of(b); });
  problem.K = Matrix(problem.K(order, order));
  problem.T = Matrix(problem.T(order, Eigen::all));
  if (problem.ridge.weights.size() > 0) problem.ridge.weights = Vector(problem.ridge.weights(order));
  problem.folds = problem.folds.restricted_to(order);
  auto blocks = problem.folds.rows();
  blocks.erase(blocks.begin(), blocks.begin() + *rc::gen::inRange(0, static_cast<int>(blocks.size())));
  const auto backend = make_backend("cpu", 1);
  Matrix K = problem.K;
  RidgeSolution solution;
  std::vector<RidgeSolution> without;
  RC_ASSERT(solve_ridge(*backend, Interrupt(), problem.ridge, K, problem.T, blocks, solution, without));
  RC_ASSERT(relative_difference(solution.A, solved(problem.ridge, problem.K, problem.T).A) <= kSolution);
  RC_ASSERT(without.size() == blocks.size());
  const Matrix expected = refit(problem);
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    const std::vector<Index>& B = blocks[k];
    RC_ASSERT(Matrix(without[k].A(B, Eigen::all)).isZero(0));
    Matrix f = problem.K(B, Eigen::all) * without[k].A;
    f.rowwise() += without[k].b.transpose();
    const Matrix wanted = expected(B, Eigen::all);
    RC_ASSERT(relative_difference(f, wanted) <= kSolution);
    for (Index i = 0; i < f.rows(); ++i) {
      Index found = 0;
      Index best = 0;
      f.row(i).maxCoeff(&found);
      const double most = wanted.row(i).maxCoeff(&best);
      RC_ASSERT(found == best || most - wanted(i, found) <= kSolution);
    }
  }
}

// Kernels so narrow that outputs are rounding: a label that was held out must not shine through.
TEST(SolveRidge, HeldOutLabelsDoNotLeakIntoTinyOutputs) {
  const Index n = 40;
  const Matrix x = random_matrix(n, 6, 3);
  Problem problem;
  problem.K = plain_gram({&kGaussian, 0.12, 3, 1}, x, x);
  problem.T = Matrix::Zero(n, 2);
  for (Index i = 0; i < n; ++i) problem.T(i, i % 2) = 1;
  for (Index i = 0; i < n; ++i) problem.folds.fold_of_row.push_back(static_cast<int>(i / 10));
  problem.folds.count = 4;
  const auto blocks = problem.folds.rows();
  const auto backend = make_backend("cpu", 1);
  Matrix K = problem.K;
  RidgeSolution solution;
  std::vector<RidgeSolution> without;
  ASSERT_TRUE(
      solve_ridge(*backend, Interrupt(), problem.ridge, K, problem.T, std::span(blocks).last(2), solution, without));
  const Matrix expected = refit(problem);
  for (std::size_t k = 0; k < 2; ++k) {
    const std::vector<Index>& B = blocks[2 + k];
    const Matrix f = problem.K(B, Eigen::all) * without[k].A;
    for (Index i = 0; i < f.rows(); ++i) {
      const auto wanted = expected.row(B[static_cast<std::size_t>(i)]);
      if (wanted.cwiseAbs().maxCoeff() < 1e-300) continue;  // nothing near: the outputs are 0
      EXPECT_EQ(f(i, 0) > f(i, 1), wanted[0] > wanted[1]) << i;
    }
  }
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
