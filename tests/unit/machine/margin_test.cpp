// SPDX-License-Identifier: Apache-2.0
//
// The margin machines: with two classes each is the binary machine, with indicators vo-svm is a machine for every
// class, weights are repetitions, and the kernel on labels that sbc-kernel learns solves its problem.
#include <gtest/gtest.h>

#include <cmath>

#include "machine/sbc_svm.hpp"
#include "machine/svm_ecoc.hpp"
#include "tests/machines.hpp"
#include "tests/problems.hpp"
#include "tests/tolerance.hpp"

namespace manyone::test {
namespace {

constexpr double kAccuracy = 1e-9;

struct MarginProblem {
  Kernel kernel{&kGaussian, 0.8, 3, 1};
  Features x;
  LabelledRows rows;
  Matrix queries = random_matrix(30, 3, 77);

  /// Noisy classes by thirds (or halves) of the first feature.
  explicit MarginProblem(int classes, Index n = 60, std::uint64_t seed = 5) : x(random_matrix(n, 3, seed)) {
    const Matrix noise = random_matrix(n, 1, seed + 1);
    rows.classes = classes;
    for (Index i = 0; i < n; ++i) {
      const double place = (x.dense()(i, 0) + 0.4 * noise(i, 0) + 1.4) / 2.8 * classes;
      rows.labels.push_back(std::clamp(static_cast<int>(place), 0, classes - 1));
    }
  }

  Matrix outputs(const Machine& machine, double ridge) const {
    const auto solution =
        machine.fit(runtime().execution(), FeatureGram(runtime().execution(), kernel, x), rows, ridge);
    return (plain_gram(kernel, queries, x.dense()) * solution.A).rowwise() + solution.b.transpose();
  }
  Matrix outputs(const std::string& name, const std::string& book, double ridge, bool bias = false) const {
    return outputs(*make_machine(name, plain_labels(book, static_cast<int>(rows.classes)), bias, {{}, kAccuracy}),
                   ridge);
  }
  /// Of the binary machine for a class against the rest, by the plain program.
  Vector binary(int positive, double cost, bool bias) const {
    const Matrix K = plain_gram(kernel, x.dense(), x.dense());
    DenseForm Q(K);
    Vector t(x.rows());
    for (Index i = 0; i < t.size(); ++i) t[i] = rows.labels[static_cast<std::size_t>(i)] == positive ? 1 : -1;
    Vector s = Vector::Zero(t.size());
    const auto summary = solve_binary_svm(Interrupt(), Q, t, Vector::Constant(t.size(), cost), bias, {kAccuracy, 0}, s);
    return (plain_gram(kernel, queries, x.dense()) * s).array() + summary.b;
  }
};

TEST(MarginMachines, WithTwoClassesAreTheBinaryMachine) {
  const MarginProblem p(2);
  const double cost = 3;
  const auto difference = [](const Matrix& f) { return Vector(f.col(0) - f.col(1)); };
  EXPECT_TRUE((p.binary(0, cost, false).array().abs() > 1e-3).any());
  expect_close(Vector(p.outputs("svm-ovo", "ava", 1 / cost).col(0)), p.binary(0, cost, true), 1e-6);
  expect_close(Vector(p.outputs("svm-ecoc", "ava", 1 / cost).col(0)), p.binary(0, cost, false), 1e-6);
  expect_close(difference(p.outputs("svm-ova", "ova", 1 / cost)), 2 * p.binary(0, cost, false), 1e-6);
  // g = f_1 - f_2 = 2 f_1: |f_1|^2 + |f_2|^2 = |g|^2 / 2.
  expect_close(difference(p.outputs("cs", "indicator", 1 / cost)), p.binary(0, cost, false), 1e-6);
  // Margin 2: g = 2h, and the cost of h is half.
  expect_close(difference(p.outputs("ww", "indicator", 1 / cost)), 2 * p.binary(0, cost / 2, false), 1e-6);
  expect_close(difference(p.outputs("ww", "indicator", 1 / cost, true)), 2 * p.binary(0, cost / 2, true), 1e-5);
  // f_1 = -f_2 = h, lambda (|f_1|^2 + |f_2|^2) = 2 lambda |h|^2: cost 1 / (4 lambda n).
  expect_close(difference(p.outputs("llw", "indicator", 1 / (4 * cost))), 2 * p.binary(0, cost, false), 1e-6);
  // Codewords b and -b: H = |b|^2 (t t' o K), whose cost is |b|^2 times that of the binary machine, f = b h / |b|^2.
  const double square = plain_labels("alignment", 2).gamma(0, 0);
  EXPECT_NEAR(plain_labels("alignment", 2).gamma(0, 1), -square, 1e-12);
  const auto vo = make_machine("vo-svm", plain_labels("alignment", 2), false, {{}, kAccuracy});
  const Matrix scores =
      make_decoder(machine_from_name("vo-svm"), vo->output_code(), {}).scores(p.outputs(*vo, square / cost));
  expect_close(difference(scores), 2 * p.binary(0, cost, false), 1e-6);
}

TEST(VoSvm, WithIndicatorsIsAMachineForTheRowsOfEachClass) {
  const MarginProblem p(3);
  const double cost = 0.4;
  const Matrix found = p.outputs("vo-svm", "indicator", 1 / cost);
  for (int c = 0; c < 3; ++c) {
    std::vector<Index> own;
    for (Index i = 0; i < p.x.rows(); ++i) {
      if (p.rows.labels[static_cast<std::size_t>(i)] == c) own.push_back(i);
    }
    const Matrix z = p.x.dense()(own, Eigen::all);
    const Matrix K = plain_gram(p.kernel, z, z);
    DenseForm Q(K);
    Vector s = Vector::Zero(K.rows());
    const Vector ones = Vector::Ones(K.rows());
    solve_binary_svm(Interrupt(), Q, ones, cost * ones, false, {kAccuracy, 0}, s);
    expect_close(Vector(found.col(c)), Vector(plain_gram(p.kernel, p.queries, z) * s), 1e-6);
  }
}

TEST(MarginMachines, AWeightOfTwoIsARowTwice) {
  for (const std::string name : {"svm-ovo", "svm-ova", "vo-svm", "cs", "ww", "llw", "sbc-identity"}) {
    SCOPED_TRACE(name);
    MarginProblem weighted(3, 40);
    MarginProblem repeated = weighted;
    std::vector<Index> places;
    weighted.rows.weights = Vector::Ones(40);
    repeated.rows.labels.clear();
    for (Index i = 0; i < 40; ++i) {
      const int times = i % 5 == 0 ? 2 : 1;
      weighted.rows.weights[i] = times;
      for (int k = 0; k < times; ++k) {
        places.push_back(i);
        repeated.rows.labels.push_back(weighted.rows.labels[static_cast<std::size_t>(i)]);
      }
    }
    repeated.x = Features(Matrix(weighted.x.dense()(places, Eigen::all)));
    const std::string book = name == "svm-ovo" ? "ava" : name == "svm-ova" ? "ova" : "indicator";
    // The bound of sbc is cost / (copies n): the same bound for both tables.
    const bool sbc = name.starts_with("sbc");
    const double first = sbc ? 1e-4 : 0.3;
    const double second = sbc ? first * 40 / static_cast<double>(places.size()) : first;
    expect_close(weighted.outputs(name, book, first), repeated.outputs(name, book, second), 1e-5);
  }
}

/// The machine for given weights of the kernels on labels.
struct Replicas {
  double objective;  ///< 2 sum(alpha) - alpha'G(mu)alpha
  Vector gradient;   ///< what it loses for each unit of a weight
  Matrix outputs;    ///< of the queries
};

Replicas with_weights(const MarginProblem& p, const Vector& mu, double bound) {
  const double apart = 1 - std::exp(-1 / (2 * p.kernel.sigma * p.kernel.sigma));
  const Index c = p.rows.classes;
  const auto gram = [&](const Vector& weights) {
    Matrix out = Matrix::Constant(c, c, weights.sum());
    for (Index r = 0; r < c; ++r) {
      for (Index s = 0; s < c; ++s) out(r, s) -= r == s ? 0 : apart * (weights[r] + weights[s]);
    }
    return out;
  };
  const Matrix K = plain_gram(p.kernel, p.x.dense(), p.x.dense());
  const Matrix K_M = gram(mu);
  KroneckerForm Q(K, K_M);
  const Index n = p.x.rows();
  Vector t(n * c);
  for (Index i = 0; i < n; ++i) {
    for (Index r = 0; r < c; ++r) t[i * c + r] = p.rows.labels[static_cast<std::size_t>(i)] == r ? 1 : -1;
  }
  Vector s = Vector::Zero(n * c);
  const auto summary = solve_binary_svm(Interrupt(), Q, t, Vector::Constant(n * c, bound), true, {1e-7, 0}, s);
  const Eigen::Map<const Matrix> W(s.data(), n, c);
  const Matrix V = W.transpose() * K * W;
  Replicas out{-2 * summary.objective, Vector(c),
               (plain_gram(p.kernel, p.queries, p.x.dense()) * W * K_M).array() + summary.b};
  for (Index j = 0; j < c; ++j) out.gradient[j] = V.cwiseProduct(gram(Vector::Unit(c, j))).sum();
  return out;
}

TEST(SbcKernel, OnTheSimplexNoWeightsAreBetter) {
  const MarginProblem p(3, 36);
  const Index c = 3;
  const double most = std::sqrt(36.0);
  const double bound = 0.5;
  // The same multiplicative steps, far beyond the accuracy asked for in the machine.
  Vector mu = Vector::Constant(c, most / 3);
  for (int step = 0; step < 300; ++step) {
    mu = mu.cwiseProduct(with_weights(p, mu, bound).gradient.cwiseSqrt());
    mu *= most / mu.sum();
  }
  const Replicas best = with_weights(p, mu, bound);
  EXPECT_LE(most * best.gradient.maxCoeff(), (1 + 1e-4) * best.gradient.dot(mu)) << "equal where weights are";
  Random random(3);
  for (int k = 0; k < 20; ++k) {
    Vector other(c);
    for (Index j = 0; j < c; ++j) other[j] = random.uniform();
    other *= most / other.sum();
    EXPECT_GE(with_weights(p, other, bound).objective, best.objective * (1 - 1e-4));
  }
  // The machine finds the same outputs, as far as its gap of a thousandth goes; the published way ends elsewhere.
  const double ridge = 1 / (bound * 3 * 36);
  const SbcSvm simplex(plain_labels("indicator", 3), SbcKind::kernel, 1e-7, LabelLearning::simplex);
  const SbcSvm published(plain_labels("indicator", 3), SbcKind::kernel, 1e-7);
  const Matrix found = p.outputs(simplex, ridge);
  const double off = (found - best.outputs).cwiseAbs().maxCoeff();
  EXPECT_LT(off, 0.02);
  EXPECT_GT((p.outputs(published, ridge) - best.outputs).cwiseAbs().maxCoeff(), 2 * off);
}

}  // namespace
}  // namespace manyone::test
