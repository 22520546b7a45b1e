// SPDX-License-Identifier: Apache-2.0
//
// Pairs drop one class after the other; a class's score is the step in which it was dropped.
#include <fmt/format.h>

#include "base/cpp_source.hpp"
#include "base/onnx_graph.hpp"
#include "decoder/class_pairs.hpp"
#include "decoder/decoder.hpp"

namespace manyone {

namespace {

/// The class dropped in step t has score t, the one that is left L - 1.
Matrix dag_scores(const Decoder& decoder, Matrix f) {
  const std::vector<ClassPair> pairs = class_pairs(decoder.code);
  const Index L = decoder.code.rows();
  Eigen::MatrixXi column = Eigen::MatrixXi::Zero(L, L);
  for (std::size_t k = 0; k < pairs.size(); ++k) column(pairs[k].first, pairs[k].second) = static_cast<int>(k);
  const auto value = [&](Index i, Index a, Index b) {
    const int k = column(a, b);
    const ClassPair& pair = pairs[static_cast<std::size_t>(k)];
    return pair.first == a && pair.second == b ? f(i, k) : -f(i, column(b, a));
  };
  Matrix s(f.rows(), L);
  for (Index i = 0; i < f.rows(); ++i) {
    Index low = 0;
    Index high = L - 1;
    for (Index step = 0; step < L - 1; ++step)
      s(i, value(i, low, high) > 0 ? high-- : low++) = static_cast<double>(step);
    s(i, low) = static_cast<double>(L - 1);
  }
  return s;
}

/// One step after the other, each a few nodes: which of the classes `low` and `high` of a row is dropped, and the score
/// it gets for it.
std::string dag_graph(OnnxGraph& graph, const Decoder& decoder, const std::string& f) {
  const Matrix& code = decoder.code;
  const Index L = code.rows();
  const auto pairs = class_pairs(code);
  std::vector<std::int64_t> column(static_cast<std::size_t>(L * L), 0);
  Vector sign = Vector::Zero(L * L);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const Index there = pairs[k].first * L + pairs[k].second;
    const Index back = pairs[k].second * L + pairs[k].first;
    column[static_cast<std::size_t>(there)] = column[static_cast<std::size_t>(back)] = static_cast<std::int64_t>(k);
    sign[there] = 1;
    sign[back] = -1;
  }
  // Value of a against b in column a L + b.
  const std::string picked =
      graph.node("Gather", {f, graph.integers("dag.columns", column, {L * L})}, {{"axis", std::int64_t{1}}});
  const std::string values = graph.node("Mul", {picked, graph.row("dag.signs", sign)});
  const std::string none = graph.scalar("dag.none", 0);
  const std::string one = graph.integers("dag.one", {1}, {1});
  const std::string count = graph.integers("dag.classes", {L}, {1});
  std::vector<std::int64_t> numbers;
  for (Index c = 0; c < L; ++c) numbers.push_back(c);
  const std::string classes = graph.integers("dag.numbers", numbers, {1, L});
  // A column of class numbers with as many rows as f has.
  const std::string ones = graph.node("Shape", {f}, {{"start", std::int64_t{0}}, {"end", std::int64_t{1}}});
  const std::string shape = graph.node("Concat", {ones, one}, {{"axis", std::int64_t{0}}});
  std::string low = graph.node("Expand", {graph.integers("dag.lowest", {0}, {1}), shape});
  std::string high = graph.node("Expand", {graph.integers("dag.highest", {L - 1}, {1}), shape});
  std::string scores;
  const auto give = [&](const std::string& who, Index step) {
    const std::string score = graph.scalar(fmt::format("dag.step_{}", step), static_cast<double>(step));
    const std::string given = graph.node("Where", {graph.node("Equal", {classes, who}), score, none});
    scores = scores.empty() ? given : graph.node("Add", {scores, given});
  };
  for (Index step = 0; step < L - 1; ++step) {
    const std::string place = graph.node("Add", {graph.node("Mul", {low, count}), high});
    const std::string value = graph.node("GatherElements", {values, place}, {{"axis", std::int64_t{1}}});
    const std::string wins = graph.node("Greater", {value, none});
    give(graph.node("Where", {wins, high, low}), step);
    const std::string next = graph.node("Where", {wins, low, graph.node("Add", {low, one})});
    high = graph.node("Where", {wins, graph.node("Sub", {high, one}), high});
    low = next;
  }
  give(low, L - 1);
  return scores;
}

void write_dag(CppSource& source, const Decoder& decoder, const std::string& f) {
  const Index L = decoder.code.rows();
  const auto pairs = class_pairs(decoder.code);
  // Entry a L + b: the column of a against b, counted from 1 and negative where it is b against a.
  std::vector<int> column(static_cast<std::size_t>(L * L), 0);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const int number = static_cast<int>(k) + 1;
    column[static_cast<std::size_t>(pairs[k].first * L + pairs[k].second)] = number;
    column[static_cast<std::size_t>(pairs[k].second * L + pairs[k].first)] = -number;
  }
  source.integers("pair_column", column);
  source.body(
      fmt::format("  int low = 0;\n  int high = class_count - 1;\n"
                  "  for (int step = 0; step < class_count - 1; ++step) {{\n"
                  "    const int k = numbers::pair_column[low * class_count + high];\n"
                  "    const double value = k > 0 ? {0}[k - 1] : -{0}[-k - 1];\n"
                  "    out[value > 0 ? high-- : low++] = step;\n  }}\n  out[low] = class_count - 1;\n",
                  f));
}

}  // namespace

extern constinit const DecoderEntry kDag{.name = "dag",
                                         .rule = "pairs drop one class after the other",
                                         .of_pairs = true,
                                         .scores = dag_scores,
                                         .onnx = dag_graph,
                                         .cpp = write_dag};

}  // namespace manyone
