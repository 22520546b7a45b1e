// SPDX-License-Identifier: Apache-2.0
#include "decoder/votes.hpp"

#include <fmt/format.h>

#include "decoder/class_pairs.hpp"
#include "decoder/decoder.hpp"

namespace manyone {

/// s_c = votes + 1/2 m_c / (1 + max |m|) with m_c the sum of the signed values of the pairs of c.
Matrix vote_scores(const Matrix& f, const Matrix& code, Ties ties) {
  const std::vector<ClassPair> pairs = class_pairs(code);
  const Index L = code.rows();
  constexpr Index side = 8;  // rows counted side by side
  using Lanes = Eigen::Array<double, 1, side>;
  Matrix s(f.rows(), L);
  Eigen::Array<double, Eigen::Dynamic, side, Eigen::RowMajor> votes(L, side);
  Eigen::Array<double, Eigen::Dynamic, side, Eigen::RowMajor> sums(L, side);
  for (Index i = 0; i < f.rows(); i += side) {
    const Index rows = std::min(side, f.rows() - i);
    votes.setZero();
    sums.setZero();
    Lanes v = Lanes::Zero();
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      for (Index r = 0; r < rows; ++r) v[r] = f(i + r, static_cast<Index>(k));
      const Lanes won = (v > 0).cast<double>();
      votes.row(pairs[k].first) += won;
      votes.row(pairs[k].second) += 1 - won;
      sums.row(pairs[k].first) += v;
      sums.row(pairs[k].second) -= v;
    }
    if (ties == Ties::to_the_sum) votes += sums.rowwise() / (2 * (1 + sums.abs().colwise().maxCoeff()));
    s.middleRows(i, rows) = votes.leftCols(rows).matrix().transpose();
  }
  return s;
}

std::string vote_graph(OnnxGraph& graph, const Matrix& code, const std::string& f, Ties ties) {
  const std::string none = graph.scalar("votes.none", 0);
  const std::string one = graph.scalar("votes.one", 1);
  const std::string won = graph.node("Where", {graph.node("Greater", {f, none}), one, none});
  const std::string lost = graph.node("Sub", {one, won});
  std::string votes =
      graph.node("Add", {graph.node("MatMul", {won, graph.matrix("pairs.first", places_of(code, 1).transpose())}),
                         graph.node("MatMul", {lost, graph.matrix("pairs.second", places_of(code, -1).transpose())})});
  if (ties == Ties::to_the_first) return votes;
  const std::string sums = graph.node("MatMul", {f, graph.matrix("pairs", code.transpose())});
  const std::string largest = graph.node("ReduceMax", {graph.node("Abs", {sums})},
                                         {{"axes", std::vector<std::int64_t>{1}}, {"keepdims", std::int64_t{1}}});
  const std::string scale = graph.node("Mul", {graph.node("Add", {largest, one}), graph.scalar("votes.two", 2)});
  return graph.node("Add", {votes, graph.node("Div", {sums, scale})});
}

namespace {

void write_pairs(CppSource& source, const Matrix& code) {
  std::vector<int> first;
  std::vector<int> second;
  for (const ClassPair& pair : class_pairs(code)) {
    first.push_back(static_cast<int>(pair.first));
    second.push_back(static_cast<int>(pair.second));
  }
  source.integers("first", first);
  source.integers("second", second);
}

}  // namespace

void write_votes(CppSource& source, const Matrix& code, const std::string& f, Ties ties) {
  write_pairs(source, code);
  source.body("  for (int c = 0; c < class_count; ++c) out[c] = 0;\n");
  source.body(
      fmt::format("  for (int k = 0; k < {}; ++k) out[{}[k] > 0 ? numbers::first[k] : numbers::second[k]] += 1;\n",
                  code.cols(), f));
  if (ties == Ties::to_the_first) return;
  source.body(
      fmt::format("  double sums[class_count] = {{}};\n  for (int k = 0; k < {}; ++k) {{\n"
                  "    sums[numbers::first[k]] += {}[k];\n    sums[numbers::second[k]] -= {}[k];\n  }}\n"
                  "  double largest = 0;\n"
                  "  for (int c = 0; c < class_count; ++c) largest = std::fmax(largest, std::fabs(sums[c]));\n"
                  "  for (int c = 0; c < class_count; ++c) out[c] += sums[c] / (2 * (1 + largest));\n",
                  code.cols(), f, f));
}

namespace {

template <Ties ties>
constexpr DecoderEntry vote_decoder(std::string_view name, std::string_view rule) {
  return {.name = name,
          .rule = rule,
          .of_pairs = true,
          .libsvm = ties == Ties::to_the_first ? LibsvmVotes::same : LibsvmVotes::other_ties,
          // NOLINTNEXTLINE(performance-unnecessary-value-param): others change theirs
          .scores = [](const Decoder& decoder, Matrix f) { return vote_scores(f, decoder.code, ties); },
          .onnx = [](OnnxGraph& graph, const Decoder& decoder,
                     const std::string& f) { return vote_graph(graph, decoder.code, f, ties); },
          .cpp = [](CppSource& source, const Decoder& decoder,
                    const std::string& f) { write_votes(source, decoder.code, f, ties); }};
}

}  // namespace

extern constinit const DecoderEntry kVotes =
    vote_decoder<Ties::to_the_sum>("votes", "the class that wins most pairs, ties by the sum of pair values");
extern constinit const DecoderEntry kVotesFirst = vote_decoder<Ties::to_the_first>(
    "votes:first", "the class that wins most pairs, ties to the first class (LIBSVM's rule)");

}  // namespace manyone
