// SPDX-License-Identifier: Apache-2.0
#include "manyone/model/onnx_decoder.hpp"

#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "manyone/base/errors.hpp"

namespace manyone {

namespace {

OnnxGraph::Attributes over_columns(bool keep) {
  return {{"axes", std::vector<std::int64_t>{1}}, {"keepdims", std::int64_t{keep}}};
}

/// A 0/1 matrix: where `code` is `entry`.
Matrix where(const Matrix& code, double entry) { return (code.array() == entry).cast<double>().matrix(); }

/// loss(z) of every entry; for a zero of the code see loss_of_zero().
std::string losses(OnnxGraph& graph, DecodeKind kind, const std::string& z, const std::string& one) {
  switch (kind) {
    case DecodeKind::hamming:
      return graph.node("Mul", {graph.node("Sub", {one, graph.node("Sign", {z})}), "loss.half"});
    case DecodeKind::loss_square: {
      const std::string gap = graph.node("Sub", {one, z});
      return graph.node("Mul", {gap, gap});
    }
    case DecodeKind::loss_hinge: return graph.node("Max", {graph.node("Sub", {one, z}), "loss.none"});
    case DecodeKind::loss_exponential: return graph.node("Exp", {graph.node("Neg", {z})});
    default: return graph.node("Neg", {z});
  }
}

double loss_of_zero(DecodeKind kind) {
  if (kind == DecodeKind::hamming) return 0.5;
  return kind == DecodeKind::loss_linear ? 0 : 1;
}

/// s_c = -sum_k loss(M_ck f_k). With entries -1, 0 and 1 these are loss(f) where M is 1, loss(-f) where it is -1, and a
/// constant for its zeros.
std::string loss_scores(OnnxGraph& graph, DecodeKind kind, const Matrix& code, const std::string& f) {
  const Matrix plus = where(code, 1);
  const Matrix minus = where(code, -1);
  if (((where(code, 0) + plus + minus).array() != 1).any()) {
    throw ConfigError(fmt::format("the decoder {} can be exported for codes of -1, 0 and 1 only", name_of(kind)));
  }
  const std::string one = graph.scalar("loss.one", 1);
  if (kind == DecodeKind::hamming) graph.scalar("loss.half", 0.5);
  if (kind == DecodeKind::loss_hinge) graph.scalar("loss.none", 0);
  const std::string agree = losses(graph, kind, f, one);
  const std::string differ = losses(graph, kind, graph.node("Neg", {f}), one);
  const std::string of_plus = graph.node("MatMul", {agree, graph.matrix("code.plus", plus.transpose())});
  const std::string of_minus = graph.node("MatMul", {differ, graph.matrix("code.minus", minus.transpose())});
  const Vector zeros = where(code, 0).rowwise().sum() * loss_of_zero(kind);
  const std::string sum = graph.node("Add", {graph.node("Add", {of_plus, of_minus}), graph.row("code.zeros", zeros)});
  return graph.node("Neg", {sum});
}

/// Votes, and with `break_ties` + 1/2 m_c / (1 + max |m|), m_c the sum of the signed values of the pairs of c.
std::string vote_scores(OnnxGraph& graph, const Matrix& code, const std::string& f, bool break_ties) {
  const std::string none = graph.scalar("votes.none", 0);
  const std::string one = graph.scalar("votes.one", 1);
  const std::string won = graph.node("Where", {graph.node("Greater", {f, none}), one, none});
  const std::string lost = graph.node("Sub", {one, won});
  std::string votes =
      graph.node("Add", {graph.node("MatMul", {won, graph.matrix("pairs.first", where(code, 1).transpose())}),
                         graph.node("MatMul", {lost, graph.matrix("pairs.second", where(code, -1).transpose())})});
  if (!break_ties) return votes;
  const std::string sums = graph.node("MatMul", {f, graph.matrix("pairs", code.transpose())});
  const std::string largest = graph.node("ReduceMax", {graph.node("Abs", {sums})}, over_columns(true));
  const std::string scale = graph.node("Mul", {graph.node("Add", {largest, one}), graph.scalar("votes.two", 2)});
  return graph.node("Add", {votes, graph.node("Div", {sums, scale})});
}

/// One step after the other, each a few nodes: which of the classes `low` and `high` of a row is dropped, and the score
/// it gets for it.
std::string dag_scores(OnnxGraph& graph, const Matrix& code, const std::string& f) {
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

/// s_c = log prior_c - |z - m_c|^2 / 2, from the differences themselves: they are few.
std::string nearness_scores(OnnxGraph& graph, const Decoder& decoder, const std::string& z) {
  const std::string middle = graph.integers("means.axis", {1}, {1});
  const std::string means = graph.matrix("means", decoder.code);
  const std::string difference = graph.node("Sub", {graph.node("Unsqueeze", {z, middle}), means});
  const std::string distances = graph.node("ReduceSumSquare", {difference},
                                           {{"axes", std::vector<std::int64_t>{2}}, {"keepdims", std::int64_t{0}}});
  const std::string half = graph.node("Mul", {distances, graph.scalar("means.half", 0.5)});
  return graph.node("Sub", {graph.row("log_priors", decoder.log_priors), half});
}

}  // namespace

std::string onnx_scores(OnnxGraph& graph, const Decoder& decoder, const std::string& outputs) {
  std::string f = outputs;
  if (decoder.meaning == OutputMeaning::classes) f = graph.node("MatMul", {f, graph.matrix("code", decoder.code)});
  if (decoder.fitted()) {
    const std::string mapped = graph.node("MatMul", {f, graph.matrix("decoder.map", decoder.map)});
    f = graph.node("Add", {mapped, graph.row("decoder.shift", decoder.shift)});
  }
  switch (decoder.kind) {
    case DecodeKind::argmax:
      if (decoder.code.isIdentity(0)) return f;
      return graph.node("MatMul", {f, graph.matrix("codewords", decoder.code.transpose())});
    case DecodeKind::flda: return nearness_scores(graph, decoder, f);
    case DecodeKind::ssvm:
    case DecodeKind::votes: return vote_scores(graph, decoder.code, f, true);
    case DecodeKind::votes_first: return vote_scores(graph, decoder.code, f, false);
    case DecodeKind::dag: return dag_scores(graph, decoder.code, f);
    default: return loss_scores(graph, decoder.kind, decoder.code, f);
  }
}

}  // namespace manyone
