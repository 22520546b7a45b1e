// SPDX-License-Identifier: Apache-2.0
#include "decoder/discriminant.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/cpp_source.hpp"
#include "base/onnx_graph.hpp"
#include "base/small_algebra.hpp"
#include "decoder/probabilities.hpp"

namespace manyone {

namespace {

using Square = Eigen::MatrixXd;

constexpr double kSpan = 1e-13;      // of the largest variance: outputs do not reach directions below
constexpr double kSharpest = 1e-12;  // of the whole variance: what a variance within classes is at least

/// s_c = log prior_c - |z - m_c|^2 / 2
Matrix nearness_scores(const Decoder& decoder, Matrix z) {
  const Matrix& means = decoder.code;
  Matrix s(z.rows(), means.rows());
  for (Index c = 0; c < means.rows(); ++c) {
    s.col(c) = decoder.log_priors[c] - (z.rowwise() - means.row(c)).rowwise().squaredNorm().array() / 2;
  }
  return s;
}

/// s_c = log prior_c - |z - m_c|^2 / 2, from the differences themselves: they are few.
std::string nearness_graph(OnnxGraph& graph, const Decoder& decoder, const std::string& z) {
  const std::string middle = graph.integers("means.axis", {1}, {1});
  const std::string means = graph.matrix("means", decoder.code);
  const std::string difference = graph.node("Sub", {graph.node("Unsqueeze", {z, middle}), means});
  const std::string distances = graph.node("ReduceSumSquare", {difference},
                                           {{"axes", std::vector<std::int64_t>{2}}, {"keepdims", std::int64_t{0}}});
  const std::string half = graph.node("Mul", {distances, graph.scalar("means.half", 0.5)});
  return graph.node("Sub", {graph.row("log_priors", decoder.log_priors), half});
}

void write_nearness(CppSource& source, const Decoder& decoder, const std::string& z) {
  source.matrix("code", decoder.code);
  source.vector("log_priors", decoder.log_priors);
  source.scores_by_columns(
      "numbers::log_priors[c]", decoder.code.cols(),
      fmt::format("const double gap = {}[k] - numbers::code[c][k];\n      out[c] -= gap * gap / 2;", z));
}

}  // namespace

extern constinit const DecoderEntry kDiscriminant{
    .name = "flda",
    .rule = "the class of the nearest mean in the metric of Fisher's discriminant",
    .priors = true,
    .fit_to_spread = discriminant_decoder,
    .scores = nearness_scores,
    .onnx = nearness_graph,
    .cpp = write_nearness};

Decoder discriminant_decoder(const ClassSpread& spread, const Vector& priors) {
  const Index L = spread.means.rows();
  const Index q = spread.means.cols();
  const double n = spread.weights.sum();
  const Index present = (spread.weights.array() > 0).count();
  const Eigen::RowVectorXd mean = (spread.weights.transpose() * spread.means) / n;
  Square between = Square::Zero(q, q);
  for (Index c = 0; c < L; ++c) {
    const Eigen::RowVectorXd d = spread.means.row(c) - mean;
    if (spread.weights[c] > 0) between += spread.weights[c] * d.transpose() * d;
  }
  const Square within = (spread.within + spread.within.transpose()) / 2;
  // Coordinates in which all outputs together have unit variance, then those in which each class has.
  const SymmetricEigen total = symmetric_eigen((within + between) / n);
  Index r = 0;
  while (r < std::min(q, present - 1) && total.values[q - 1 - r] > kSpan * total.values[q - 1]) ++r;
  Decoder out;
  out.entry = &kDiscriminant;
  out.log_priors = (priors / priors.sum()).array().log();
  for (Index c = 0; c < L; ++c) {
    if (!(spread.weights[c] > 0)) out.log_priors[c] = kNeverPredicted;
  }
  r = std::max<Index>(r, 1);
  Square whiten = total.vectors.rightCols(r);
  for (Index j = 0; j < r; ++j) {
    const double variance = total.values[q - r + j];
    whiten.col(j) /= variance > 0 ? std::sqrt(variance) : 1;
  }
  const double freedom = std::max(n - static_cast<double>(present), 1e-300);
  const SymmetricEigen inside = symmetric_eigen(whiten.transpose() * within * whiten / freedom);
  out.map = whiten * inside.vectors;  // ascending: the coordinate that separates best comes first
  for (Index j = 0; j < r; ++j) out.map.col(j) /= std::sqrt(std::max(inside.values[j], kSharpest));
  out.shift = -(mean * out.map).transpose();
  out.code = (spread.means.rowwise() - mean) * out.map;
  return out;
}

}  // namespace manyone
