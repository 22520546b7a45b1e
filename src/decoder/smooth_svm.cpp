// SPDX-License-Identifier: Apache-2.0
#include "decoder/smooth_svm.hpp"

#include <algorithm>
#include <cmath>

#include "base/small_algebra.hpp"
#include "decoder/votes.hpp"
#include "labelbook/codes.hpp"

namespace manyone {

namespace {

using Square = Eigen::MatrixXd;

constexpr double kAlpha = 5;  // of the smooth plus function

/// p(x) = x + log(1 + exp(-alpha x)) / alpha without overflow.
double smooth_plus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-kAlpha * std::abs(x))) / kAlpha; }
double smooth_step(double x) {
  const double e = std::exp(-kAlpha * std::abs(x));
  return x >= 0 ? 1 / (1 + e) : e / (1 + e);
}

struct SmoothObjective {
  const Square& A;  // rows (z', -1)
  const Vector& t;
  const Vector& cost;  // of each row

  double value(const Vector& u) const {
    const Vector r = 1 - (t.array() * (A * u).array());
    double sum = u.squaredNorm() / 2;
    for (Index i = 0; i < r.size(); ++i) {
      const double p = smooth_plus(r[i]);
      sum += cost[i] / 2 * p * p;
    }
    return sum;
  }
  /// Gradient and the Newton direction.
  Vector direction(const Vector& u, Vector& gradient) const {
    const Vector r = 1 - (t.array() * (A * u).array());
    Vector first(r.size());
    Vector second(r.size());
    for (Index i = 0; i < r.size(); ++i) {
      const double p = smooth_plus(r[i]);
      const double s = smooth_step(r[i]);
      first[i] = cost[i] * t[i] * p * s;
      second[i] = cost[i] * (s * s + p * kAlpha * s * (1 - s));
    }
    gradient = u - A.transpose() * first;
    Square H = A.transpose() * second.asDiagonal() * A;
    H.diagonal().array() += 1;
    SmallCholesky factor;
    factor.compute(H);
    return -factor.solve(gradient);
  }
};

}  // namespace

extern constinit const DecoderEntry kSmoothSvm{
    .name = "ssvm",
    .rule = "votes of a smooth SVM for each pair of classes",
    .of_pairs = true,
    .cost = true,
    .fit_to_rows =
        [](const OutputRows& rows) {
          return smooth_svm_decoder(rows.outputs, rows.labels, rows.classes, rows.weights,
                                    plane_space(rows.W, rows.origin, rows.classes), rows.cost);
        },
    // NOLINTNEXTLINE(performance-unnecessary-value-param): others change theirs
    .scores = [](const Decoder& decoder, Matrix f) { return vote_scores(f, decoder.code, Ties::to_the_sum); },
    .onnx = [](OnnxGraph& graph, const Decoder& decoder,
               const std::string& f) { return vote_graph(graph, decoder.code, f, Ties::to_the_sum); },
    .cpp = [](CppSource& source, const Decoder& decoder,
              const std::string& f) { write_votes(source, decoder.code, f, Ties::to_the_sum); }};

SmoothSvm smooth_svm(const Matrix& Z, const Vector& t, const Vector& weights, double cost) {
  Square A(Z.rows(), Z.cols() + 1);
  A.leftCols(Z.cols()) = Z;
  A.rightCols(1).setConstant(-1);
  const Vector costs = weights.size() > 0 ? Vector(cost * weights) : Vector::Constant(Z.rows(), cost);
  const SmoothObjective objective{A, t, costs};
  Vector u = Vector::Zero(A.cols());
  double value = objective.value(u);
  for (int iteration = 0; iteration < 100; ++iteration) {
    Vector gradient;
    const Vector d = objective.direction(u, gradient);
    const double slope = gradient.dot(d);
    if (!(slope < -1e-26 * (1 + value))) break;
    double step = 1;
    double next = objective.value(u + d);
    while (next > value + 1e-4 * step * slope && step > 1e-10) {
      step /= 2;
      next = objective.value(u + step * d);
    }
    if (!(next < value)) break;
    u += step * d;
    value = next;
  }
  return {u.head(Z.cols()), u[Z.cols()]};
}

PlaneSpace plane_space(const Matrix& W, const Vector& origin, Index classes) {
  // A fold may have left no centre, or coefficients beyond any number: there is nothing that outputs depend on.
  if (W.rows() == 0 || !W.allFinite()) return {Matrix::Zero(W.cols(), 1), origin};
  const RightSingular singular = right_singular(W);
  const Vector& s = singular.values;
  Index r = 0;
  while (r < std::min<Index>(classes - 1, std::min(W.rows(), s.size())) && s[r] > 1e-10 * s[0]) ++r;
  r = std::max<Index>(r, 1);
  Matrix map = singular.vectors.leftCols(r);  // z = (f - origin) V S^{-1}
  for (Index j = 0; j < r; ++j) map.col(j) /= s[j] > 0 ? s[j] : 1;
  return {std::move(map), origin};
}

Decoder smooth_svm_decoder(const Matrix& outputs, std::span<const int> labels, Index classes, const Vector& weights,
                           const PlaneSpace& space, double cost) {
  const Matrix Z = (outputs.rowwise() - space.origin.transpose()) * space.map;
  Decoder out;
  out.entry = &kSmoothSvm;
  out.code = make_code("ava", BookRequest{static_cast<int>(classes), {}, 1, {}});
  out.map = Matrix::Zero(outputs.cols(), out.code.cols());
  out.shift = Vector::Zero(out.code.cols());
  for (Index k = 0; k < out.code.cols(); ++k) {
    std::vector<Index> rows;
    std::vector<double> signs;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (out.code(labels[i], k) == 0) continue;
      rows.push_back(static_cast<Index>(i));
      signs.push_back(out.code(labels[i], k));
    }
    const Vector t = Eigen::Map<const Vector>(signs.data(), static_cast<Index>(signs.size()));
    const SmoothSvm plane =
        smooth_svm(Z(rows, Eigen::all), t, weights.size() > 0 ? Vector(weights(rows)) : Vector(), cost);
    out.map.col(k) = space.map * plane.w;
    out.shift[k] = -space.origin.dot(out.map.col(k)) - plane.gamma;
  }
  return out;
}

}  // namespace manyone
