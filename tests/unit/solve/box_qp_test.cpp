// SPDX-License-Identifier: Apache-2.0
//
// The quadratic programs: conditions of the optimum, duality gap, starts, limits; and forms that are never made.
#include "solve/box_qp.hpp"

#include <gtest/gtest.h>
#include <unsupported/Eigen/KroneckerProduct>

#include "machine/svm_ecoc.hpp"
#include "manyone/errors.hpp"
#include "tests/problems.hpp"
#include "tests/tolerance.hpp"

namespace manyone::test {
namespace {

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
  const RandomQp qp = random_qp(30, 30, false, 3);
  DenseForm Q(qp.Q);
  Vector cold = qp.start;
  const auto first = solve_box_qp(Interrupt(), Q, qp.problem, {kTight, 0}, cold);
  Vector warm = 0.3 * qp.problem.upper;
  const auto second = solve_box_qp(Interrupt(), Q, qp.problem, {kTight, 0}, warm);
  EXPECT_NEAR(first.objective, second.objective, 1e-9);
  expect_close(cold, warm, 1e-6);
  EXPECT_EQ(solve_box_qp(Interrupt(), Q, qp.problem, {kTight, 0}, warm).steps, 0) << "an optimum stays";
}

TEST(BoxQp, TheSumStaysThatOfTheStart) {
  const RandomQp qp = random_qp(30, 30, true, 4);
  DenseForm Q(qp.Q);
  Vector s = 0.3 * qp.problem.upper;
  const double sum = s.sum();
  const auto summary = solve_box_qp(Interrupt(), Q, qp.problem, {kTight, 0}, s);
  EXPECT_NEAR(s.sum(), sum, 1e-10);
  expect_optimal(qp, s, summary);
}

/// Overlapping classes: most variables end at a bound, so that they are set aside on the way.
TEST(BoxQp, VariablesThatWereSetAsideFulfilTheConditionsToo) {
  for (const bool fixed_sum : {false, true}) {
    for (const double cost : {0.1, 10.0, 1000.0}) {
      SCOPED_TRACE(testing::Message() << "cost " << cost << (fixed_sum ? ", fixed sum" : ""));
      const Index n = 500;
      const Matrix X = random_matrix(n, 2, 17);
      RandomQp qp;
      qp.Q.resize(n, n);
      for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < n; ++j) qp.Q(i, j) = std::exp(-2 * (X.row(i) - X.row(j)).squaredNorm());
      }
      const Vector noise = random_matrix(n, 1, 18).col(0);
      const Vector t = (X.col(0) + 0.5 * noise).array().sign();
      qp.problem = {t, (t.array() < 0).select(Vector::Constant(n, -cost), 0),
                    (t.array() > 0).select(Vector::Constant(n, cost), 0), fixed_sum};
      DenseForm Q(qp.Q);
      Vector s = Vector::Zero(n);
      const auto summary = solve_box_qp(Interrupt(), Q, qp.problem, {1e-8, 0}, s);
      EXPECT_TRUE(summary.converged);
      EXPECT_GT(summary.steps, 200) << "else nothing is set aside";
      const Vector v = qp.problem.c - qp.Q * s;
      double worst = 0;
      for (Index i = 0; i < n; ++i) {
        if (s[i] < qp.problem.upper[i]) worst = std::max(worst, v[i] - summary.b);
        if (s[i] > qp.problem.lower[i]) worst = std::max(worst, summary.b - v[i]);
      }
      EXPECT_LE(worst, 2e-8);
      EXPECT_GE(summary.gap, -1e-9 * std::abs(summary.objective));
      EXPECT_LE(summary.gap, 1e-5 * std::abs(summary.objective));
      EXPECT_EQ(Q.row(n - 1, 0), qp.Q.row(n - 1).data()) << "the form has all variables again";
    }
  }
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
  const Matrix whole = Matrix(Eigen::KroneckerProduct(A, B));
  const Vector s = random_matrix(15, 1, 3).col(0);
  expect_close(form.times(s), Vector(whole * s), kRounding);
  const std::vector<Index> active = {1, 2, 7, 14};
  form.keep(active);
  for (Index place = 0; place < 4; ++place) {
    const double* row = form.row(place, 0);
    for (Index k = 0; k < 4; ++k) {
      EXPECT_DOUBLE_EQ(row[k], whole(active[static_cast<std::size_t>(place)], active[static_cast<std::size_t>(k)]));
    }
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
