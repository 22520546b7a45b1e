// SPDX-License-Identifier: Apache-2.0
//
// Support vector machines on the columns of a code (SPEC sections 5-6): svm-ova, svm-ovo, svm-dag and svm-ecoc differ
// in the code and the decoder alone. Column i is the binary machine
//     min 1/2 |w|^2 + cost sum_j w_j xi_j,   t_j (f(x_j) [+ b]) >= 1 - xi_j
// on the rows whose class has t = +1 or -1 in it, solved in its dual (solve/box_qp.hpp). Pairs always have the bias b,
// as in LIBSVM; one-vs-all and codes have it when asked for.
#pragma once

#include "machine/machine.hpp"
#include "solve/box_qp.hpp"

namespace manyone {

/// The binary machine for targets t of +1 and -1, bounds upper_j = cost w_j on the dual variables and the kernel matrix
/// Q of its rows. `s` (t_j alpha_j) is the start and becomes the coefficients; the bias is `b` of the summary. With a
/// bias, where all targets are the same, so is the output.
BoxQpSummary solve_binary_svm(const Interrupt& interrupt, QuadraticForm& Q, const Vector& t, const Vector& upper,
                              bool bias, const BoxQpOptions& options, Vector& s);

class SvmEcoc final : public Machine {
 public:
  /// The book of `labels` is the code: entries -1, 0 and 1. `one_vs_all`: outputs are scores of the classes.
  SvmEcoc(LabelSpace labels, bool one_vs_all, bool bias, double tolerance = 1e-3)
      : Machine(std::move(labels)), one_vs_all_(one_vs_all), bias_(bias), options_{tolerance, 0} {}

  /// cost = 1 / ridge.
  Coefficients fit(const Execution& execution, const Gram& gram, const LabelledRows& rows, double ridge) const override;
  std::vector<HeldOut> heldout(const Execution& execution, const Kernel& kernel, View K, const LabelledRows& rows,
                               std::span<const Folds> partitions, std::span<const double> ridges,
                               Workspace& workspace) const override;
  OutputCode output_code() const override;
  bool shares_kernel() const override { return true; }
  double fit_bytes(const LabelledRows& rows) const override;
  double heldout_bytes(const LabelledRows& rows) const override { return 2 * square_bytes(rows.rows()); }

 private:
  const Matrix& code() const { return labels().book.codewords; }
  std::vector<HeldOut> problems_heldout(const Execution& execution, ConstView K, const LabelledRows& rows,
                                        std::span<const Folds> partitions, std::span<const double> ridges) const;

  bool one_vs_all_;
  bool bias_;
  BoxQpOptions options_;
};

extern const MachineEntry kSvmOva;
extern const MachineEntry kSvmOvo;
extern const MachineEntry kSvmDag;
extern const MachineEntry kSvmEcoc;

}  // namespace manyone
