// SPDX-License-Identifier: Apache-2.0
#include "manyone/model/cpp_decoder.hpp"

#include <string>
#include <vector>

#include <fmt/format.h>

namespace manyone {

namespace {

/// f becomes f times a matrix, plus a shift where there is one; the new vector has another name.
std::string mapped(CppSource& source, const std::string& f, const std::string& name, const Matrix& matrix,
                   const Vector& shift) {
  source.matrix(name + "_map", matrix);
  std::string start = "0";
  if (shift.size() > 0) {
    source.vector(name + "_shift", shift);
    start = fmt::format("numbers::{}_shift[k]", name);
  }
  source.body(
      fmt::format("  double {0}[{1}];\n  for (int k = 0; k < {1}; ++k) {{\n    {0}[k] = {2};\n"
                  "    for (int r = 0; r < {3}; ++r) {0}[k] += {4}[r] * numbers::{0}_map[r][k];\n  }}\n",
                  name, matrix.cols(), start, matrix.rows(), f));
  return name;
}

/// loss(z) as an expression.
std::string_view loss_text(DecodeKind kind) {
  switch (kind) {
    case DecodeKind::hamming: return "z > 0 ? 0 : z < 0 ? 1 : 0.5";
    case DecodeKind::loss_square: return "(1 - z) * (1 - z)";
    case DecodeKind::loss_hinge: return "z < 1 ? 1 - z : 0";
    case DecodeKind::loss_exponential: return "std::exp(-z)";
    default: return "-z";
  }
}

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

void write_votes(CppSource& source, const Matrix& code, const std::string& f, bool break_ties) {
  write_pairs(source, code);
  source.body("  for (int c = 0; c < class_count; ++c) out[c] = 0;\n");
  source.body(
      fmt::format("  for (int k = 0; k < {}; ++k) out[{}[k] > 0 ? numbers::first[k] : numbers::second[k]] += 1;\n",
                  code.cols(), f));
  if (!break_ties) return;
  // Ties go by the sum of the signed values, which never outweighs a vote.
  source.body(
      fmt::format("  double sums[class_count] = {{}};\n  for (int k = 0; k < {}; ++k) {{\n"
                  "    sums[numbers::first[k]] += {}[k];\n    sums[numbers::second[k]] -= {}[k];\n  }}\n"
                  "  double largest = 0;\n"
                  "  for (int c = 0; c < class_count; ++c) largest = std::fmax(largest, std::fabs(sums[c]));\n"
                  "  for (int c = 0; c < class_count; ++c) out[c] += sums[c] / (2 * (1 + largest));\n",
                  code.cols(), f, f));
}

void write_dag(CppSource& source, const Matrix& code, const std::string& f) {
  const Index L = code.rows();
  const auto pairs = class_pairs(code);
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

void write_cpp_decoder(CppSource& source, const Decoder& decoder) {
  std::string f = "f";
  if (decoder.meaning == OutputMeaning::classes) f = mapped(source, f, "column", decoder.code, {});
  if (decoder.fitted()) f = mapped(source, f, "mapped", decoder.map, decoder.shift);
  const Index width = decoder.code.cols();
  switch (decoder.kind) {
    case DecodeKind::ssvm:
    case DecodeKind::votes: return write_votes(source, decoder.code, f, true);
    case DecodeKind::votes_first: return write_votes(source, decoder.code, f, false);
    case DecodeKind::dag: return write_dag(source, decoder.code, f);
    case DecodeKind::argmax:
      if (!decoder.code.isIdentity(0)) break;
      return source.body(fmt::format("  for (int c = 0; c < class_count; ++c) out[c] = {}[c];\n", f));
    default: break;
  }
  source.matrix("code", decoder.code);
  std::string start = "0";
  std::string term = fmt::format("      out[c] += numbers::code[c][k] * {}[k];\n", f);
  if (decoder.kind == DecodeKind::flda) {
    source.vector("log_priors", decoder.log_priors);
    start = "numbers::log_priors[c]";
    term = fmt::format("      const double gap = {}[k] - numbers::code[c][k];\n      out[c] -= gap * gap / 2;\n", f);
  } else if (decoder.kind != DecodeKind::argmax) {
    term = fmt::format("      const double z = numbers::code[c][k] * {}[k];\n      out[c] -= {};\n", f,
                       loss_text(decoder.kind));
  }
  source.body(
      fmt::format("  for (int c = 0; c < class_count; ++c) {{\n    out[c] = {};\n"
                  "    for (int k = 0; k < {}; ++k) {{\n{}    }}\n  }}\n",
                  start, width, term));
}

}  // namespace manyone
