// SPDX-License-Identifier: Apache-2.0
//
// oneLSM (Honeine, Noumir, Richard 2013; SPEC 4.1): all classes from one factorisation,
//     min_W  sum_i w_i |W' phi(x_i) + b - y_i|^2 + ridge |W|^2.
// It is always solved for indicator targets; the coefficients of any labelbook B follow by A_B = A B, because the
// targets are linear in the book (Theorem 5). The price does not depend on the number of classes: n^3/3 + 2 n^2 L
// flops, 8 n^2 bytes. Large tables are solved by conjugate gradients instead, to an accuracy that is asked for (SPEC
// section 15).
// ls-ova is the same criterion solved class by class against 1 and -1, the naive way, at L times the price; it is there
// to compare with. Its scores are the outputs of its machines.
#pragma once

#include "machine/machine.hpp"
#include "solve/conjugate_gradient.hpp"

namespace manyone {

class OneLsm : public Machine {
 public:
  OneLsm(LabelSpace labels, bool bias, SolverChoice solver = {})
      : Machine(std::move(labels)), bias_(bias), solver_(solver) {}

  Coefficients fit(const Execution& execution, const Gram& gram, const LabelledRows& rows, double ridge) const override;
  std::vector<HeldOut> heldout(const Execution& execution, const Kernel& kernel, View K, const LabelledRows& rows,
                               std::span<const Folds> partitions, std::span<const double> ridges,
                               Workspace& workspace) const override;
  /// Three blocks of a tenth of the rows come with a factorisation for a tenth of its price.
  HeldOut judged(const Execution& execution, const Gram& gram, const LabelledRows& rows,
                 std::span<const std::vector<Index>> blocks, double ridge, Workspace& workspace) const override;
  std::size_t judged_blocks(Index rows) const override { return solver_.iterative(rows) ? 1 : 3; }
  /// Scores are F Gamma: the code is the book, or Gamma itself for a kernel on labels.
  OutputCode output_code() const override;
  bool screens() const override { return true; }

 protected:
  bool bias() const { return bias_; }
  /// Indicator outputs -> outputs of the book.
  Matrix in_book(Matrix indicator_outputs) const;
  Coefficients in_book(RidgeSolution solution) const;

 private:
  /// The solution that comes with an inverse is as good as that of fit(), and wanted.
  bool keeps_solution(ConstView K, const RidgeProblem& problem, const Workspace& workspace) const;
  /// heldout() for indicator targets.
  std::vector<HeldOut> indicator_heldout(const Execution& execution, View K, const LabelledRows& rows,
                                         std::span<const Folds> partitions, std::span<const double> ridges,
                                         Workspace& workspace) const;
  /// False when conjugate gradients did not get there; K is left as it was.
  bool solve_iteratively(const Execution& execution, ConstView K, const LabelledRows& rows, const RidgeProblem& problem,
                         const Matrix& T, ConjugateGradientOptions options, Index most_centres,
                         RidgeSolution& solution) const;
  /// Coefficients on some of the rows for judging the others: no more exact than that takes. `K` and `single` are
  /// scratch. False when the ridge is too small.
  bool solve_roughly(const Execution& execution, const Gram& gram, const LabelledRows& rows, double ridge, Matrix& K,
                     FloatMatrix& single, Coefficients& solution) const;

  bool bias_;
  SolverChoice solver_;
};

class LsOva final : public OneLsm {
 public:
  using OneLsm::OneLsm;
  Coefficients fit(const Execution& execution, const Gram& gram, const LabelledRows& rows, double ridge) const override;
  OutputCode output_code() const override;
  double fit_bytes(const LabelledRows& rows) const override { return 2 * OneLsm::fit_bytes(rows); }
};

extern const MachineEntry kOneLsm;
extern const MachineEntry kLsOva;

}  // namespace manyone
