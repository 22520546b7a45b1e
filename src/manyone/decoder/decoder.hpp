// SPDX-License-Identifier: Apache-2.0
//
// From outputs to scores, classes and probabilities. A Decoder turns the outputs of a machine into one score per class
// (SPEC sections 4.4, 6 and 15). Scores are one per class, larger = more likely; the class is the argmax
// with ties to the smallest index. Probabilities are a softmax with one temperature, monotone in the scores: the most
// probable class is always the predicted one (SPEC section 15).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "manyone/machine/registry.hpp"

namespace manyone {

/// The score of a class that a fitted decoder has seen no row of.
constexpr double kNeverPredicted = -1e30;
inline bool never_predicted(double score) { return score < kNeverPredicted / 2; }

enum class DecodeKind {
  argmax,            ///< scores are outputs times code'
  hamming,           ///< minus the number of columns whose sign disagrees, half for a zero
  loss_square,       ///< minus sum_i (1 - M_ci f_i)^2
  loss_hinge,        ///< minus sum_i max(0, 1 - M_ci f_i)
  loss_linear,       ///< sum_i M_ci f_i
  loss_exponential,  ///< minus sum_i exp(-M_ci f_i)
  votes,             ///< pairs won, ties by the signed sum of pair values
  votes_first,       ///< pairs won, ties to the first class, as LIBSVM has it
  dag,               ///< one pair after the other drops a class; the score is the order in which classes are dropped
  flda,              ///< Fisher's discriminant, fitted to the outputs: log prior - 1/2 distance^2 to the class mean
  ssvm,              ///< a smooth SVM for each pair of classes, fitted to the outputs; votes
};

struct DecodeInfo {
  DecodeKind kind;
  std::string_view name;
  std::string_view rule;
};

/// All decoders, in the order they are shown to users; "loss" alone means loss:square.
std::span<const DecodeInfo> decoders();
std::string_view name_of(DecodeKind kind);
/// Throws ConfigError that lists the names and suggests the nearest.
DecodeKind decode_from_name(std::string_view name);

/// A pair column of a code: +1 for `first`, -1 for `second`, 0 elsewhere.
struct ClassPair {
  Index first = 0;
  Index second = 0;
};

/// The pair of each column; empty unless every column is a pair and every pair of classes is there once.
std::vector<ClassPair> class_pairs(const Matrix& code);

struct Decoder {
  DecodeKind kind = DecodeKind::argmax;
  OutputMeaning meaning = OutputMeaning::scores;
  Matrix code;  ///< L x q, or L x F for one-vs-all outputs that stand for the columns of a code; for fitted decoders
                ///< what the mapped outputs are compared with: class means (flda), pairs (ssvm)
  Matrix map = {};         ///< fitted decoders: outputs become f map + shift first
  Vector shift = {};       ///< the same
  Vector log_priors = {};  ///< flda

  /// Sizes agree with so many outputs, and a code of pairs is one.
  bool fits(Index outputs) const;
  /// Parts of it were found from training rows (decoder/discriminant).
  bool fitted() const { return is_fitted(kind); }
  static bool is_fitted(DecodeKind kind) { return kind == DecodeKind::flda || kind == DecodeKind::ssvm; }
  /// One score per class for every row of outputs.
  Matrix scores(Matrix outputs) const;
};

/// Nothing asked: argmax for scores, for columns of a code what is usual for the machine, and votes where these are
/// pairs of classes. Throws ConfigError when the decoder does not go with what the machine puts out.
Decoder make_decoder(const MachineEntry& machine, OutputCode outputs, std::optional<DecodeKind> asked);

/// Class of every row of `scores` (rows x L).
std::vector<int> argmax_classes(ConstView scores);

/// The same, and -1 for a row in which a score is not finite: its values are beyond what the model can compute with.
std::vector<int> finite_classes(ConstView scores);

/// p_c ∝ exp(s_c / T) for every row. T > 0.
Matrix softmax(ConstView scores, double temperature);

/// Mean negative log probability of the true classes, over the rows whose class their decoder may predict.
double log_loss(ConstView scores, std::span<const int> labels, double temperature);

/// The temperature that minimises the log loss of held-out scores (convex in 1/T; safeguarded Newton). Of scores
/// without an error every smaller temperature has less loss: as many rows are then taken to go to the runner-up as
/// Laplace's rule of succession says, one in n + 2. Rows of classes that their decoder never predicts are left out.
double calibrate_temperature(ConstView scores, std::span<const int> labels);

}  // namespace manyone
