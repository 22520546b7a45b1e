// SPDX-License-Identifier: Apache-2.0
//
// From outputs to scores. A Decoder turns the outputs of a machine into one score per class (SPEC sections 4.4, 6 and
// 15), and an entry in a registry says everything about its kind: what it reads, what it computes, and the same as a
// piece of an ONNX graph and of a C++ header. Help, refusals and exports read the entry; nobody else knows a decoder by
// name. docs/adding-a-decoder.md adds one.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "decoder/probabilities.hpp"
#include "machine/registry.hpp"

namespace manyone {

class CppSource;
class OnnxGraph;
struct Decoder;

/// Means of the outputs of each class and the sum of squares around them.
struct ClassSpread {
  Matrix means;    ///< L x q
  Matrix within;   ///< q x q: sum of w (f - m_y)(f - m_y)'
  Vector weights;  ///< L: sum of w; classes with none are never predicted
};

/// Outputs of training rows, and what they were made from: they are W'x + origin of columns x.
struct OutputRows {
  Matrix outputs;
  std::span<const int> labels;
  Index classes = 0;
  Vector weights;  ///< empty: all 1
  Matrix W;
  Vector origin;
  double cost = 1;
};

/// How LIBSVM's votes relate to those of a decoder.
enum class LibsvmVotes { none, other_ties, same };

/// Everything that is known of a decoder; it stands in a file of its own.
struct DecoderEntry {
  std::string_view name;
  std::string_view rule;
  std::string_view short_name = {};  ///< what users may say instead

  // What it reads.
  bool of_scores = false;  ///< outputs that are scores of the classes, or inner products with codewords
  bool of_pairs = false;   ///< a column for each pair of classes

  // What it is told.
  bool cost = false;    ///< a number behind its name: NAME:COST
  bool priors = false;  ///< priors of the classes

  LibsvmVotes libsvm = LibsvmVotes::none;

  // One of these of a decoder that is fitted to the outputs of a regression on indicators, none of others.
  Decoder (*fit_to_spread)(const ClassSpread& spread, const Vector& priors) = nullptr;
  Decoder (*fit_to_rows)(const OutputRows& rows) = nullptr;

  // Outputs `f` (rows x q), mapped where the decoder is fitted, to scores (rows x L): now, as nodes of a graph, and for
  // one row from `double f[]` to `double* out`. Throws ConfigError for a code its formulas are not made for.
  Matrix (*scores)(const Decoder& decoder, Matrix f) = nullptr;
  std::string (*onnx)(OnnxGraph& graph, const Decoder& decoder, const std::string& f) = nullptr;
  void (*cpp)(CppSource& source, const Decoder& decoder, const std::string& f) = nullptr;

  bool fitted() const { return fit_to_spread != nullptr || fit_to_rows != nullptr; }
};

// Those that code asks for by themselves: where outputs are scores, and for pairs of classes in our way and LIBSVM's.
extern const DecoderEntry kArgmax;
extern const DecoderEntry kVotes;
extern const DecoderEntry kVotesFirst;

/// All decoders, in the order they are shown to users.
std::span<const DecoderEntry* const> decoders();
/// Throws ConfigError that lists the names and suggests the nearest.
const DecoderEntry& decoder_from_name(std::string_view name);
/// "a, b, c": decoders for which `has` holds, for messages.
std::string decoders_with(bool (*has)(const DecoderEntry&), std::string_view between = ", ");

/// What a user asks for: NAME, or NAME:COST of one that takes a cost.
struct DecoderChoice {
  const DecoderEntry* entry = nullptr;
  std::optional<double> cost;
};
DecoderChoice decoder_choice(std::string_view text);

struct Decoder {
  const DecoderEntry* entry = &kArgmax;
  OutputMeaning meaning = OutputMeaning::scores;
  Matrix code;  ///< L x q, or L x F for one-vs-all outputs that stand for the columns of a code; for fitted decoders
                ///< what the mapped outputs are compared with: class means (flda), pairs (ssvm)
  Matrix map = {};         ///< fitted decoders: outputs become f map + shift first
  Vector shift = {};       ///< the same
  Vector log_priors = {};  ///< of those that have priors

  /// Sizes agree with so many outputs, and a code of pairs is one.
  bool fits(Index outputs) const;
  /// Parts of it were found from training rows.
  bool fitted() const { return entry->fitted(); }
  /// One score per class for every row of outputs; none of them is a number where an output is not finite.
  Matrix scores(Matrix outputs) const;
  /// scores() as nodes of a graph: the name of a value rows x L.
  std::string onnx(OnnxGraph& graph, std::string outputs) const;
  /// scores() of one row as C++, from `double f[]` to `double* out`.
  void write_cpp(CppSource& source) const;
};

/// Where `code` is `entry`: 1, elsewhere 0.
Matrix places_of(const Matrix& code, double entry);

/// Nothing asked: argmax for scores, for columns of a code what is usual for the machine, and votes where these are
/// pairs of classes. Throws ConfigError when the decoder does not go with what the machine puts out.
Decoder make_decoder(const MachineEntry& machine, OutputCode outputs, const DecoderEntry* asked);

}  // namespace manyone
