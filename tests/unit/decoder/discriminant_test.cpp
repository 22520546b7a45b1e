// SPDX-License-Identifier: Apache-2.0
#include "decoder/discriminant.hpp"
#include "decoder/smooth_svm.hpp"

#include <gtest/gtest.h>

#include <limits>

#include <cmath>

#include <Eigen/LU>

#include "backend/runtime.hpp"
#include "tests/problems.hpp"

namespace manyone::test {
namespace {

/// Outputs of three classes around different means, and their spread.
struct Outputs {
  Matrix f;
  std::vector<int> labels;
  ClassSpread spread;
};

Outputs outputs(Index n, Index q, std::uint64_t seed) {
  Outputs out{random_matrix(n, q, seed), {}, {Matrix::Zero(3, q), Matrix::Zero(q, q), Vector::Zero(3)}};
  const Matrix means = 3 * random_matrix(3, q, seed + 1);
  for (Index i = 0; i < n; ++i) {
    const int c = static_cast<int>(i % 3);
    out.labels.push_back(c);
    out.f.row(i) += means.row(c);
    out.spread.means.row(c) += out.f.row(i);
    out.spread.weights[c] += 1;
  }
  for (Index c = 0; c < 3; ++c) out.spread.means.row(c) /= out.spread.weights[c];
  for (Index i = 0; i < n; ++i) {
    const Eigen::RowVectorXd d = out.f.row(i) - out.spread.means.row(out.labels[static_cast<std::size_t>(i)]);
    out.spread.within += d.transpose() * d;
  }
  return out;
}

TEST(Discriminant, ScoresAreMahalanobisDistancesAndLogPriors) {
  const Outputs data = outputs(60, 2, 3);
  const Vector priors{{0.5, 0.3, 0.2}};
  const Matrix scores = discriminant_decoder(data.spread, priors).scores(data.f);
  const Matrix inverse = (data.spread.within / 57).inverse();
  for (Index i = 0; i < 60; ++i) {
    for (Index c = 0; c < 3; ++c) {
      const Eigen::RowVectorXd d = data.f.row(i) - data.spread.means.row(c);
      EXPECT_NEAR(scores(i, c), std::log(priors[c]) - (d * inverse * d.transpose())(0, 0) / 2, 1e-8);
    }
  }
}

TEST(Discriminant, DistancesDoNotDependOnTheCoordinates) {
  const Outputs data = outputs(60, 2, 5);
  const Matrix A = random_matrix(2, 2, 6) + 2 * Matrix::Identity(2, 2);
  ClassSpread moved{(data.spread.means * A).array() + 0.7, A.transpose() * data.spread.within * A, data.spread.weights};
  const Vector priors = Vector::Ones(3);
  const Matrix there = discriminant_decoder(moved, priors).scores((data.f * A).array() + 0.7);
  EXPECT_LT((discriminant_decoder(data.spread, priors).scores(data.f) - there).cwiseAbs().maxCoeff(), 1e-7);
}

TEST(Discriminant, OutputsThatSumToAConstantLoseNothing) {
  // Indicator outputs of three classes span two dimensions only.
  const Outputs data = outputs(60, 2, 7);
  const auto padded = [](const Matrix& f) {
    Matrix out(f.rows(), 3);
    out << f, 1 - f.rowwise().sum().array();
    return out;
  };
  Matrix J(2, 3);
  J << 1, 0, -1, 0, 1, -1;
  const ClassSpread wide{padded(data.spread.means), J.transpose() * data.spread.within * J, data.spread.weights};
  const Vector priors = Vector::Ones(3);
  const Matrix there = discriminant_decoder(wide, priors).scores(padded(data.f));
  EXPECT_LT((discriminant_decoder(data.spread, priors).scores(data.f) - there).cwiseAbs().maxCoeff(), 1e-7);
}

TEST(Discriminant, PosteriorsSumToOneAndAgreeWithTheDecision) {
  const Outputs data = outputs(90, 3, 9);
  const Matrix scores = discriminant_decoder(data.spread, Vector{{1, 2, 3}}).scores(data.f);
  const Matrix p = softmax(scores, 1);
  EXPECT_LT((p.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-12);
  EXPECT_EQ(argmax_classes(p), argmax_classes(scores));
}

TEST(Discriminant, AClassWithoutRowsIsNeverPredicted) {
  Outputs data = outputs(60, 2, 11);
  ClassSpread spread = data.spread;
  spread.weights[1] = 0;
  spread.means.row(1).setZero();
  const auto found = argmax_classes(discriminant_decoder(spread, Vector::Ones(3)).scores(data.f));
  EXPECT_EQ(std::count(found.begin(), found.end(), 1), 0);
}

TEST(SmoothSvm, GradientIsZeroAtTheSolution) {
  const Matrix Z = random_matrix(50, 3, 13);
  Vector t(50);
  for (Index i = 0; i < 50; ++i) t[i] = Z(i, 0) + 0.3 * Z(i, 1) > 0.1 ? 1 : -1;
  const Vector weights = random_matrix(50, 1, 14).cwiseAbs().array() + 0.2;
  const double cost = 2.5;
  const SmoothSvm plane = smooth_svm(Z, t, weights, cost);
  const auto objective = [&](const Vector& w, double gamma) {
    double sum = (w.squaredNorm() + gamma * gamma) / 2;
    for (Index i = 0; i < 50; ++i) {
      const double x = 1 - t[i] * (Z.row(i).dot(w) - gamma);
      const double p = x + std::log1p(std::exp(-5 * x)) / 5;
      sum += cost * weights[i] * p * p / 2;
    }
    return sum;
  };
  constexpr double h = 1e-5;
  for (Index j = 0; j < 3; ++j) {
    Vector up = plane.w;
    Vector down = plane.w;
    up[j] += h;
    down[j] -= h;
    EXPECT_NEAR((objective(up, plane.gamma) - objective(down, plane.gamma)) / (2 * h), 0, 1e-7);
  }
  EXPECT_NEAR((objective(plane.w, plane.gamma + h) - objective(plane.w, plane.gamma - h)) / (2 * h), 0, 1e-7);
}

TEST(SmoothSvm, ARegressionWithoutCentresOrNumbersLeavesConstantOutputs) {
  Matrix beyond(2, 3);
  beyond << 1, 2, std::numeric_limits<double>::infinity(), 4, 5, 6;
  for (const Matrix& W : {Matrix(0, 3), beyond}) {
    const PlaneSpace space = plane_space(W, Vector::Zero(3), 3);
    EXPECT_EQ(space.map.rows(), 3);
    EXPECT_TRUE((space.map.array() == 0).all());
  }
}

TEST(SmoothSvm, DecoderSeparatesClassesThatAreFarApart) {
  Matrix f = random_matrix(90, 2, 17);
  std::vector<int> labels;
  for (Index i = 0; i < 90; ++i) {
    labels.push_back(static_cast<int>(i % 3));
    if (i % 3 > 0) f(i, i % 3 - 1) += 4;
  }
  const Decoder decoder = smooth_svm_decoder(f, labels, 3, {}, {Matrix::Identity(2, 2), Vector::Zero(2)});
  EXPECT_TRUE(decoder.fits(2));
  EXPECT_FALSE(decoder.fits(3));
  EXPECT_EQ(argmax_classes(decoder.scores(f)), labels);
}

}  // namespace
}  // namespace manyone::test
