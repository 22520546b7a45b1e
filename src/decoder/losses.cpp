// SPDX-License-Identifier: Apache-2.0
//
// Loss-based decoding: the codeword c with the smallest sum over columns of loss(M_ck f_k). A loss is written three
// times, for numbers, for ONNX and for C++; what is done with it once.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/cpp_source.hpp"
#include "base/onnx_graph.hpp"
#include "decoder/decoder.hpp"
#include "manyone/errors.hpp"

namespace manyone {

namespace {

struct HammingLoss {
  static constexpr std::string_view cpp = "z > 0 ? 0 : z < 0 ? 1 : 0.5";
  static void constants(OnnxGraph& graph) { graph.scalar("loss.half", 0.5); }
  static double at(double z) { return z > 0 ? 0 : z < 0 ? 1 : 0.5; }
  static std::string onnx(OnnxGraph& graph, const std::string& z, const std::string& one) {
    return graph.node("Mul", {graph.node("Sub", {one, graph.node("Sign", {z})}), "loss.half"});
  }
};

struct SquareLoss {
  static constexpr std::string_view cpp = "(1 - z) * (1 - z)";
  static double at(double z) { return (1 - z) * (1 - z); }
  static std::string onnx(OnnxGraph& graph, const std::string& z, const std::string& one) {
    const std::string gap = graph.node("Sub", {one, z});
    return graph.node("Mul", {gap, gap});
  }
};

struct HingeLoss {
  static constexpr std::string_view cpp = "z < 1 ? 1 - z : 0";
  static void constants(OnnxGraph& graph) { graph.scalar("loss.none", 0); }
  static double at(double z) { return std::max(0.0, 1 - z); }
  static std::string onnx(OnnxGraph& graph, const std::string& z, const std::string& one) {
    return graph.node("Max", {graph.node("Sub", {one, z}), "loss.none"});
  }
};

struct LinearLoss {
  static constexpr std::string_view cpp = "-z";
  static double at(double z) { return 0 - z; }
  static std::string onnx(OnnxGraph& graph, const std::string& z, const std::string&) { return graph.node("Neg", {z}); }
};

struct ExponentialLoss {
  static constexpr std::string_view cpp = "std::exp(-z)";
  static double at(double z) { return std::exp(-z); }
  static std::string onnx(OnnxGraph& graph, const std::string& z, const std::string&) {
    return graph.node("Exp", {graph.node("Neg", {z})});
  }
};

/// s_c = -sum_k loss(M_ck f_k)
template <class Loss>
Matrix loss_scores(const Decoder& decoder, Matrix f) {
  const Matrix& code = decoder.code;
  Matrix s = Matrix::Zero(f.rows(), code.rows());
  for (Index i = 0; i < f.rows(); ++i) {
    for (Index c = 0; c < code.rows(); ++c) {
      for (Index k = 0; k < code.cols(); ++k) s(i, c) -= Loss::at(code(c, k) * f(i, k));
    }
  }
  return s;
}

/// With entries -1, 0 and 1 these are loss(f) where M is 1, loss(-f) where it is -1, and a constant for its zeros.
template <class Loss>
std::string loss_graph(OnnxGraph& graph, const Decoder& decoder, const std::string& f) {
  const Matrix plus = places_of(decoder.code, 1);
  const Matrix minus = places_of(decoder.code, -1);
  const Matrix none = places_of(decoder.code, 0);
  if (((none + plus + minus).array() != 1).any()) {
    throw ConfigError("decode",
                      fmt::format("the decoder {} can be exported for codes of -1, 0 and 1 only", decoder.entry->name),
                      "train with such a code, such as dense");
  }
  const std::string one = graph.scalar("loss.one", 1);
  if constexpr (requires { Loss::constants(graph); }) Loss::constants(graph);
  const std::string agree = Loss::onnx(graph, f, one);
  const std::string differ = Loss::onnx(graph, graph.node("Neg", {f}), one);
  const std::string of_plus = graph.node("MatMul", {agree, graph.matrix("code.plus", plus.transpose())});
  const std::string of_minus = graph.node("MatMul", {differ, graph.matrix("code.minus", minus.transpose())});
  const Vector zeros = none.rowwise().sum() * Loss::at(0);
  const std::string sum = graph.node("Add", {graph.node("Add", {of_plus, of_minus}), graph.row("code.zeros", zeros)});
  return graph.node("Neg", {sum});
}

template <class Loss>
void write_loss(CppSource& source, const Decoder& decoder, const std::string& f) {
  source.matrix("code", decoder.code);
  source.scores_by_columns(
      "0", decoder.code.cols(),
      fmt::format("const double z = numbers::code[c][k] * {}[k];\n      out[c] -= {};", f, Loss::cpp));
}

template <class Loss>
constexpr DecoderEntry loss_decoder(std::string_view name, std::string_view rule, std::string_view short_name = {}) {
  return {.name = name,
          .rule = rule,
          .short_name = short_name,
          .scores = loss_scores<Loss>,
          .onnx = loss_graph<Loss>,
          .cpp = write_loss<Loss>};
}

}  // namespace

extern constinit const DecoderEntry kHamming =
    loss_decoder<HammingLoss>("hamming", "the codeword with the fewest signs that differ");
extern constinit const DecoderEntry kLossSquare =
    loss_decoder<SquareLoss>("loss:square", "the codeword of the smallest sum of (1 - m f)^2", "loss");
extern constinit const DecoderEntry kLossHinge =
    loss_decoder<HingeLoss>("loss:hinge", "the codeword of the smallest sum of max(0, 1 - m f)");
extern constinit const DecoderEntry kLossLinear =
    loss_decoder<LinearLoss>("loss:linear", "the codeword of the smallest sum of -m f");
extern constinit const DecoderEntry kLossExponential =
    loss_decoder<ExponentialLoss>("loss:exponential", "the codeword of the smallest sum of exp(-m f)");

}  // namespace manyone
