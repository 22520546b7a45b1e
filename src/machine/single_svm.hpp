// SPDX-License-Identifier: Apache-2.0
//
// The single machines (SPEC section 7): all classes in one support vector machine, f_k = sum_i A_ik k(x_i, .) + b_k.
//     ww   Weston and Watkins 1999: sum_k |f_k|^2 + C sum_i w_i sum_{j != y_i} (2 - (f_{y_i} - f_j))_+
//     cs   Crammer and Singer 2001: sum_k |f_k|^2 + C sum_i w_i max_{j != y_i} (1 - (f_{y_i} - f_j))_+
//     llw  Lee, Lin and Wahba 2004: sum_i w_i sum_{j != y_i} (f_j + 1/(L-1))_+ / sum_i w_i + lambda sum_k |f_k|^2
// Only ww may have a bias; its entries sum to 0. There is no closed form of what rows get without their fold: every
// fold is solved anew, from the solution of the next smaller cost.
#pragma once

#include "machine/machine.hpp"
#include "solve/row_blocks.hpp"

namespace manyone {

enum class SingleKind { ww, cs, llw };

class SingleSvm final : public Machine {
 public:
  /// A bias goes with ww alone. `tolerance`: on the largest violation of the optimality conditions,
  /// in units of outputs.
  SingleSvm(LabelSpace labels, SingleKind kind, bool bias, double tolerance = 1e-3);

  /// `ridge` is 1/C for ww and cs, and lambda n for llw. A solution that misses the tolerance is returned, with a
  /// note to the observer.
  Coefficients fit(const Execution& execution, const Gram& gram, const LabelledRows& rows, double ridge) const override;
  std::vector<HeldOut> heldout(const Execution& execution, const Kernel& kernel, View K, const LabelledRows& rows,
                               std::span<const Folds> partitions, std::span<const double> ridges,
                               Workspace& workspace) const override;
  /// The outputs are the class scores.
  OutputCode output_code() const override;
  bool shares_kernel() const override { return true; }
  double fit_bytes(const LabelledRows& rows) const override;
  double heldout_bytes(const LabelledRows& rows) const override;

 private:
  /// The dual of the rows that `used` marks (empty: all).
  RowBlockProblem dual(const LabelledRows& rows, double ridge, const std::vector<bool>& used) const;
  SingleKind kind_;
  bool bias_;
  RowBlockOptions options_;
};

extern const MachineEntry kWw;
extern const MachineEntry kCs;
extern const MachineEntry kLlw;

}  // namespace manyone
