// SPDX-License-Identifier: Apache-2.0
//
// The inverse in single precision is a close approximation of the one in double precision, in outputs and in labels.
#include <gtest/gtest.h>

#include "data/scaling.hpp"
#include "decoder/decoder.hpp"
#include "solve/ridge.hpp"
#include "tests/tolerance.hpp"
#include "tests/unit/solve/refit.hpp"

namespace manyone::test {
namespace {

/// Overlapping classes with a kernel of useful width, ten folds.
Problem cloudy_problem(Index n, double ridge, bool bias, bool weights) {
  const Dataset data = clouds(n, 4, 5, 0.5, 31);
  const Matrix x = data.features.dense_rows(0, n);
  Problem problem;
  problem.ridge = {ridge, {}, bias};
  if (weights) problem.ridge.weights = random_matrix(n, 1, 32).col(0).array() + 1.5;
  problem.K = plain_gram({&kGaussian, 0.7, 3, 1}, x, x);
  problem.T = Matrix::Zero(n, 5);
  for (Index i = 0; i < n; ++i) problem.T(i, data.labels[static_cast<std::size_t>(i)]) = 1;
  problem.folds = make_folds({.count = 10, .stratified = false, .given = {}}, data.labels, 1, 0);
  return problem;
}

SingleRidgeInverse inverted(const Backend& backend, const Problem& problem) {
  SingleRidgeInverse inverse;
  EXPECT_TRUE(invert_ridge_single(backend, Interrupt(), problem.ridge, problem.K, problem.T, inverse));
  return inverse;
}

Matrix single_outputs(const Backend& backend, const Problem& problem) {
  Matrix K = problem.K;
  const Matrix f =
      heldout_outputs(backend, Interrupt(), K, inverted(backend, problem), problem.T, std::span(&problem.folds, 1))
          .front();
  EXPECT_TRUE(K == problem.K) << "K must come back as it was";
  return f;
}

int labels_that_differ(const Matrix& a, const Matrix& b) {
  const auto first = argmax_classes(a);
  const auto second = argmax_classes(b);
  int different = 0;
  for (std::size_t i = 0; i < first.size(); ++i) different += first[i] != second[i];
  return different;
}

TEST(SingleRidge, TheSolutionIsBetterThanSinglePrecision) {
  for (const auto& name : backend_names()) {
    const auto backend = make_backend(name, 1);
    for (const bool bias : {false, true}) {
      for (const bool weights : {false, true}) {
        const Problem problem = cloudy_problem(150, 0.0625, bias, weights);
        RidgeInverse expected;
        ASSERT_TRUE(invert_ridge(*backend, Interrupt(), problem.ridge, problem.K, problem.T, expected));
        const SingleRidgeInverse found = inverted(*backend, problem);
        expect_close(found.P.cast<double>(), expected.P, kSingleSolution, name);
        expect_close(found.solution.A, expected.solution.A, kRefinedSingle, name);
        expect_close(found.solution.b, expected.solution.b, kRefinedSingle, name);
        // Without the step of refinement: P T as it is.
        if (!bias) {
          EXPECT_GT(relative_difference(found.P.cast<double>() * problem.T, expected.solution.A), kRefinedSingle);
        }
      }
    }
  }
}

TEST(SingleRidge, HeldOutOutputsAreThoseOfRefits) {
  const auto backend = make_backend("cpu", 1);
  for (const bool bias : {false, true}) {
    for (const bool weights : {false, true}) {
      Problem problem = cloudy_problem(150, 0.125, bias, weights);
      for (const bool leave_one_out : {false, true}) {
        if (leave_one_out) {
          problem.folds = make_folds({.count = 0, .stratified = false, .given = {}}, std::vector<int>(150), 1, 0);
        }
        const Matrix expected = refit(problem);
        const Matrix found = single_outputs(*backend, problem);
        expect_close(found, expected, kSingleSolution);
        EXPECT_LE(labels_that_differ(found, expected), 1);  // a tie closer than single precision
      }
    }
  }
}

TEST(SingleRidge, LabelsEqualRefitsWhereOutputsAreTiny) {
  Dataset data = bundled("wine");
  Scaling::fit(ScalingKind::range, data.features).apply(data.features);
  Problem problem;
  problem.K = plain_gram({&kGaussian, std::exp2(-4), 3, 1}, data.features.dense(), data.features.dense());
  problem.T = Matrix::Zero(data.rows(), 3);
  for (Index i = 0; i < data.rows(); ++i) problem.T(i, data.labels[static_cast<std::size_t>(i)]) = 1;
  const auto backend = make_backend("cpu", 1);
  for (const int folds : {10, 0}) {
    problem.folds = make_folds({.count = folds, .stratified = false, .given = {}}, data.labels, 1, 0);
    for (const double ridge : {std::exp2(-4), 1.0, std::exp2(4)}) {
      problem.ridge.ridge = ridge;
      EXPECT_EQ(labels_that_differ(single_outputs(*backend, problem), refit(problem)), 0) << folds << ", " << ridge;
    }
  }
}

TEST(SingleRidge, SaysWhenTheSystemIsNotPositiveDefinite) {
  const auto backend = make_backend("cpu", 1);
  SingleRidgeInverse inverse;
  const Matrix K{{1, 2}, {2, 1}};
  EXPECT_FALSE(invert_ridge_single(*backend, Interrupt(), {0.5, {}, false}, K, Matrix::Ones(2, 1), inverse));
}

TEST(SingleRidge, StopsWhenInterrupted) {
  const auto backend = make_backend("cpu", 1);
  const Problem problem = cloudy_problem(40, 1, false, false);
  SingleRidgeInverse inverse = inverted(*backend, problem);
  Interrupt stop;
  stop.request();
  Matrix K = problem.K;
  EXPECT_THROW(heldout_outputs(*backend, stop, K, inverse, problem.T, std::span(&problem.folds, 1)), Interrupted);
  EXPECT_THROW(invert_ridge_single(*backend, stop, problem.ridge, K, problem.T, inverse), Interrupted);
}

}  // namespace
}  // namespace manyone::test
