// SPDX-License-Identifier: Apache-2.0
//
// A preconditioner for K + ridge W^{-1} from m columns of K: with B = K_nm L_m^{-T}, L_m L_m' = K_mm, the matrix
//     M = B B' + ridge W^{-1},   M^{-1} = W^{1/2} (I - C (ridge I + C'C)^{-1} C') W^{1/2} / ridge,   C = W^{1/2} B
// agrees with the system on the chosen rows. It is stored in single precision: a preconditioner need not be exact.
#pragma once

#include <span>
#include <vector>

#include "manyone/solve/ridge.hpp"

namespace manyone {

class NystromPreconditioner {
 public:
  /// `K`: lower triangle. `centres` may be empty: M = ridge W^{-1}. About 2 n m^2 flops.
  NystromPreconditioner(const Backend& backend, const Interrupt& interrupt, const RidgeProblem& problem, ConstView K,
                        std::span<const Index> centres);

  /// M^{-1} R for a few columns.
  Matrix apply(const Backend& backend, const Matrix& R) const;

 private:
  double ridge_;
  Vector scale_;                     // diagonal of W^{1/2}
  std::vector<FloatMatrix> panels_;  // of columns of C, n x m
  Matrix capacitance_;               // (ridge I + C'C)^{-1}
};

}  // namespace manyone
