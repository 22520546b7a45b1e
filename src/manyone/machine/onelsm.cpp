// SPDX-License-Identifier: Apache-2.0
#include "manyone/machine/onelsm.hpp"

#include "manyone/solve/ridge.hpp"

namespace manyone {

Matrix OneLsm::in_book(Matrix indicator_outputs) const {
  if (labels().own_kernel || labels().book.name == "indicator") return indicator_outputs;
  return indicator_outputs * labels().book.codewords;
}

OutputCode OneLsm::output_code() const {
  return {OutputMeaning::scores, labels().own_kernel ? labels().gamma : labels().book.codewords};
}

Coefficients OneLsm::fit(const Execution& execution, const Gram& gram, const LabelledRows& rows, double ridge) const {
  Matrix K(gram.rows(), gram.rows());
  gram.lower(K);
  RidgeSolution solution;
  const RidgeProblem problem{ridge, rows.weights, bias_};
  const Matrix T = indicator_targets(rows.labels, rows.classes);
  if (!solve_ridge(execution.backend, execution.interrupt, problem, K, T, solution)) throw_ridge_too_small(ridge);
  return {in_book(std::move(solution.A)), in_book(Matrix(solution.b.transpose())).transpose()};
}

std::vector<HeldOut> OneLsm::heldout(const Execution& execution, const Kernel&, View K, const LabelledRows& rows,
                                     std::span<const Folds> partitions, std::span<const double> ridges,
                                     Workspace& workspace) const {
  const Matrix T = indicator_targets(rows.labels, rows.classes);
  std::vector<HeldOut> out(ridges.size());
  const Backend& backend = execution.backend;
  const Interrupt& interrupt = execution.interrupt;
  for (std::size_t k = 0; k < ridges.size(); ++k) {
    const RidgeProblem problem{ridges[k], rows.weights, bias_};
    out[k].solved = workspace.screening ? invert_ridge_single(backend, interrupt, problem, K, T, workspace.single)
                                        : invert_ridge(backend, interrupt, problem, K, T, workspace.inverse);
    if (!out[k].solved) continue;
    for (const Folds& folds : partitions) {
      out[k].of_partition.push_back(
          in_book(workspace.screening ? heldout_outputs_single(backend, interrupt, K, workspace.single, T, folds)
                                      : heldout_outputs(backend, interrupt, K, workspace.inverse, T, folds)));
    }
  }
  return out;
}

OutputCode LsOva::output_code() const {
  if (labels().own_kernel) return OneLsm::output_code();
  return {OutputMeaning::scores, Matrix::Identity(labels().classes(), labels().classes())};
}

Coefficients LsOva::fit(const Execution& execution, const Gram& gram, const LabelledRows& rows, double ridge) const {
  const Index n = gram.rows();
  Matrix K(n, n);
  gram.lower(K);
  const Matrix T = indicator_targets(rows.labels, rows.classes);
  const RidgeProblem problem{ridge, rows.weights, bias()};
  Matrix A(n, rows.classes);
  Matrix b(1, rows.classes);
  Matrix factor(n, n);
  for (Index c = 0; c < rows.classes; ++c) {
    factor = K;
    RidgeSolution solution;
    if (!solve_ridge(execution.backend, execution.interrupt, problem, factor, Matrix(T.col(c)), solution))
      throw_ridge_too_small(ridge);
    A.col(c) = solution.A;
    b(0, c) = solution.b[0];
  }
  return {in_book(std::move(A)), in_book(std::move(b)).transpose()};
}

}  // namespace manyone
