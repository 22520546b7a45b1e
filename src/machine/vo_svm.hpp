// SPDX-License-Identifier: Apache-2.0
//
// vo-SVM (Honeine, Noumir, Richard 2013, section 4; SPEC 4.2): n unknowns whatever the number of classes,
//     min 1/2 |W|^2 + cost sum_i w_i xi_i   with   y_i' f(x_i) >= 1 - xi_i,
// whose dual is max 1'beta - 1/2 beta'H beta, 0 <= beta_i <= cost w_i, with H = Gamma_yy o K. Indicator books: L
// problems of n/L variables. With a bias
// (Szedmak and others) Y beta = 0 is added, which is well posed for centred books only; b is found by the method of
// multipliers, whose penalty rho |Y beta|^2 / 2 is the same as adding rho to every kernel value.
#pragma once

#include "machine/class_blocks.hpp"
#include "solve/box_qp.hpp"

namespace manyone {

class VoSvm final : public Machine {
 public:
  VoSvm(LabelSpace labels, bool bias, double tolerance = 1e-3)
      : Machine(std::move(labels)), bias_(bias), options_{tolerance, 0} {}

  /// cost = 1 / ridge.
  Coefficients fit(const Execution& execution, const Gram& gram, const LabelledRows& rows, double ridge) const override;
  std::vector<HeldOut> heldout(const Execution& execution, const Kernel& kernel, View K, const LabelledRows& rows,
                               std::span<const Folds> partitions, std::span<const double> ridges,
                               Workspace& workspace) const override;
  OutputCode output_code() const override { return {OutputMeaning::scores, labels().gamma}; }
  bool shares_kernel() const override { return true; }
  double fit_bytes(const LabelledRows& rows) const override { return ClassBlocks(labels().gamma, rows).bytes(); }
  double heldout_bytes(const LabelledRows& rows) const override { return fit_bytes(rows); }

 private:
  /// The dual for a full matrix K o Gamma (with a bias: (K + rho) o Gamma) of some rows with codewords Yt (n x q), from
  /// the start beta and b.
  BoxQpSummary solve(const Interrupt& interrupt, ConstView H, const Matrix& Yt, double rho, Vector upper,
                     const BoxQpOptions& options, Vector& beta, Vector& b) const;

  bool bias_;
  BoxQpOptions options_;
};

extern const MachineEntry kVoSvm;

}  // namespace manyone
