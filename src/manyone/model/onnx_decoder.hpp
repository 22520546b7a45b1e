// SPDX-License-Identifier: Apache-2.0
//
// Decoders as nodes of an ONNX graph: the formulas of decoder/decoder.cpp for all rows at once, written with products
// of matrices so that memory does not grow beyond rows x (outputs + classes^2).
#pragma once

#include <string>

#include "manyone/decoder/decoder.hpp"
#include "manyone/model/onnx_graph.hpp"

namespace manyone {

/// rows x q outputs -> rows x L scores. Throws ConfigError for a code that the decoder's formulas are not made for.
std::string onnx_scores(OnnxGraph& graph, const Decoder& decoder, const std::string& outputs);

}  // namespace manyone
