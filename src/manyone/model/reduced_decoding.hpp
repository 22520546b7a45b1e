// SPDX-License-Identifier: Apache-2.0
//
// From a regression of the classes (machine/msvr) to outputs in a recipe's code and the decoder that goes with them.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "manyone/machine/msvr.hpp"
#include "manyone/model/recipe.hpp"

namespace manyone {

/// Outputs in the recipe's code and the decoder that goes with them.
class ReducedDecoding {
 public:
  ReducedDecoding(const Recipe& recipe, std::span<const Index> class_counts);

  /// Centres must be rows, whose classes are known.
  bool needs_classes_of_centres() const { return vector_output_ || trains_columns(); }
  /// The machine trains a problem for each column of a code.
  bool trains_columns() const { return plain_ && plain_->meaning == OutputMeaning::columns; }
  /// Of machines other than msvr: the labels as they see them, and the code of their outputs.
  const LabelSpace& labels() const { return labels_; }
  const Matrix& output_code() const { return plain_->code; }
  /// Nothing but sums is needed, unless the decoder is ssvm.
  bool needs_rows() const { return recipe_.machine == "msvr" && kind() == DecodeKind::ssvm; }
  DecodeKind kind() const;
  /// Outputs are those of the fit times this.
  Matrix code(const ReducedFit& fit) const;
  /// `seen`: the sums the fit was made from. `outputs`: indicator outputs of training rows, where rows are needed.
  Decoder decoder(const Backend& backend, const ReducedFit& fit, const Matrix& code, const GroupedSums& seen,
                  const Matrix& outputs = {}, std::span<const int> labels = {}, const Vector& weights = {}) const;

 private:
  Index classes() const { return static_cast<Index>(counts_.size()); }
  Vector priors(const GroupedSums& seen) const;

  Recipe recipe_;
  std::vector<Index> counts_;
  std::optional<Decoder> plain_;  // of machines other than msvr
  LabelSpace labels_;             // the same
  bool vector_output_ = false;    // one of the vector-output machines
  Matrix targets_;                // what a regression on indicators is multiplied by
  Matrix given_priors_;
};

}  // namespace manyone
