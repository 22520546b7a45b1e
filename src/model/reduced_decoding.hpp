// SPDX-License-Identifier: Apache-2.0
//
// From a regression of the classes (machine/msvr) to outputs in a recipe's code and the decoder that goes with them.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "machine/msvr.hpp"
#include "model/recipe.hpp"

namespace manyone {

/// Outputs in the recipe's code and the decoder that goes with them.
class ReducedDecoding {
 public:
  ReducedDecoding(const Recipe& recipe, std::span<const Index> class_counts);

  /// Centres must be rows, whose classes are known.
  bool needs_classes_of_centres() const { return entry_.centres_have_labels || trains_columns(); }
  /// The machine trains a problem for each column of a code.
  bool trains_columns() const { return plain_ && plain_->meaning == OutputMeaning::columns; }
  /// The labels as machines see them whose decoder is not fitted.
  const LabelSpace& labels() const { return labels_; }
  /// The code whose columns are trained, if they are.
  std::optional<Matrix> trained_code() const { return trains_columns() ? std::optional(plain_->code) : std::nullopt; }
  /// Nothing but sums is needed, unless the decoder is fitted to rows.
  bool needs_rows() const { return rule().fit_to_rows != nullptr; }
  const DecoderEntry& rule() const;
  /// Outputs are those of the fit times this.
  Matrix code(const ReducedFit& fit) const;
  /// `seen`: the sums the fit was made from. `outputs`: indicator outputs of training rows, where rows are needed.
  Decoder decoder(const Backend& backend, const ReducedFit& fit, const Matrix& code, const GroupedSums& seen,
                  const Matrix& outputs = {}, std::span<const int> labels = {}, const Vector& weights = {}) const;

 private:
  Index classes() const { return static_cast<Index>(counts_.size()); }
  Vector priors(const GroupedSums& seen) const;

  Recipe recipe_;
  const MachineEntry& entry_;
  std::vector<Index> counts_;
  std::optional<Decoder> plain_;  // one that is not fitted
  LabelSpace labels_;             // the same
  Matrix targets_;                // what a regression on indicators is multiplied by
};

}  // namespace manyone
