// SPDX-License-Identifier: Apache-2.0
//
// vo-LSSVM (Honeine, Noumir, Richard 2013, section 4; SPEC 4.2-4.3): n unknowns whatever the number of classes,
//     min 1/2 |W|^2 + cost/2 sum_i w_i xi_i^2   with   y_i' f(x_i) = 1 - xi_i,
// which is (H + ridge Omega^{-1}) beta = 1 with H = Gamma_yy o K and ridge = 1/cost. Indicator books: L systems of n/L
// rows, n^3/(3 L^2) flops. With a bias the class sums of beta are balanced, Y beta = 0, which is well posed for centred
// books only. Held-out outputs follow from one inverse (SPEC section 10).
#pragma once

#include "machine/class_blocks.hpp"

namespace manyone {

class VoLssvm final : public Machine {
 public:
  VoLssvm(LabelSpace labels, bool bias) : Machine(std::move(labels)), bias_(bias) {}

  Coefficients fit(const Execution& execution, const Gram& gram, const LabelledRows& rows, double ridge) const override;
  std::vector<HeldOut> heldout(const Execution& execution, const Kernel& kernel, View K, const LabelledRows& rows,
                               std::span<const Folds> partitions, std::span<const double> ridges,
                               Workspace& workspace) const override;
  OutputCode output_code() const override { return {OutputMeaning::scores, labels().gamma}; }
  double fit_bytes(const LabelledRows& rows) const override { return ClassBlocks(labels().gamma, rows).bytes(); }
  double heldout_bytes(const LabelledRows& rows) const override { return fit_bytes(rows); }

 private:
  bool bias_;
};

extern const MachineEntry kVoLssvm;

}  // namespace manyone
