// SPDX-License-Identifier: Apache-2.0
//
// A preconditioner for K + ridge W^{-1} from m columns of K and from groups of rows that belong together: with
// B = K_nm L_m^{-T}, L_m L_m' = K_mm, what m columns leave of K is kept inside the groups,
//     M = B B' + [K - B B']_groups + ridge W^{-1}.
// With C = W^{1/2} B, the factor L of the groups' blocks, L L' = W^{1/2} [K - B B']_groups W^{1/2} + ridge I, and
// F = L^{-1} C,
//     M^{-1} = W^{1/2} L^{-T} (I - F (I + F'F)^{-1} F') L^{-1} W^{1/2}.
// It is stored in single precision: a preconditioner need not be exact.
#pragma once

#include <span>
#include <vector>

#include "solve/ridge.hpp"

namespace manyone {

class NystromPreconditioner {
 public:
  /// `K`: lower triangle. `centres` may be empty: M = ridge W^{-1}. `groups`: the group of each row, from 0 on, or none
  /// at all: then there are no blocks. Large groups are divided. About 2 n m^2 flops, and 2 n m for each row of a
  /// group.
  NystromPreconditioner(const Backend& backend, const Interrupt& interrupt, const RidgeProblem& problem, ConstView K,
                        std::span<const Index> centres, std::span<const int> groups = {});

  /// M^{-1} R for a few columns.
  Matrix apply(const Backend& backend, const Matrix& R) const;

 private:
  /// Rows order_[first ..] and L^{-1} of their block; without a matrix L = sqrt(ridge) I.
  struct Group {
    Index first = 0;
    Index rows = 0;
    FloatMatrix inverse;
  };

  void arrange(std::span<const int> groups, Index n);
  void find_columns(const Backend& backend, const Interrupt& interrupt, ConstView K, std::span<const Index> centres,
                    const Matrix& L);
  void find_block(const Backend& backend, const Interrupt& interrupt, ConstView K, double jitter, Group& group);
  void divide_by_block(const Backend& backend, const Group& group);

  double ridge_;
  Vector scale_;                     // diagonal of W^{1/2}
  std::vector<Index> order_;         // rows, group by group
  std::vector<Group> groups_;        // in that order
  std::vector<FloatMatrix> panels_;  // of columns of F, n x m, rows in that order
  Matrix capacitance_;               // (I + F'F)^{-1}
};

}  // namespace manyone
