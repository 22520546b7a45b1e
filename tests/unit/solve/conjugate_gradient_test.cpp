// SPDX-License-Identifier: Apache-2.0
//
// The iterative solution of a ridge system is that of the direct one, and its summary says what was reached.
#include "solve/conjugate_gradient.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/tolerance.hpp"
#include "tests/unit/solve/refit.hpp"

namespace manyone::test {
namespace {

/// Every `step`-th row.
std::vector<Index> some_rows(Index n, Index step) {
  std::vector<Index> rows;
  for (Index i = 0; i < n; i += step) rows.push_back(i);
  return rows;
}

struct Solved {
  RidgeSolution solution;
  ConjugateGradientSummary summary;
};

Solved iterate(const Problem& problem, const std::vector<Index>& centres, const ConjugateGradientOptions& options,
               const std::string& name = "cpu", int threads = 1) {
  Solved out;
  Matrix K = problem.K;
  K.triangularView<Eigen::StrictlyUpper>().setConstant(std::numeric_limits<double>::quiet_NaN());  // not to be read
  out.summary = solve_ridge_iteratively(*make_backend(name, threads), Interrupt(), problem.ridge, K, problem.T, centres,
                                        options, out.solution);
  return out;
}

RidgeSolution direct(const Problem& problem) {
  RidgeSolution solution;
  Matrix K = problem.K;
  EXPECT_TRUE(solve_ridge(*make_backend("cpu", 1), Interrupt(), problem.ridge, K, problem.T, solution));
  return solution;
}

/// Several tiles of rows, several blocks of columns.
Problem large_problem(Index n = 700, Index q = 40) {
  Problem problem;
  const Matrix x = random_matrix(n, 5, 41);
  problem.K = plain_gram({&kGaussian, 0.7, 3, 1}, x, x);
  problem.T = random_matrix(n, q, 42);
  problem.ridge.ridge = 0.1;
  return problem;
}

RC_GTEST_PROP(ConjugateGradient, AgreesWithTheDirectSolution, ()) {
  const auto problem = *random_problem();
  const Index step = *rc::gen::inRange(1, 6);
  ConjugateGradientOptions options;
  options.tolerance = 1e-10;
  const Solved found = iterate(problem, some_rows(problem.K.rows(), step), options);
  const RidgeSolution expected = direct(problem);
  RC_ASSERT(found.summary.converged);
  // The error of a solution is at most the residual times the condition number, which is below 1e5 here.
  RC_ASSERT(relative_difference(found.solution.A, expected.A) <= 1e5 * options.tolerance);
  RC_ASSERT(relative_difference(found.solution.b, expected.b) <= 1e5 * options.tolerance);
}

TEST(ConjugateGradient, GoesOnAfreshWhereTheDirectionsOfSmallSystemsAreUsedUp) {
  for (std::uint32_t seed = 0; seed < 1500; ++seed) {
    Problem problem;
    const Matrix x = random_matrix(4, 3, seed);
    problem.K = plain_gram({&kPolynomial, 1, 3, 1}, x, x);
    problem.T = random_matrix(4, 2, seed + 1);
    problem.ridge.ridge = 1.0 / 16;
    problem.ridge.bias = true;
    ConjugateGradientOptions options;
    options.tolerance = 1e-10;
    ASSERT_TRUE(iterate(problem, some_rows(4, 1 + seed % 3), options).summary.converged) << "seed " << seed;
  }
}

TEST(ConjugateGradient, ReachesTheResidualItIsAskedFor) {
  Problem problem = large_problem();
  for (const bool weights : {false, true}) {
    if (weights) problem.ridge.weights = random_matrix(problem.K.rows(), 1, 43).col(0).array() + 1.5;
    Matrix system = problem.K;
    system.diagonal() += problem.ridge_diagonal();
    for (const double tolerance : {1e-3, 1e-6, 1e-9}) {
      ConjugateGradientOptions options;
      options.tolerance = tolerance;
      const Solved found = iterate(problem, some_rows(problem.K.rows(), 7), options);
      const Matrix R = problem.T - system * found.solution.A;
      const double residual = (R.colwise().norm().array() / problem.T.colwise().norm().array()).maxCoeff();
      EXPECT_TRUE(found.summary.converged);
      EXPECT_LE(residual, tolerance);
      EXPECT_NEAR(found.summary.residual, residual, kRounding + kSolution * residual);
    }
  }
}

TEST(ConjugateGradient, CentresSaveIterations) {
  const Problem problem = large_problem(700, 3);
  const ConjugateGradientOptions options;
  const Solved none = iterate(problem, {}, options);
  const Solved some = iterate(problem, some_rows(700, 4), options);
  EXPECT_TRUE(none.summary.converged);
  EXPECT_TRUE(some.summary.converged);
  EXPECT_LT(2 * some.summary.iterations, none.summary.iterations);
}

/// Rows of four classes, far apart from each other.
struct Grouped {
  Problem problem;
  std::vector<int> groups;
};

Grouped grouped_problem(Index n = 600) {
  Grouped out;
  Matrix x = random_matrix(n, 5, 44);
  for (Index i = 0; i < n; ++i) {
    out.groups.push_back(static_cast<int>(i % 4));
    x(i, i % 4) += 6;
  }
  out.problem.K = plain_gram({&kGaussian, 0.7, 3, 1}, x, x);
  out.problem.T = random_matrix(n, 3, 45);
  out.problem.ridge.ridge = 0.01;
  return out;
}

TEST(ConjugateGradient, GroupsSaveIterations) {
  const Grouped grouped = grouped_problem();
  ConjugateGradientOptions options;
  const Solved none = iterate(grouped.problem, some_rows(600, 20), options);
  options.groups = grouped.groups;
  const Solved some = iterate(grouped.problem, some_rows(600, 20), options);
  EXPECT_TRUE(none.summary.converged);
  EXPECT_TRUE(some.summary.converged);
  EXPECT_LT(4 * some.summary.iterations, none.summary.iterations);
}

TEST(ConjugateGradient, GroupsOfAnySizeLeadToTheSolution) {
  Grouped grouped = grouped_problem(900);
  Problem& problem = grouped.problem;
  problem.ridge.weights = random_matrix(900, 1, 46).col(0).array() + 1.5;
  const RidgeSolution expected = direct(problem);
  ConjugateGradientOptions options;
  std::vector<int> singles(900, 0);
  singles[7] = 2;  // group 1 is empty, the first is too large for one block
  for (const std::vector<int>& groups : {grouped.groups, std::vector<int>(900, 0), singles}) {
    options.groups = groups;
    const Solved found = iterate(problem, some_rows(900, 20), options);
    EXPECT_TRUE(found.summary.converged);
    expect_close(found.solution.A, expected.A, 1e-3);
    EXPECT_TRUE(found.solution.A == iterate(problem, some_rows(900, 20), options, "cpu", 3).solution.A);
  }
}

TEST(ConjugateGradient, SaysWhenItHasNotConverged) {
  const Problem problem = large_problem(300, 3);
  ConjugateGradientOptions options;
  options.max_iterations = 2;
  const Solved stopped = iterate(problem, {}, options);
  EXPECT_FALSE(stopped.summary.converged);
  EXPECT_EQ(stopped.summary.iterations, 2);
  EXPECT_GT(stopped.summary.residual, options.tolerance);
  options.max_iterations = 500;
  options.tolerance = 1e-20;  // below what double precision can hold
  const Solved stalled = iterate(problem, {}, options);
  EXPECT_FALSE(stalled.summary.converged);
  EXPECT_LT(stalled.summary.iterations, 500);
  EXPECT_LT(stalled.summary.residual, kSolution);
}

TEST(ConjugateGradient, EveryIterationIsReported) {
  std::vector<int> seen;
  ConjugateGradientOptions options;
  options.progress = [&](int iteration, double residual) {
    seen.push_back(iteration);
    EXPECT_GE(residual, 0);
  };
  const Solved found = iterate(large_problem(300, 3), some_rows(300, 10), options);
  ASSERT_EQ(static_cast<int>(seen.size()), found.summary.iterations);
  for (std::size_t k = 0; k < seen.size(); ++k) EXPECT_EQ(seen[k], static_cast<int>(k) + 1);
}

TEST(ConjugateGradient, ColumnsMayBeEqualOrZero) {
  Problem problem = large_problem(300, 5);
  problem.T.col(1) = problem.T.col(0);
  problem.T.col(2) = -2 * problem.T.col(0);
  problem.T.col(3).setZero();
  const Solved found = iterate(problem, some_rows(300, 10), {});
  EXPECT_TRUE(found.summary.converged);
  EXPECT_TRUE(found.solution.A.col(3).isZero(0));
  expect_close(found.solution.A, direct(problem).A, 1e-4);
}

TEST(ConjugateGradient, EqualCentresAreAllowed) {
  Problem problem = large_problem(300, 3);
  const Solved found = iterate(problem, {5, 5, 5, 17, 17}, {});
  EXPECT_TRUE(found.summary.converged);
}

TEST(ConjugateGradient, ConvergesWhereSinglePrecisionAloneWouldNot) {
  // A wide kernel and a small ridge: the condition number is 5e8, above what single precision resolves.
  Problem problem = large_problem(500, 3);
  const Matrix x = random_matrix(500, 5, 41);
  problem.K = plain_gram({&kGaussian, 8, 3, 1}, x, x);
  problem.ridge.ridge = 1e-6;
  const Solved found = iterate(problem, some_rows(500, 5), {});
  EXPECT_TRUE(found.summary.converged) << found.summary.residual;
}

TEST(ConjugateGradient, ThreadsDoNotChangeABit) {
  const Problem problem = large_problem();
  const Solved one = iterate(problem, some_rows(700, 7), {}, "cpu", 1);
  const Solved three = iterate(problem, some_rows(700, 7), {}, "cpu", 3);
  EXPECT_EQ(one.summary.iterations, three.summary.iterations);
  EXPECT_TRUE(one.solution.A == three.solution.A);
}

TEST(ConjugateGradient, EveryBackendGivesTheSolution) {
  const Problem problem = large_problem(150, 3);
  for (const auto& name : backend_names()) {
    const Solved found = iterate(problem, some_rows(150, 10), {}, name);
    EXPECT_TRUE(found.summary.converged) << name;
    expect_close(found.solution.A, direct(problem).A, 1e-4, name);
  }
}

TEST(ConjugateGradient, StopsWhenInterrupted) {
  const Problem problem = large_problem(300, 3);
  Interrupt stop;
  ConjugateGradientOptions options;
  options.progress = [&](int iteration, double) {
    if (iteration == 2) stop.request();
  };
  RidgeSolution solution;
  EXPECT_THROW(solve_ridge_iteratively(*make_backend("cpu", 1), stop, problem.ridge, problem.K, problem.T, {}, options,
                                       solution),
               Interrupted);
}

}  // namespace
}  // namespace manyone::test
