// SPDX-License-Identifier: Apache-2.0
//
// Votes of pairs of classes, for decoders whose outputs, or what is made of them, are pairs.
#pragma once

#include <string>

#include "base/cpp_source.hpp"
#include "base/matrix.hpp"
#include "base/onnx_graph.hpp"

namespace manyone {

/// What happens to classes that win as many pairs.
enum class Ties {
  to_the_sum,    ///< of the signed values of their pairs, which never outweighs a vote
  to_the_first,  ///< class, as LIBSVM has it
};

/// Votes of outputs `f` for the columns of a code of pairs: now, as nodes of a graph, and as C++.
Matrix vote_scores(const Matrix& f, const Matrix& code, Ties ties);
std::string vote_graph(OnnxGraph& graph, const Matrix& code, const std::string& f, Ties ties);
void write_votes(CppSource& source, const Matrix& code, const std::string& f, Ties ties);

}  // namespace manyone
