// SPDX-License-Identifier: Apache-2.0
//
// vo-RLS (Honeine, Noumir, Richard 2013, section 4; SPEC 4.2): n unknowns whatever the number of classes,
//     min sum_i w_i |f(x_i) - y_i|^2 + ridge |beta|^2          vo-RLS(beta)
//     min sum_i w_i |f(x_i) - y_i|^2 + ridge |f|^2             vo-RLS(f)
// with f = sum_j beta_j y_j k(x_j, .). The first solves (G + ridge I) beta = d with G = Gamma_yy o (K W K) and
// d = (Gamma_yy o K) w. The second is singular whenever H = Gamma_yy o K is; its function is unique, and the
// coefficients returned are the shortest. It is solved in the coordinates of H = V diag(l) V', beta = V l^{-1/2} c,
// where the matrix is S + ridge I with S = sum_k Phi_k' W Phi_k: no squared condition number, no jitter. Leaving rows
// out changes G everywhere, so held-out outputs are refits by fold, with what the ridges share done once.
#pragma once

#include "machine/class_blocks.hpp"

namespace manyone {

enum class VoRlsPenalty { coefficients, function };

class VoRls final : public Machine {
 public:
  VoRls(LabelSpace labels, VoRlsPenalty penalty) : Machine(std::move(labels)), penalty_(penalty) {}

  Coefficients fit(const Execution& execution, const Gram& gram, const LabelledRows& rows, double ridge) const override;
  std::vector<HeldOut> heldout(const Execution& execution, const Kernel& kernel, View K, const LabelledRows& rows,
                               std::span<const Folds> partitions, std::span<const double> ridges,
                               Workspace& workspace) const override;
  OutputCode output_code() const override { return {OutputMeaning::scores, labels().gamma}; }
  bool shares_kernel() const override { return true; }
  double fit_bytes(const LabelledRows& rows) const override;
  double heldout_bytes(const LabelledRows& rows) const override;

 private:
  /// beta for every ridge; an empty vector where the system is not positive definite.
  std::vector<Vector> solve(const Execution& execution, const Gram& gram, const LabelledRows& rows,
                            std::span<const double> ridges) const;

  VoRlsPenalty penalty_;
};

extern const MachineEntry kVoRlsBeta;
extern const MachineEntry kVoRlsF;

}  // namespace manyone
