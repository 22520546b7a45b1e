// SPDX-License-Identifier: Apache-2.0
#include "machine/onelsm.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/LU>

#include <numeric>

#include "decoder/decoder.hpp"
#include "tests/complaints.hpp"
#include "tests/machines.hpp"
#include "tests/problems.hpp"
#include "tests/tolerance.hpp"
#include "tests/unit/data/table_files.hpp"

namespace manyone::test {
namespace {

/// A random problem: rows, labels, a kernel and options.
struct Setting {
  Matrix x;
  std::vector<int> labels;
  int classes = 2;
  Kernel kernel;
  FitOptions options;
  Matrix queries;

  Expansion fitted(const std::string& book = "indicator") const {
    return fit_machine(runtime().execution(), "onelsm", kernel, x, labels, plain_labels(book, classes), options);
  }
  Matrix scores(const std::string& book) const {
    return fitted(book).evaluate(runtime().backend(), queries) * make_labelbook(book, classes).codewords.transpose();
  }
};

rc::Gen<Setting> random_setting(bool with_bias_and_weights = true) {
  return rc::gen::exec([=] {
    const auto seed = *rc::gen::arbitrary<std::uint32_t>();
    Setting s;
    s.classes = *rc::gen::inRange(2, 7);
    const Index n = *rc::gen::inRange(s.classes, 40);
    s.x = random_matrix(n, 3, seed);
    s.labels = random_labels(n, s.classes, seed);
    s.kernel = *rc::gen::elementOf(vector_kernels());
    s.options.ridge = std::exp2(*rc::gen::inRange(-4, 5));
    s.options.bias = with_bias_and_weights && *rc::gen::arbitrary<bool>();
    if (with_bias_and_weights && *rc::gen::arbitrary<bool>())
      s.options.weights = random_matrix(n, 1, seed + 1ULL).col(0).array() + 1.5;
    s.queries = random_matrix(25, 3, seed + 2ULL);
    return s;
  });
}

const std::vector<std::string> kOnelsmBooks = {"indicator", "pm1", "alignment", "consistency", "mincorr"};

RC_GTEST_PROP(OneLsm, AllFiveBooksPredictTheSame, ()) {  // Theorem 5 and Corollary 6
  const auto setting = *random_setting();
  const auto expected = argmax_classes(setting.scores("indicator"));
  for (const auto& book : kOnelsmBooks) RC_ASSERT(argmax_classes(setting.scores(book)) == expected);
}

RC_GTEST_PROP(OneLsm, CoefficientsTimesTargetsAreSymmetric, ()) {  // Proposition 1: A'Y' = (A'Y')'
  const auto setting = *random_setting(false);
  for (const auto& name : kOnelsmBooks) {
    const Labelbook book = make_labelbook(name, setting.classes);
    const Matrix targets = book.codewords(setting.labels, Eigen::all);
    const Matrix product = setting.fitted(name).coefficients.transpose() * targets;
    RC_ASSERT(relative_difference(product, product.transpose()) <= kSolution);
  }
}

RC_GTEST_PROP(OneLsm, LinearKernelIsPrimalRidgeRegression, ()) {  // Proposition 2: W = Phi A
  auto setting = *random_setting(false);
  setting.kernel = {&kLinear, 1, 3, 1};
  for (const auto& name : kOnelsmBooks) {
    const Matrix targets = make_labelbook(name, setting.classes).codewords(setting.labels, Eigen::all);
    const Matrix W = setting.x.transpose() * setting.fitted(name).coefficients;
    Eigen::MatrixXd normal = setting.x.transpose() * setting.x;
    normal.diagonal().array() += setting.options.ridge;
    const Matrix primal = normal.partialPivLu().solve(Eigen::MatrixXd(setting.x.transpose() * targets));
    RC_ASSERT(relative_difference(W, primal) <= kSolution);
  }
}

RC_GTEST_PROP(OneLsm, AlignmentAndMincorrGiveTheSameScores, ()) {  // Proposition 3
  const auto setting = *random_setting();
  RC_ASSERT(relative_difference(setting.scores("mincorr"), setting.scores("alignment")) <= kSolution);
}

RC_GTEST_PROP(OneLsm, WithBiasCoefficientsSumToZero, ()) {
  auto setting = *random_setting();
  setting.options.bias = true;
  for (const auto& book : kOnelsmBooks) {
    const Expansion e = setting.fitted(book);
    RC_ASSERT(e.coefficients.colwise().sum().cwiseAbs().maxCoeff() <=
              kSolution * (1 + e.coefficients.cwiseAbs().maxCoeff()));
  }
}

RC_GTEST_PROP(OneLsm, PermutingRowsPermutesCoefficientsAndKeepsPredictions, ()) {
  const auto setting = *random_setting();
  std::vector<Index> order(static_cast<std::size_t>(setting.x.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  Random(*rc::gen::arbitrary<std::uint32_t>()).shuffle(order);
  Setting permuted = setting;
  permuted.x = setting.x(order, Eigen::all);
  for (std::size_t i = 0; i < order.size(); ++i)
    permuted.labels[i] = setting.labels[static_cast<std::size_t>(order[i])];
  if (setting.options.weights.size() > 0) permuted.options.weights = setting.options.weights(order);
  RC_ASSERT(relative_difference(permuted.fitted().coefficients, setting.fitted().coefficients(order, Eigen::all)) <=
            kSolution);
  RC_ASSERT(relative_difference(permuted.scores("indicator"), setting.scores("indicator")) <= kSolution);
  RC_ASSERT(argmax_classes(permuted.scores("indicator")) == argmax_classes(setting.scores("indicator")));
}

RC_GTEST_PROP(OneLsm, IntegerWeightsEqualRepeatedRows, (bool bias)) {
  auto setting = *random_setting(false);
  setting.options.bias = bias;
  setting.options.weights.resize(setting.x.rows());
  std::vector<Index> repeated;
  Setting longer = setting;
  longer.labels.clear();
  longer.options.weights.resize(0);
  for (Index i = 0; i < setting.x.rows(); ++i) {
    const int times = *rc::gen::inRange(1, 4);
    setting.options.weights[i] = times;
    repeated.insert(repeated.end(), static_cast<std::size_t>(times), i);
    longer.labels.insert(longer.labels.end(), static_cast<std::size_t>(times),
                         setting.labels[static_cast<std::size_t>(i)]);
  }
  longer.x = setting.x(repeated, Eigen::all);
  const double tolerance = kSolution;
  RC_ASSERT(relative_difference(setting.scores("pm1"), longer.scores("pm1")) <= tolerance);
}

TEST(OneLsm, PrecomputedGramGivesTheSameAsItsKernel) {
  const Matrix x = random_matrix(20, 3, 1);
  const Matrix queries = random_matrix(7, 3, 2);
  const auto labels = random_labels(20, 3, 1);
  const Kernel kernel = vector_kernels()[0];
  const LabelSpace book = plain_labels("indicator", 3);
  const Expansion direct = fit_machine(runtime().execution(), "onelsm", kernel, x, labels, book, {});
  const Expansion given = fit_machine(runtime().execution(), "onelsm", {&kPrecomputed, 1, 3, 1},
                                      plain_gram(kernel, x, x), labels, book, {});
  EXPECT_EQ(given.features(), 20);
  expect_close(given.evaluate(runtime().backend(), plain_gram(kernel, queries, x)),
               direct.evaluate(runtime().backend(), queries), kSolution);
}

TEST(OneLsm, SparseRowsGiveTheSameAsDenseOnes) {
  const SparseMatrix x = random_sparse(60, 40, 0.1, 3);
  const auto labels = random_labels(60, 4, 3);
  for (const Kernel& kernel : vector_kernels()) {
    const LabelSpace book = plain_labels("indicator", 4);
    const Expansion sparse = fit_machine(runtime().execution(), "onelsm", kernel, x, labels, book, {});
    const Expansion dense = fit_machine(runtime().execution(), "onelsm", kernel, Matrix(x), labels, book, {});
    EXPECT_TRUE(sparse.centres.sparse());
    const SparseMatrix queries = random_sparse(20, 40, 0.1, 4);
    expect_close(sparse.evaluate(runtime().backend(), queries), dense.evaluate(runtime().backend(), Matrix(queries)),
                 kSolution);
  }
}

TEST(OneLsm, IndicatorTargetsByHand) {
  EXPECT_TRUE(indicator_targets(std::vector<int>{1, 0, 2}, 3) == (Matrix{{0, 1, 0}, {1, 0, 0}, {0, 0, 1}}));
}

TEST(OneLsm, ATooSmallRidgeIsAConfigErrorThatNamesIt) {
  const Matrix indefinite{{0, 1}, {1, 0}};
  const auto fit_it = [&] {
    fit_machine(runtime().execution(), "onelsm", {&kPrecomputed, 1, 3, 1}, indefinite, std::vector<int>{0, 1},
                plain_labels("indicator", 2), {0.5, {}, false});
  };
  expect_complaint(fit_it, Fault::usage, "ridge", "larger ridge");
  expect_contains(message_of(fit_it), "ridge 0.5 is too small");
}

TEST(OneLsm, StopsWhenInterrupted) {
  Runtime stopped(1);
  stopped.interrupt().request();
  EXPECT_THROW(fit_machine(stopped.execution(), "onelsm", {}, random_matrix(10, 2, 5), random_labels(10, 2, 5),
                           plain_labels("indicator", 2), {}),
               Interrupted);
}

TEST(OneLsm, ConjugateGradientsAgreeWithTheFactorisation) {
  const Dataset data = clouds(400, 4, 5, 0.4, 3);
  for (const bool bias : {false, true}) {
    const LabelledRows rows{data.labels, 5, random_matrix(400, 1, 7).col(0).array() + 1.5};
    const Kernel kernel{&kGaussian, 0.5, 3, 1};
    const auto fit_by = [&](SolverKind kind) {
      const auto machine = make_machine("onelsm", plain_labels("indicator", 5), bias, {kind, 1e-9});
      return machine->fit(runtime().execution(), FeatureGram(runtime().execution(), kernel, data.features), rows, 0.1);
    };
    const Coefficients direct = fit_by(SolverKind::direct);
    const Coefficients iterative = fit_by(SolverKind::iterative);
    expect_close(iterative.A, direct.A, 1e-6);  // residual 1e-9 times a condition number below 1e3
    expect_close(Matrix(iterative.b), Matrix(direct.b), 1e-6);
  }
}

}  // namespace
}  // namespace manyone::test
