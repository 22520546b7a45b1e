// SPDX-License-Identifier: Apache-2.0
//
// Coding and regression (Chen, Lee, Lee, Lee, Huang 2009; SPEC section 9): one regularised regression of the classes on
// m columns K~ - kernel values at centres, or the features themselves -
//     min  sum_i w_i |y_i - W'k~_i - b|^2 + ridge |W|^2          (penalty identity, the paper's)
//                                         + ridge tr W'K_mm W    (penalty rkhs: Nystrom kernel ridge regression)
// It is solved once for indicators; the coefficients of every code Theta follow by multiplication (Lemma 1, Theorem 4).
// All it needs of the rows are sums (solve/grouped_sums), so their number does not matter: m^3/3 flops for a ridge.
// oneLSM with centres is the same without b.
#pragma once

#include <optional>
#include <string_view>

#include "machine/reduced_machine.hpp"

namespace manyone {

enum class PenaltyKind { identity, rkhs };
std::string_view name_of(PenaltyKind kind);
/// Throws ConfigError that lists the names.
PenaltyKind penalty_from_name(std::string_view name);

struct RegressionChoice {
  PenaltyKind penalty = PenaltyKind::identity;
  bool bias = true;
  std::optional<Index> components = {};  ///< of kernel PCA
};

/// Its outputs are those for indicators.
class Msvr final : public ReducedMachine {
 public:
  /// `all`: sums of K~ - shift over all rows, complete. Without bias the shift must be 0.
  Msvr(const Execution& execution, const RegressionChoice& choice, const KernelColumns& columns, const GroupedSums& all,
       Vector shift);

  GroupedSums seen(const GroupedSums& sums) const override;
  bool fit(const GroupedSums& seen, double ridge, ReducedFit& out) const override;

 private:
  const Execution& execution_;
  RegressionChoice choice_;
  Vector shift_;
  Vector centre_;  // of principal components, in terms of K~ - shift
  Matrix T_;       // m x r: what the penalty sees is T'(K~ - shift - centre); empty: K~ itself
};

extern const MachineEntry kMsvr;

}  // namespace manyone
