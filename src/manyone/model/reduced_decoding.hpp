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

  /// Nothing but sums is needed, unless the decoder is ssvm.
  bool needs_rows() const { return recipe_.machine == "msvr" && kind() == DecodeKind::ssvm; }
  DecodeKind kind() const;
  /// L x q: outputs are indicator outputs times this.
  Matrix code(const MsvrFit& fit) const;
  /// `seen`: the sums the fit was made from. `outputs`: indicator outputs of training rows, where rows are needed.
  Decoder decoder(const Backend& backend, const MsvrFit& fit, const Matrix& code, const GroupedSums& seen,
                  const Matrix& outputs = {}, std::span<const int> labels = {}, const Vector& weights = {}) const;

 private:
  Index classes() const { return static_cast<Index>(counts_.size()); }
  Vector priors(const GroupedSums& seen) const;

  Recipe recipe_;
  std::vector<Index> counts_;
  std::optional<Decoder> plain_;  // of machines other than msvr
  Matrix targets_;                // the same: what they regress on, for each class
  Matrix given_priors_;
};

}  // namespace manyone
