// SPDX-License-Identifier: Apache-2.0
//
// sbc-ls with centres: as in machine/sbc_ls one regression for each eigenvalue m_g of the kernel on labels, here from
// the same sums over rows:  A = sum_g A(ridge/m_g) S Pi_g  with A(ridge) the coefficients for indicators and S = 2I - 1
// the signs of the copies.
#pragma once

#include <vector>

#include "machine/msvr.hpp"
#include "machine/sbc_ls.hpp"

namespace manyone {

class ReducedSbc final : public ReducedMachine {
 public:
  ReducedSbc(const Execution& execution, PenaltyKind penalty, const LabelSpace& labels, const KernelColumns& columns,
             const GroupedSums& all);

  GroupedSums seen(const GroupedSums& sums) const override { return regression_.seen(sums); }
  bool fit(const GroupedSums& seen, double ridge, ReducedFit& out) const override;

 private:
  Msvr regression_;
  std::vector<LabelEigenspace> spaces_;
};

}  // namespace manyone
