// SPDX-License-Identifier: Apache-2.0
//
// The vector-output machines with centres: m unknowns whatever the number of classes and of rows,
//     f(x) = sum_j beta_j k(z_j, x) y_j        over centres z_j with codewords y_j,
// found from the sums G of k~k~' and the totals t_c of k~ over each class (Gamma: inner products of codewords):
//     vo-rls-beta  min sum_i |y_i - f(x_i)|^2 + ridge |beta|^2:  (Gamma_zz o G + ridge I) beta = d
//     vo-rls-f     the same with ridge |f|^2:                    (Gamma_zz o G + ridge Gamma_zz o K_mm) beta = d
//                  d_j = sum_c Gamma(c, y_j) t_c(j)
//     vo-lssvm     min sum_i (1 - y_i'(f(x_i) + b))^2 + ridge |f|^2: one regression of 1 on the columns
//                  k(z_j, x_i) Gamma(y_i, y_j), so its sums are of these (KernelColumns::weigh_by).
#pragma once

#include "machine/reduced_machine.hpp"

namespace manyone {

enum class ReducedVoKind { rls_beta, rls_f, lssvm };

/// Outputs are sums over the centres of each class; scores are outputs times Gamma.
class ReducedVo final : public ReducedMachine {
 public:
  /// Precondition: the centres have labels, and for lssvm columns are weighed by Gamma. A bias goes with lssvm alone.
  ReducedVo(const Execution& execution, ReducedVoKind kind, LabelSpace labels, bool bias, const KernelColumns& columns);

  GroupedSums seen(const GroupedSums& sums) const override;
  bool fit(const GroupedSums& seen, double ridge, ReducedFit& out) const override;

 private:
  const Execution& execution_;
  ReducedVoKind kind_;
  LabelSpace labels_;
  bool bias_;
  LabelledRows centres_;
  Matrix of_class_;  // L x m: Gamma(c, y_j)
  Matrix T_;         // m x r: with the penalty |f|^2, columns T'x in which it is that on the coefficients
};

}  // namespace manyone
