// SPDX-License-Identifier: Apache-2.0
//
// The quadratic programs: conditions of the optimum, duality gap, starts, limits; and forms that are never made.
#include "manyone/solve/box_qp.hpp"

#include <gtest/gtest.h>

#include "manyone/base/errors.hpp"
#include "manyone/machine/svm_ecoc.hpp"
#include "tests/problems.hpp"
#include "tests/tolerance.hpp"

namespace manyone::test {
namespace {

constexpr double kTight = 1e-10;

struct RandomQp {
  Matrix Q;
  BoxQp problem;
  Vector start;
};

/// Rank-deficient when rank < n.
RandomQp random_qp(Index n, Index rank, bool fixed_sum, std::uint64_t seed) {
  const Matrix factor = random_matrix(n, rank, seed);
  RandomQp out;
  out.Q = factor * factor.transpose();
  out.problem.c = random_matrix(n, 1, seed + 1).col(0);
  out.problem.lower = -random_matrix(n, 1, seed + 2).col(0).cwiseAbs();
  out.problem.upper = random_matrix(n, 1, seed + 3).col(0).cwiseAbs();
  out.problem.fixed_sum = fixed_sum;
  out.start = Vector::Zero(n);
  return out;
}

double objective(const RandomQp& qp, const Vector& s) { return 0.5 * s.dot(qp.Q * s) - qp.problem.c.dot(s); }

void expect_optimal(const RandomQp& qp, const Vector& s, const BoxQpSummary& summary) {
  const Vector v = qp.problem.c - qp.Q * s;
  for (Index i = 0; i < s.size(); ++i) {
    EXPECT_GE(s[i], qp.problem.lower[i]);
    EXPECT_LE(s[i], qp.problem.upper[i]);
    if (s[i] < qp.problem.upper[i]) {
      EXPECT_LE(v[i], summary.b + 1e-8) << i;
    }
    if (s[i] > qp.problem.lower[i]) {
      EXPECT_GE(v[i], summary.b - 1e-8) << i;
    }
  }
  EXPECT_TRUE(summary.converged);
  EXPECT_LE(summary.violation, kTight);
  EXPECT_GE(summary.gap, -1e-12);
  EXPECT_LE(summary.gap, 1e-7);
  EXPECT_NEAR(summary.objective, objective(qp, s), 1e-8 * (1 + std::abs(summary.objective)));
}

TEST(BoxQp, SolutionsFulfilTheConditionsOfTheOptimum) {
  for (const bool fixed_sum : {false, true}) {
    for (const Index n : {1, 2, 5, 40}) {
      for (const Index rank : {Index{1}, n}) {
        RandomQp qp = random_qp(n, rank, fixed_sum, static_cast<std::uint64_t>(7 * n + rank));
        DenseForm Q(qp.Q);
        Vector s = qp.start;
        const auto summary = solve_box_qp(Interrupt(), Q, qp.problem, {kTight, 0}, s);
        SCOPED_TRACE(testing::Message() << n << " variables of rank " << rank << (fixed_sum ? ", fixed sum" : ""));
        if (n == 1 && fixed_sum) {
          EXPECT_EQ(s[0], 0);
          continue;
        }
        expect_optimal(qp, s, summary);
        EXPECT_NEAR(fixed_sum ? s.sum() : 0, 0, 1e-10);
      }
    }
  }
}

TEST(BoxQp, NoFeasiblePointIsBetter) {
  RandomQp qp = random_qp(12, 6, true, 99);
  DenseForm Q(qp.Q);
  Vector s = qp.start;
  const auto summary = solve_box_qp(Interrupt(), Q, qp.problem, {kTight, 0}, s);
  Random random(5);
  for (int k = 0; k < 2000; ++k) {  // pairs move against each other: the sum stays
    Vector other = s;
    const auto i = static_cast<Index>(random.below(12));
    const auto j = static_cast<Index>(random.below(12));
    const double by = 0.1 * random.normal();
    other[i] += by;
    other[j] -= by;
    if ((other.array() < qp.problem.lower.array()).any() || (other.array() > qp.problem.upper.array()).any()) continue;
    EXPECT_GE(objective(qp, other), summary.objective - 1e-12);
  }
}

TEST(BoxQp, AStartChangesThePathNotTheSolution) {
  RandomQp qp = random_qp(30, 30, true, 3);
  DenseForm Q(qp.Q);
  Vector cold = qp.start;
  Vector warm = 0.3 * qp.problem.upper;
  warm.array() -= 0;
  const double sum = warm.sum();
  const auto first = solve_box_qp(Interrupt(), Q, qp.problem, {kTight, 0}, warm);
  EXPECT_NEAR(warm.sum(), sum, 1e-10);
  Vector again = warm;
  const auto second = solve_box_qp(Interrupt(), Q, qp.problem, {kTight, 0}, again);
  EXPECT_EQ(second.steps, 0);
  EXPECT_NEAR(first.objective, second.objective, 1e-12);
  const auto from_zero = solve_box_qp(Interrupt(), Q, qp.problem, {kTight, 0}, cold);
  EXPECT_GT(from_zero.steps, 0);
}

TEST(BoxQp, EqualRowsGoToTheirBounds) {
  RandomQp qp;
  qp.Q = Matrix::Ones(4, 4);
  qp.problem = {Vector{{2, 2, -2, -2}}, Vector{{0, 0, -1, -1}}, Vector{{1, 1, 0, 0}}, true};
  DenseForm Q(qp.Q);
  Vector s = Vector::Zero(4);
  const auto summary = solve_box_qp(Interrupt(), Q, qp.problem, {kTight, 0}, s);
  EXPECT_TRUE(summary.converged);
  expect_close(s, Vector{{1, 1, -1, -1}}, kRounding);
}

TEST(BoxQp, SaysWhenItStoppedAtItsLimitAndHowFarItIs) {
  RandomQp qp = random_qp(60, 60, true, 21);
  DenseForm Q(qp.Q);
  Vector s = qp.start;
  const auto summary = solve_box_qp(Interrupt(), Q, qp.problem, {kTight, 3}, s);
  EXPECT_FALSE(summary.converged);
  EXPECT_EQ(summary.steps, 3);
  EXPECT_GT(summary.violation, kTight);
  Vector best = qp.start;
  const auto full = solve_box_qp(Interrupt(), Q, qp.problem, {kTight, 0}, best);
  EXPECT_GE(summary.gap, summary.objective - full.objective - 1e-10) << "the gap bounds what is missing";
}

TEST(BoxQp, StopsWhenInterrupted) {
  RandomQp qp = random_qp(400, 400, true, 8);
  qp.problem.upper *= 100;
  qp.problem.lower *= 100;
  DenseForm Q(qp.Q);
  Interrupt stop;
  stop.request();
  Vector s = qp.start;
  EXPECT_THROW(solve_box_qp(stop, Q, qp.problem, {1e-12, 0}, s), Interrupted);
}

TEST(KroneckerForm, IsTheProductThatIsNeverFormed) {
  const Matrix A = random_qp(5, 5, false, 1).Q;
  const Matrix B = random_qp(3, 3, false, 2).Q;
  KroneckerForm form(A, B);
  ASSERT_EQ(form.size(), 15);
  for (Index u = 0; u < 15; ++u) {
    const double* row = form.row(u, static_cast<int>(u % 2));
    for (Index v = 0; v < 15; ++v) EXPECT_DOUBLE_EQ(row[v], A(u / 3, v / 3) * B(u % 3, v % 3));
    EXPECT_DOUBLE_EQ(form.diagonal(u), row[u]);
  }
}

TEST(BinarySvm, TargetsThatAreAllTheSameGiveThatOutput) {
  const Matrix K = Matrix::Identity(3, 3);
  DenseForm Q(K);
  Vector s = Vector::Ones(3);
  EXPECT_EQ(solve_binary_svm(Interrupt(), Q, -Vector::Ones(3), Vector::Ones(3), true, {}, s).b, -1);
  EXPECT_EQ(s, Vector::Zero(3));
}

TEST(BinarySvm, TwoPointsByHand) {
  // x = -1 and 1 with a linear kernel: w = 1 whenever cost >= 1/2, alpha = 1/2 for both, no bias.
  const Matrix K{{1, -1}, {-1, 1}};
  DenseForm Q(K);
  Vector s = Vector::Zero(2);
  const auto summary = solve_binary_svm(Interrupt(), Q, Vector{{1, -1}}, Vector{{5, 5}}, true, {kTight, 0}, s);
  expect_close(s, Vector{{0.5, -0.5}}, kRounding);
  EXPECT_NEAR(summary.b, 0, kRounding);
  EXPECT_NEAR(summary.objective, -0.5, kRounding);
}

}  // namespace
}  // namespace manyone::test
