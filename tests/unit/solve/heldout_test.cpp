// SPDX-License-Identifier: Apache-2.0
//
// The closed form of cross-validation equals refits, in values and in labels (SPEC section 10).
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "data/scaling.hpp"
#include "decoder/decoder.hpp"
#include "solve/ridge.hpp"
#include "tests/problems.hpp"
#include "tests/tolerance.hpp"
#include "tests/unit/solve/refit.hpp"

namespace manyone::test {
namespace {

Matrix closed_form(const Problem& problem, const std::string& backend_name = "cpu") {
  const auto backend = make_backend(backend_name, 1);
  RidgeInverse inverse;
  Matrix K = problem.K;
  EXPECT_TRUE(invert_ridge(*backend, Interrupt(), problem.ridge, K, problem.T, inverse));
  Matrix f = heldout_outputs(*backend, Interrupt(), K, inverse, problem.T, std::span(&problem.folds, 1)).front();
  EXPECT_TRUE(K == problem.K) << "K must come back as it was";
  return f;
}

/// Rows whose labels differ although the expected winner leads by more than rounding in that row.
int different_labels(const Matrix& found, const Matrix& expected) {
  const auto a = argmax_classes(found);
  const auto b = argmax_classes(expected);
  int different = 0;
  for (Index i = 0; i < expected.rows(); ++i) {
    Vector sorted = expected.row(i).transpose();
    std::sort(sorted.begin(), sorted.end());
    const double lead = sorted[sorted.size() - 1] - sorted[sorted.size() - 2];
    const auto k = static_cast<std::size_t>(i);
    if (a[k] != b[k] && lead > kSolution * sorted.cwiseAbs().maxCoeff()) ++different;
  }
  return different;
}

RC_GTEST_PROP(HeldOut, ClosedFormEqualsRefits, ()) {
  const auto problem = *random_problem();
  const Matrix expected = refit(problem);
  for (const auto& name : backend_names()) {
    const Matrix found = closed_form(problem, name);
    RC_ASSERT(relative_difference(found, expected) <= kSolution);
    RC_ASSERT(different_labels(found, expected) == 0);
  }
}

RC_GTEST_PROP(HeldOut, LeaveOneOutEqualsRefits, ()) {
  auto problem = *random_problem();
  problem.folds = make_folds({.count = 0, .stratified = false, .given = {}},
                             std::vector<int>(static_cast<std::size_t>(problem.K.rows())), 1, 0);
  const Matrix expected = refit(problem);
  const Matrix found = closed_form(problem);
  RC_ASSERT(relative_difference(found, expected) <= kSolution);
  RC_ASSERT(different_labels(found, expected) == 0);
}

TEST(HeldOut, FoldIdsMayHaveGaps) {
  Problem problem;
  const Matrix x = random_matrix(3, 2, 1);
  problem.K = plain_gram({&kGaussian, 0.7, 3, 1}, x, x);
  problem.T = Matrix{{1, 0}, {0, 1}, {1, 0}};
  problem.folds = {3, {0, 0, 2}};  // as many ids as rows, yet not leave-one-out
  expect_close(closed_form(problem), refit(problem), kSolution);
}

TEST(HeldOut, OneRowFoldsBesideLargeOnes) {
  Problem problem;
  const Matrix x = random_matrix(30, 3, 2);
  problem.K = plain_gram({&kLaplacian, 1, 3, 1}, x, x);
  problem.T = random_matrix(30, 3, 3);
  problem.folds.count = 4;
  for (int i = 0; i < 30; ++i) problem.folds.fold_of_row.push_back(i == 7 ? 3 : i < 20 ? 0 : i % 2 + 1);
  for (const bool bias : {false, true}) {
    problem.ridge.bias = bias;
    expect_close(closed_form(problem), refit(problem), kSolution);
  }
}

TEST(HeldOut, AFoldOfAllRowsLeavesNothingToLearnFrom) {
  Problem problem;
  problem.K = Matrix::Identity(3, 3);
  problem.T = Matrix::Ones(3, 2);
  problem.folds = {1, {0, 0, 0}};
  EXPECT_TRUE(closed_form(problem).isZero(0));
}

/// wine with a kernel so narrow that outputs are tiny: where the residual form reads the held-out label from rounding
/// noise.
Problem narrow_wine(double ridge, const FoldPlan& plan) {
  Dataset data = bundled("wine");
  Scaling::fit(ScalingKind::range, data.features).apply(data.features);
  Problem problem;
  problem.ridge.ridge = ridge;
  problem.K = plain_gram({&kGaussian, std::exp2(-4), 3, 1}, data.features.dense(), data.features.dense());
  problem.T = Matrix::Zero(data.rows(), 3);
  for (Index i = 0; i < data.rows(); ++i) problem.T(i, data.labels[static_cast<std::size_t>(i)]) = 1;
  problem.folds = make_folds(plan, data.labels, 1, 0);
  return problem;
}

const FoldPlan kTenFolds{.count = 10, .stratified = false, .given = {}};
const FoldPlan kLeaveOneOut{.count = 0, .stratified = false, .given = {}};

TEST(HeldOut, LabelsEqualRefitsWhereOutputsAreTiny) {
  for (const double ridge : {std::exp2(-4), 1.0, std::exp2(4)}) {
    for (const FoldPlan& plan : {kTenFolds, kLeaveOneOut}) {
      const Problem problem = narrow_wine(ridge, plan);
      const Matrix expected = refit(problem);
      for (const auto& name : backend_names()) {
        const Matrix found = closed_form(problem, name);
        EXPECT_LT(expected.cwiseAbs().colwise().minCoeff().maxCoeff(), 1e-30) << "the problem is not a hard one";
        EXPECT_EQ(argmax_classes(found), argmax_classes(expected))
            << name << ", ridge " << ridge << ", folds " << plan.count;
        // Where all outputs of a row are tiny, they are exact to that row's own scale: 1e-40 is as good as 1. (Below
        // 1e-290 rounding is no longer relative.)
        for (Index i = 0; i < expected.rows(); ++i) {
          const double largest = expected.row(i).cwiseAbs().maxCoeff();
          if (largest < 1e-12) {
            ASSERT_LE((found.row(i) - expected.row(i)).cwiseAbs().maxCoeff(), kSolution * largest + 1e-290)
                << "row " << i;
          }
        }
        expect_close(found, expected, kSolution);
      }
    }
  }
}

TEST(HeldOut, WithBiasAndWeightsLabelsEqualRefitsWhereOutputsAreTiny) {
  for (const bool bias : {false, true}) {
    Problem problem = narrow_wine(1, kTenFolds);
    problem.ridge.bias = bias;
    problem.ridge.weights = random_matrix(problem.K.rows(), 1, 4).col(0).array() + 1.5;
    const Matrix expected = refit(problem);
    const Matrix found = closed_form(problem);
    expect_close(found, expected, kSolution);
    EXPECT_EQ(different_labels(found, expected), 0);
  }
}

/// That the test above can fail: the shorter residual form T_B - P_BB^{-1} A_B is as close in value and wrong in
/// labels.
TEST(HeldOut, TheResidualFormWouldNotDoHere) {
  const Problem problem = narrow_wine(1, kLeaveOneOut);
  const auto backend = make_backend("cpu", 1);
  RidgeInverse inverse;
  ASSERT_TRUE(invert_ridge(*backend, Interrupt(), problem.ridge, problem.K, problem.T, inverse));
  const Matrix residual_form = problem.T - inverse.P.diagonal().cwiseInverse().asDiagonal() * inverse.solution.A;
  const Matrix expected = refit(problem);
  EXPECT_LE((residual_form - expected).cwiseAbs().maxCoeff(), kRounding);
  EXPECT_GT(different_labels(residual_form, expected), 10);
}

TEST(HeldOut, StopsWhenInterrupted) {
  const Problem problem = narrow_wine(1, kTenFolds);
  const auto backend = make_backend("cpu", 1);
  RidgeInverse inverse;
  Matrix K = problem.K;
  ASSERT_TRUE(invert_ridge(*backend, Interrupt(), problem.ridge, K, problem.T, inverse));
  Interrupt interrupt;
  interrupt.request();
  EXPECT_THROW(heldout_outputs(*backend, interrupt, K, inverse, problem.T, std::span(&problem.folds, 1)), Interrupted);
}

}  // namespace
}  // namespace manyone::test
