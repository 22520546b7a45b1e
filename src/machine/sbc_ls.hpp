// SPDX-License-Identifier: Apache-2.0
//
// sbc-ls: the single-binary-classifier reduction of El-Yaniv, Pechyony and Yom-Tov 2008 with least squares (SPEC
// section 8). Each row is copied once per class r, labelled +1 when r is its class; the kernel of two copies is
// k(x, z) K_M(r, s). The system of nL rows, (K (x) K_M + ridge) vec(W) = vec(T), falls apart in the eigenvectors of the
// L x L matrix K_M: with K_M = sum_g m_g Pi_g (m_g the different eigenvalues, Pi_g their projectors) the coefficients
// are
//     A = W K_M = sum_g (K + ridge/m_g)^{-1} T Pi_g,
// one oneLSM for each m_g. A one-per-class book has two of them, so the price is two factorisations of n rows; no
// eigendecomposition of K is needed, and the closed form of oneLSM gives held-out outputs.
#pragma once

#include <vector>

#include "machine/machine.hpp"

namespace manyone {

/// An eigenvalue of K_M and an orthonormal basis of its eigenvectors.
struct LabelEigenspace {
  double value = 0;
  Matrix basis;  ///< L x multiplicity
};

/// The different eigenvalues above 0; what belongs to 0 adds nothing to the scores.
std::vector<LabelEigenspace> label_eigenspaces(const LabelSpace& labels, const Kernel& kernel);

class SbcLs final : public Machine {
 public:
  using Machine::Machine;

  Coefficients fit(const Execution& execution, const Gram& gram, const LabelledRows& rows, double ridge) const override;
  std::vector<HeldOut> heldout(const Execution& execution, const Kernel& kernel, View K, const LabelledRows& rows,
                               std::span<const Folds> partitions, std::span<const double> ridges,
                               Workspace& workspace) const override;
  /// The outputs are the class scores.
  OutputCode output_code() const override;
  double fit_bytes(const LabelledRows& rows) const override { return 2 * square_bytes(rows.rows()); }
};

extern const MachineEntry kSbcLs;

}  // namespace manyone
