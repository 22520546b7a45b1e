// SPDX-License-Identifier: Apache-2.0
//
// A single binary SVM for all classes (El-Yaniv, Pechyony, Yom-Tov 2008; SPEC section 8): every row appears once for
// each codeword M_r, with the target +1 if r is its class and -1 otherwise, and the kernel of two copies is
// K(x_i, x_j) K_M(r, s). That kernel is never formed. sbc-single has M_r = r, sbc-identity unit vectors; in sbc-ecoc
// the copies are the columns s of a code, with the target M(y_i, s), and the outputs of the columns are decoded. All
// share one bias. The dual variables are bounded by cost / (copies n). sbc-kernel learns
// K_M as a sum of kernels, one for each class that sets it apart from the others, with weights mu found together with
// the machine: algorithm 2 as published (unit steps along the gradient, scaled back to sum(mu) <= sqrt(n)), which ends
// where gradients are proportional to mu; or the best machine over all mu >= 0 with that sum, where they are equal.
#pragma once

#include "machine/machine.hpp"
#include "solve/box_qp.hpp"

namespace manyone {

enum class SbcKind { single, identity, ecoc, kernel };

class SbcSvm final : public Machine {
 public:
  /// ecoc: the book of `labels` is the code.
  SbcSvm(LabelSpace labels, SbcKind kind, double tolerance = 1e-3, LabelLearning learning = LabelLearning::published)
      : Machine(std::move(labels)), kind_(kind), learning_(learning), options_{tolerance, 0} {}

  /// cost = 1 / ridge.
  Coefficients fit(const Execution& execution, const Gram& gram, const LabelledRows& rows, double ridge) const override;
  std::vector<HeldOut> heldout(const Execution& execution, const Kernel& kernel, View K, const LabelledRows& rows,
                               std::span<const Folds> partitions, std::span<const double> ridges,
                               Workspace& workspace) const override;
  OutputCode output_code() const override;
  double ridge_unit(Index rows) const override { return 1 / static_cast<double>(copies() * rows); }
  bool shares_kernel() const override { return true; }
  double heldout_bytes(const LabelledRows& rows) const override { return 2 * square_bytes(rows.rows()); }

 private:
  Coefficients solve(const Interrupt& interrupt, const Kernel& kernel, ConstView K, const LabelledRows& rows,
                     double ridge, const BoxQpOptions& options, BoxQpSummary& summary) const;
  /// Copies of a row.
  Index copies() const;
  /// K_M, but for sbc-kernel.
  Matrix label_gram(const Kernel& kernel) const;
  /// Dual variables for a given K_M, as an n x copies matrix; `W` is the start.
  BoxQpSummary solve_with(const Interrupt& interrupt, ConstView K, ConstView K_M, const BoxQp& problem,
                          const BoxQpOptions& options, Matrix& W) const;

  SbcKind kind_;
  LabelLearning learning_;
  BoxQpOptions options_;
};

extern const MachineEntry kSbcSingle;
extern const MachineEntry kSbcIdentity;
extern const MachineEntry kSbcKernel;
extern const MachineEntry kSbcEcoc;

}  // namespace manyone
