// SPDX-License-Identifier: Apache-2.0
//
// The class of the largest score: of outputs that are scores, or of their inner products with codewords.
#include <fmt/format.h>

#include "base/cpp_source.hpp"
#include "base/onnx_graph.hpp"
#include "decoder/decoder.hpp"

namespace manyone {

namespace {

Matrix product_scores(const Decoder& decoder, Matrix outputs) {
  return decoder.code.isIdentity(0) ? std::move(outputs) : Matrix(outputs * decoder.code.transpose());
}

std::string product_graph(OnnxGraph& graph, const Decoder& decoder, const std::string& f) {
  if (decoder.code.isIdentity(0)) return f;
  return graph.node("MatMul", {f, graph.matrix("codewords", decoder.code.transpose())});
}

void write_product(CppSource& source, const Decoder& decoder, const std::string& f) {
  if (decoder.code.isIdentity(0)) {
    source.body(fmt::format("  for (int c = 0; c < class_count; ++c) out[c] = {}[c];\n", f));
    return;
  }
  source.matrix("code", decoder.code);
  source.scores_by_columns("0", decoder.code.cols(), fmt::format("out[c] += numbers::code[c][k] * {}[k];", f));
}

}  // namespace

extern constinit const DecoderEntry kArgmax{.name = "argmax",
                                            .rule = "the class of the largest score",
                                            .of_scores = true,
                                            .scores = product_scores,
                                            .onnx = product_graph,
                                            .cpp = write_product};

}  // namespace manyone
