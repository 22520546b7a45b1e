// SPDX-License-Identifier: Apache-2.0
#include "decoder/decoder.hpp"

#include <array>
#include <limits>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/cpp_source.hpp"
#include "base/names.hpp"
#include "base/numbers.hpp"
#include "base/onnx_graph.hpp"
#include "base/worded.hpp"
#include "decoder/class_pairs.hpp"
#include "manyone/errors.hpp"

namespace manyone {

// A new decoder: its file, and its name here.
extern const DecoderEntry kHamming, kLossSquare, kLossHinge, kLossLinear, kLossExponential, kDag, kDiscriminant,
    kSmoothSvm;

std::span<const DecoderEntry* const> decoders() {
  static constexpr std::array all = {&kArgmax,     &kHamming,         &kLossSquare, &kLossHinge,
                                     &kLossLinear, &kLossExponential, &kVotes,      &kVotesFirst,
                                     &kDag,        &kDiscriminant,    &kSmoothSvm};
  return all;
}

const DecoderEntry& decoder_from_name(std::string_view name) {
  for (const DecoderEntry* entry : decoders()) {
    if (!entry->short_name.empty() && name == entry->short_name) return *entry;
  }
  return *named(decoders(), name, "decoder", "decode");
}

std::string decoders_with(bool (*has)(const DecoderEntry&), std::string_view between) {
  std::vector<std::string_view> names;
  for (const DecoderEntry* entry : decoders()) {
    if (has(*entry)) names.push_back(entry->name);
  }
  return fmt::format("{}", fmt::join(names, between));
}

DecoderChoice decoder_choice(std::string_view text) {
  for (const DecoderEntry* entry : decoders()) {
    if (!entry->cost || !text.starts_with(entry->name) || !text.substr(entry->name.size()).starts_with(':')) continue;
    const auto cost = parse_double(text.substr(entry->name.size() + 1));
    if (!cost) {
      throw ConfigError("decode", worded("`decode={}:COST` needs a number above 0, found '{}'", entry->name, text),
                        "leave the cost out to have 1");
    }
    return {entry, cost};
  }
  return {&decoder_from_name(text), {}};
}

Matrix Decoder::scores(Matrix outputs) const {
  if (meaning == OutputMeaning::classes) outputs = outputs * code;
  if (fitted()) outputs = ((outputs * map).rowwise() + shift.transpose()).eval();
  std::vector<Index> lost;  // rows that rules of signs and order would give a class all the same
  for (Index i = 0; i < outputs.rows(); ++i) {
    if (!outputs.row(i).allFinite()) lost.push_back(i);
  }
  Matrix scores = entry->scores(*this, std::move(outputs));
  for (const Index i : lost) scores.row(i).setConstant(std::numeric_limits<double>::quiet_NaN());
  return scores;
}

std::string Decoder::onnx(OnnxGraph& graph, std::string f) const {
  if (meaning == OutputMeaning::classes) f = graph.node("MatMul", {f, graph.matrix("code", code)});
  if (fitted()) {
    const std::string mapped = graph.node("MatMul", {f, graph.matrix("decoder.map", map)});
    f = graph.node("Add", {mapped, graph.row("decoder.shift", shift)});
  }
  return entry->onnx(graph, *this, f);
}

void Decoder::write_cpp(CppSource& source) const {
  std::string f = "f";
  if (meaning == OutputMeaning::classes) f = source.mapped(f, "column", code, {});
  if (fitted()) f = source.mapped(f, "mapped", map, shift);
  entry->cpp(source, *this, f);
}

bool Decoder::fits(Index outputs) const {
  if (!fitted()) return outputs == (meaning == OutputMeaning::classes ? code.rows() : code.cols());
  const bool mapped = meaning == OutputMeaning::scores && map.rows() == outputs && map.cols() == code.cols() &&
                      shift.size() == code.cols() && map.allFinite() && shift.allFinite();
  if (entry->of_pairs && class_pairs(code).empty()) return false;
  return mapped && (!entry->priors || (log_priors.size() == code.rows() && log_priors.allFinite()));
}

Matrix places_of(const Matrix& code, double entry) { return (code.array() == entry).cast<double>().matrix(); }

Decoder make_decoder(const MachineEntry& machine, OutputCode outputs, const DecoderEntry* asked) {
  const bool scores = outputs.meaning == OutputMeaning::scores;
  const bool pairs = !class_pairs(outputs.code).empty() && outputs.meaning == OutputMeaning::columns;
  const auto usual = [&]() -> const DecoderEntry& {
    if (scores) return kArgmax;
    const DecoderEntry& of_columns = decoder_from_name(machine.usual_decoder);
    return pairs && !of_columns.of_pairs ? kVotes : of_columns;
  };
  const DecoderEntry& entry = asked != nullptr ? *asked : usual();
  if (entry.fitted()) {
    throw ConfigError("decode", worded("`decode={}` is fitted to the outputs of a regression", entry.name),
                      worded("it goes with `machine={}`", machines_with(&MachineEntry::fitted_decoder)));
  }
  if (entry.of_pairs && !pairs) {
    throw ConfigError("decode", worded("`decode={}` needs one output for each pair of classes", entry.name),
                      fmt::format("it goes with ls-ovo and svm-ovo, not with {}", machine.name));
  }
  const bool coded = (outputs.code.array().abs() == 1).all();
  if (scores && !entry.of_scores && !(coded && machine.decodes_books)) {
    throw ConfigError(
        "decode",
        worded("`decode={}` compares outputs with a code of -1 and 1, which {} with this labelbook does not have",
               entry.name, machine.name),
        "use `decode=argmax`, or `machine=ls-ecoc` with a code such as dense");
  }
  if (!scores && entry.of_scores) {
    throw ConfigError(
        "decode", fmt::format("{} has one output per column of its code, not per class", machine.name),
        pairs ? Words("use `decode=votes`, dag, hamming or loss") : Words("use `decode=hamming` or loss"));
  }
  return {&entry, outputs.meaning, std::move(outputs.code)};
}

}  // namespace manyone
