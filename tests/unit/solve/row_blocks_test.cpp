// SPDX-License-Identifier: Apache-2.0
//
// Solutions of row-block duals against their optimality conditions, written out here from A and K alone, and the
// exact step of one row against its neighbours.
#include "solve/row_blocks.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/problems.hpp"
#include "tests/tolerance.hpp"

namespace manyone::test {
namespace {

constexpr RowLoss kLosses[] = {RowLoss::margin_sum, RowLoss::margin_max, RowLoss::output_sum};
// Far below the default, so that solutions can be compared; well above rounding in outputs of a few hundred rows.
struct Blocks {
  Matrix K;
  std::vector<int> home;
  RowBlockProblem problem;

  Blocks(RowLoss loss, Index n, Index L, double bound, std::uint64_t seed, const Kernel& kernel = {}) {
    const Matrix x = random_matrix(n, 3, seed);
    K = plain_gram(kernel, x, x);
    home = random_labels(n, static_cast<int>(L), seed);
    problem.loss = loss;
    problem.columns = L;
    problem.home = home;
    problem.bounds = Vector::Constant(n, bound);
  }
  Blocks(const Blocks&) = delete;  // problem.home refers to home

  RowBlockSummary solve(RowBlockSolution& solution, RowBlockOptions options = {.tolerance = kTight}) const {
    return solve_row_blocks(*make_backend("cpu", 1), Interrupt(), K, problem, options, solution);
  }
  Index y(Index i) const { return home[static_cast<std::size_t>(i)]; }
};

struct Certificate {
  double feasibility = 0;  ///< how far A is from the feasible set
  double violation = 0;    ///< of complementary slackness, in units of outputs
  double dual = 0;
  double primal = 0;
};

/// From A and b alone. a_k = A_y-free variables: -A_k, or A_y - A_k where A = mean(a) - a and a_y = 0.
Certificate certify(const Blocks& blocks, const Matrix& A, const Vector& b) {
  const RowBlockProblem& problem = blocks.problem;
  Matrix f = blocks.K * A;
  Certificate out;
  const double norm = A.cwiseProduct(f).sum();
  f.rowwise() += b.transpose();
  out.dual = -norm / 2;
  out.primal = norm / 2;
  out.feasibility = A.rowwise().sum().cwiseAbs().maxCoeff();
  for (Index i = 0; i < A.rows(); ++i) {
    const Index y = blocks.y(i);
    const double U = problem.bounds[i];
    double sum = 0;
    double worst = 0;
    for (Index k = 0; k < A.cols(); ++k) {
      if (k == y) continue;
      const bool outputs = problem.loss == RowLoss::output_sum;
      const double a = outputs ? A(i, y) - A(i, k) : -A(i, k);
      const double slack = problem.margin - (outputs ? -f(i, k) : f(i, y) - f(i, k));
      sum += a;
      worst = std::max(worst, slack);
      out.feasibility = std::max(out.feasibility, -a);
      if (problem.loss == RowLoss::margin_max) continue;
      out.feasibility = std::max(out.feasibility, a - U);
      out.primal += U * std::max(0.0, slack);
      const double edge = 1e-12 * U;
      if (slack > 0 && a < U - edge) out.violation = std::max(out.violation, slack);
      if (slack < 0 && a > edge) out.violation = std::max(out.violation, -slack);
    }
    out.dual += problem.margin * sum;
    if (problem.loss != RowLoss::margin_max) continue;
    out.feasibility = std::max(out.feasibility, sum - U);
    out.primal += U * worst;
    const double edge = 1e-12 * U;
    if (sum < U - edge) out.violation = std::max(out.violation, worst);
    for (Index k = 0; k < A.cols(); ++k) {  // what is used is the worst margin
      if (k != y && -A(i, k) > edge)
        out.violation = std::max(out.violation, worst - (problem.margin - (f(i, y) - f(i, k))));
    }
  }
  if (problem.offsets)
    out.feasibility = std::max(out.feasibility, A.colwise().sum().cwiseAbs().maxCoeff() / problem.bounds.maxCoeff());
  return out;
}

void expect_optimal(const Blocks& blocks, const RowBlockSolution& solution, const RowBlockSummary& summary) {
  const Certificate found = certify(blocks, solution.A, solution.b);
  const double scale = std::max(1.0, found.primal);
  EXPECT_TRUE(summary.converged) << summary.violation << " after " << summary.steps;
  EXPECT_LE(found.feasibility, kTight * std::max(1.0, blocks.problem.bounds.maxCoeff()));
  EXPECT_LE(found.violation, 10 * kTight);
  // A violation v costs at most v times what the variables may add up to.
  const double gap = 10 * kTight * blocks.problem.bounds.sum() * static_cast<double>(blocks.problem.columns);
  EXPECT_NEAR(found.dual, found.primal, gap + kProduct * scale);
  EXPECT_NEAR(summary.objective, found.dual, kProduct * scale);
  EXPECT_NEAR(summary.gap, found.primal - found.dual, gap + kProduct * scale);
  EXPECT_NEAR(solution.b.sum(), 0, kRounding * std::max(1.0, solution.b.cwiseAbs().maxCoeff()));
  Matrix f = blocks.K * solution.A;
  f.rowwise() += solution.b.transpose();
  // In units of what is added up: the outputs may be 0.
  const double terms = std::max(1.0, blocks.K.cwiseAbs().maxCoeff() * solution.A.cwiseAbs().sum());
  EXPECT_LE((solution.outputs - f).cwiseAbs().maxCoeff(), kProduct * terms);
}

class EveryLoss : public testing::TestWithParam<RowLoss> {};
INSTANTIATE_TEST_SUITE_P(RowBlocks, EveryLoss, testing::ValuesIn(kLosses), [](const auto& instance) {
  return instance.param == RowLoss::margin_sum   ? "margin_sum"
         : instance.param == RowLoss::margin_max ? "margin_max"
                                                 : "output_sum";
});

TEST_P(EveryLoss, SolutionsAreOptimal) {
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    Random random(seed, 7);
    const auto n = static_cast<Index>(5 + random.below(75));
    const auto L = static_cast<Index>(2 + random.below(5));
    const double bound = std::pow(10, 4 * random.uniform() - 2);
    const auto kernels = vector_kernels();
    Blocks blocks(GetParam(), n, L, bound, seed, kernels[random.below(kernels.size())]);
    blocks.problem.offsets = GetParam() == RowLoss::margin_sum && random.below(2) == 1;
    blocks.problem.margin = 0.2 + 2 * random.uniform();
    for (double& one : blocks.problem.bounds) one *= 0.5 + random.uniform();
    RowBlockSolution solution;
    const RowBlockSummary summary = blocks.solve(solution);
    expect_optimal(blocks, solution, summary);
    ASSERT_FALSE(HasFailure()) << "seed " << seed << ", " << n << " rows, " << L << " columns, bound " << bound;
  }
}

TEST(RowBlocks, SmallWorkingSetsAndNoNewtonStepsReachTheSameOptimum) {
  for (const RowLoss loss : kLosses) {
    const Blocks blocks(loss, 120, 4, 0.7, 3);
    RowBlockSolution one;
    RowBlockSolution other;
    const double expected = blocks.solve(one).objective;
    RowBlockOptions options{.tolerance = 1e-7};
    options.working_rows = 16;
    options.newton_variables = 0;
    const RowBlockSummary summary = blocks.solve(other, options);
    EXPECT_TRUE(summary.converged);
    EXPECT_EQ(summary.newton_steps, 0);
    EXPECT_NEAR(summary.objective, expected, 1e-6 * expected);
    expect_close(other.outputs, one.outputs, 1e-4);
  }
}

TEST(RowBlocks, TheDefaultToleranceBoundsTheViolation) {
  for (const RowLoss loss : kLosses) {
    const Blocks blocks(loss, 200, 5, 3, 4);
    RowBlockSolution solution;
    const RowBlockSummary summary = blocks.solve(solution, {});
    EXPECT_TRUE(summary.converged);
    EXPECT_LE(certify(blocks, solution.A, solution.b).violation, 1.01e-3);
    EXPECT_LE(summary.violation, 1e-3);
    EXPECT_GE(summary.gap, 0);
  }
}

/// With two columns A_y = a, A_other = -a: the binary problem max margin sum(a) - a'(tt' o K)a with 0 <= a <= U, whose
/// conditions are those of margin - 2 t_i (K (a o t))_i.
TEST(RowBlocks, TwoColumnsAreTheBinaryMachine) {
  for (const RowLoss loss : {RowLoss::margin_sum, RowLoss::margin_max}) {
    const Blocks blocks(loss, 60, 2, 1.5, 5);
    RowBlockSolution solution;
    ASSERT_TRUE(blocks.solve(solution).converged);
    const Vector at = solution.A.col(0);
    EXPECT_TRUE(solution.A.col(1).isApprox(-at));
    const Vector Kat = blocks.K * at;
    for (Index i = 0; i < at.size(); ++i) {
      const double t = blocks.y(i) == 0 ? 1 : -1;
      const double a = t * at[i];
      const double slack = 1 - 2 * t * Kat[i];
      EXPECT_GE(a, 0);
      EXPECT_LE(a, 1.5 + kRounding);
      EXPECT_TRUE(a > 1.5 - kRounding || slack <= 10 * kTight) << slack;
      EXPECT_TRUE(a == 0 || slack >= -10 * kTight) << slack;
    }
  }
}

TEST(RowBlocks, ABoundTwiceAsLargeIsARowThatOccursTwice) {
  for (const RowLoss loss : kLosses) {
    for (const bool offsets : {false, true}) {
      if (offsets && loss != RowLoss::margin_sum) continue;
      Blocks doubled(loss, 40, 3, 0.4, 6);
      doubled.problem.offsets = offsets;
      std::vector<Index> rows;
      for (Index i = 0; i < 40; ++i) {
        rows.push_back(i);
        if (i % 3 == 0) {
          rows.push_back(i);
          doubled.problem.bounds[i] *= 2;
        }
      }
      Blocks repeated(loss, 1, 3, 0.4, 6);
      repeated.K = doubled.K(rows, rows);
      repeated.home.clear();
      for (const Index i : rows) repeated.home.push_back(static_cast<int>(doubled.y(i)));
      repeated.problem.home = repeated.home;
      repeated.problem.bounds = Vector::Constant(static_cast<Index>(rows.size()), 0.4);
      repeated.problem.offsets = offsets;
      RowBlockSolution one;
      RowBlockSolution other;
      const RowBlockSummary first = doubled.solve(one);
      const RowBlockSummary second = repeated.solve(other);
      EXPECT_TRUE(first.converged && second.converged);
      EXPECT_NEAR(first.objective, second.objective, kSolution * first.objective);
      expect_close(other.outputs, Matrix(one.outputs(rows, Eigen::all)), kSolution);
    }
  }
}

TEST(RowBlocks, RowsWithABoundOfZeroTakeNoPartButGetOutputs) {
  for (const RowLoss loss : kLosses) {
    Blocks all(loss, 50, 3, 0.9, 8);
    std::vector<Index> kept;
    for (Index i = 0; i < 50; ++i) {
      if (i % 5 == 0) {
        all.problem.bounds[i] = 0;
      } else {
        kept.push_back(i);
      }
    }
    Blocks part(loss, 1, 3, 0.9, 8);
    part.K = all.K(kept, kept);
    part.home.clear();
    for (const Index i : kept) part.home.push_back(static_cast<int>(all.y(i)));
    part.problem.home = part.home;
    part.problem.bounds = Vector::Constant(40, 0.9);
    RowBlockSolution one;
    RowBlockSolution other;
    EXPECT_TRUE(all.solve(one).converged && part.solve(other).converged);
    for (Index i = 0; i < 50; i += 5) EXPECT_TRUE(one.A.row(i).isZero(0));
    const Matrix expected = all.K(Eigen::all, kept) * other.A;
    expect_close(one.outputs, expected, kSolution);
  }
}

TEST(RowBlocks, AnyStartLeadsToTheSameOptimum) {
  for (const RowLoss loss : kLosses) {
    const Blocks blocks(loss, 60, 4, 2, 9);
    RowBlockSolution one;
    RowBlockSolution other;
    other.x = 5 * random_matrix(60, 4, 10);
    const double expected = blocks.solve(one).objective;
    expect_optimal(blocks, other, blocks.solve(other));
    const RowBlockSummary again = blocks.solve(other);
    EXPECT_NEAR(again.objective, expected, kSolution * expected);
    EXPECT_EQ(again.steps, 0);
  }
}

TEST(RowBlocks, StoppedEarlyItSaysSoAndTheGapIsThatOfThePoint) {
  for (const RowLoss loss : kLosses) {
    const Blocks blocks(loss, 100, 4, 50, 11);
    RowBlockSolution solution;
    RowBlockOptions options;
    options.max_steps = 10;
    const RowBlockSummary summary = blocks.solve(solution, options);
    EXPECT_FALSE(summary.converged);
    EXPECT_GT(summary.violation, 1e-3);
    const Certificate found = certify(blocks, solution.A, solution.b);
    EXPECT_NEAR(summary.gap, found.primal - found.dual, kProduct * found.primal);
    EXPECT_LE(found.feasibility, kRounding * 50);
  }
}

TEST(RowBlocks, RowsWithoutKernelValuesAndClassesWithoutRowsAreAllowed) {
  for (const RowLoss loss : kLosses) {
    Blocks blocks(loss, 30, 4, 1, 12);
    blocks.K.row(7).setZero();
    blocks.K.col(7).setZero();
    for (int& y : blocks.home) y = std::min(y, 2);
    RowBlockSolution solution;
    expect_optimal(blocks, solution, blocks.solve(solution));
  }
}

TEST(RowBlocks, OffsetsAloneServeRowsOfOneColumn) {
  Blocks blocks(RowLoss::margin_sum, 20, 3, 1, 13);
  for (int& y : blocks.home) y = 1;
  blocks.problem.offsets = true;
  RowBlockSolution solution;
  expect_optimal(blocks, solution, blocks.solve(solution));
  EXPECT_LE(solution.A.cwiseAbs().maxCoeff(), kTight);
}

TEST(RowBlocks, AnInterruptEndsIt) {
  const Blocks blocks(RowLoss::margin_sum, 20, 3, 1, 14);
  Interrupt interrupt;
  interrupt.request();
  RowBlockSolution solution;
  EXPECT_THROW(solve_row_blocks(*make_backend("cpu", 1), interrupt, blocks.K, blocks.problem, {}, solution),
               Interrupted);
}

/// The dual objective of one row as a function of its variables; f are the outputs where x is.
double row_objective(const RowStep& step, Index home, double curvature, const Vector& f, const Vector& x,
                     const Vector& at) {
  Vector before(x.size());
  Vector after(x.size());
  step.coefficients(home, x.data(), before.data());
  step.coefficients(home, at.data(), after.data());
  const Vector change = after - before;
  return step.gain(home, at.data()) - f.dot(change) - curvature * change.squaredNorm() / 2;
}

RC_GTEST_PROP(RowStep, NoFeasiblePointIsBetter, ()) {
  Random random(*rc::gen::arbitrary<std::uint32_t>());
  const RowLoss loss = *rc::gen::elementOf(std::vector<RowLoss>(std::begin(kLosses), std::end(kLosses)));
  const Index L = *rc::gen::inRange(2, 9);
  const Index home = *rc::gen::inRange<Index>(0, L);
  const double bound = 0.1 + 2 * random.uniform();
  const double curvature = 0.1 + random.uniform();
  RowStep step(loss, L, 1);
  const auto draw = [&](double width) {
    Vector out(L);
    for (double& one : out) one = width * random.normal();
    return out;
  };
  Vector x = draw(1);
  step.make_feasible(home, bound, x.data());
  Vector f = draw(2);
  f.array() -= f.mean();
  Vector best = x;
  step.solve(home, bound, curvature, f.data(), best.data());
  Vector feasible = best;
  step.make_feasible(home, bound, feasible.data());
  RC_ASSERT((feasible - best).cwiseAbs().maxCoeff() <= kRounding * 10);
  const double value = row_objective(step, home, curvature, f, x, best);
  RC_ASSERT(value >= -kRounding * 10);
  for (const double width : {1.0, 0.1, 1e-3}) {
    for (int trial = 0; trial < 30; ++trial) {
      Vector other = best + draw(width);
      step.make_feasible(home, bound, other.data());
      RC_ASSERT(row_objective(step, home, curvature, f, x, other) <= value + kProduct);
    }
  }
  Vector before(L);
  Vector after(L);
  step.coefficients(home, x.data(), before.data());
  step.coefficients(home, best.data(), after.data());
  const Vector moved = f + curvature * (after - before);
  RC_ASSERT(step.violation(home, bound, moved.data(), best.data()) <= kProduct);
  RC_ASSERT(std::abs(step.gap(home, bound, moved.data(), best.data())) <= kProduct * 10);
}

}  // namespace
}  // namespace manyone::test
