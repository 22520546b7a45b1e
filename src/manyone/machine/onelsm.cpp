// SPDX-License-Identifier: Apache-2.0
#include "manyone/machine/onelsm.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "manyone/base/fingerprint.hpp"
#include "manyone/machine/heldout_memo.hpp"
#include "manyone/solve/conjugate_gradient.hpp"
#include "manyone/solve/ridge.hpp"
#include "manyone/solve/screening.hpp"

namespace manyone {

namespace {

// Centres of the preconditioner: on letter (15000 rows) 1280 to 1792 were equally fast.
constexpr Index kCentres = 1536;

// Trace of K by the ridge up to which a product with the inverse loses nothing that matters against a factorisation:
// ten digits remain (on glass, vowel and yeast the coefficients differ by 7e-11 at most).
constexpr double kCondition = 1e6;

}  // namespace

Matrix OneLsm::in_book(Matrix indicator_outputs) const {
  if (labels().own_kernel || labels().book.name == "indicator") return indicator_outputs;
  return indicator_outputs * labels().book.codewords;
}

Coefficients OneLsm::in_book(RidgeSolution solution) const {
  return {in_book(std::move(solution.A)), in_book(Matrix(solution.b.transpose())).transpose()};
}

OutputCode OneLsm::output_code() const {
  return {OutputMeaning::scores, labels().own_kernel ? labels().gamma : labels().book.codewords};
}

bool OneLsm::solve_iteratively(const Execution& execution, ConstView K, const LabelledRows& rows,
                               const RidgeProblem& problem, const Matrix& T, RidgeSolution& solution) const {
  const Index centres = std::min(kCentres, rows.rows() / 4 + 1);
  const double bytes = 2.0 * static_cast<double>(rows.rows()) * static_cast<double>(rows.rows() + 2 * centres);
  if (static_cast<double>(execution.memory.bytes()) < square_bytes(rows.rows()) + bytes) return false;
  const double accuracy = solver_.accuracy.value_or(1e-6);
  execution.observer.note(fmt::format(
      "{} rows: solved by conjugate gradients to a relative residual of {:g} (--solver direct factorises instead)",
      rows.rows(), accuracy));
  ConjugateGradientOptions options;
  options.tolerance = accuracy;
  options.groups = rows.labels;
  double first = 0;
  execution.observer.begin("solving", 1);
  options.progress = [&](int, double residual) {  // residuals fall geometrically: progress is their logarithm
    if (first == 0) first = residual;
    const double whole = std::log(first / accuracy);
    const double done = whole > 0 ? std::clamp(std::log(first / residual) / whole, 0.0, 1.0) : 1;
    execution.observer.update(done, fmt::format("residual {:.1e}", residual));
  };
  const auto summary = solve_ridge_iteratively(execution.backend, execution.interrupt, problem, K, T,
                                               stratified_subset(rows.labels, centres, 1), options, solution);
  execution.observer.end();
  if (!summary.converged) {
    execution.observer.note(fmt::format(
        "conjugate gradients stopped at a residual of {:.1e} after {} steps; the system is factorised instead",
        summary.residual, summary.iterations));
  }
  return summary.converged;
}

Coefficients OneLsm::fit(const Execution& execution, const Gram& gram, const LabelledRows& rows, double ridge) const {
  Matrix K(gram.rows(), gram.rows());
  gram.lower(K);
  RidgeSolution solution;
  const RidgeProblem problem{ridge, rows.weights, bias_};
  const Matrix T = indicator_targets(rows.labels, rows.classes);
  const bool solved = solver_.iterative(gram.rows()) && solve_iteratively(execution, K, rows, problem, T, solution);
  if (!solved && !solve_ridge(execution.backend, execution.interrupt, problem, K, T, solution))
    throw_ridge_too_small(ridge);
  return in_book(std::move(solution));
}

bool OneLsm::keeps_solution(ConstView K, const RidgeProblem& problem, const Workspace& workspace) const {
  const Index n = K.rows();
  return workspace.memo == nullptr && !solver_.iterative(n) &&
         K.trace() < kCondition * ridge_diagonal(problem, n).minCoeff();
}

std::vector<HeldOut> OneLsm::indicator_heldout(const Execution& execution, View K, const LabelledRows& rows,
                                               std::span<const Folds> partitions, std::span<const double> ridges,
                                               Workspace& workspace) const {
  const Matrix T = indicator_targets(rows.labels, rows.classes);
  std::vector<HeldOut> out(ridges.size());
  const Backend& backend = execution.backend;
  const Interrupt& interrupt = execution.interrupt;
  if (workspace.screening) {
    auto screened =
        screened_outputs(backend, interrupt, {0, rows.weights, bias_}, K, T, ridges, partitions, workspace.single);
    for (std::size_t k = 0; k < ridges.size(); ++k) out[k] = {screened[k].solved, std::move(screened[k].outputs)};
    return out;
  }
  for (std::size_t k = 0; k < ridges.size(); ++k) {
    const RidgeProblem problem{ridges[k], rows.weights, bias_};
    if (!invert_ridge(backend, interrupt, problem, K, T, workspace.inverse)) continue;
    out[k] = {true, heldout_outputs(backend, interrupt, K, workspace.inverse, T, partitions)};
    if (keeps_solution(K, problem, workspace)) out[k].trained = in_book(std::move(workspace.inverse.solution));
  }
  return out;
}

std::vector<HeldOut> OneLsm::heldout(const Execution& execution, const Kernel& kernel, View K, const LabelledRows& rows,
                                     std::span<const Folds> partitions, std::span<const double> ridges,
                                     Workspace& workspace) const {
  const auto compute = [&](std::span<const double> asked) {
    return indicator_heldout(execution, K, rows, partitions, asked, workspace);
  };
  Fingerprint problem;
  problem.add("indicators").add(static_cast<int>(bias_)).add(static_cast<int>(workspace.screening));
  std::vector<HeldOut> out = workspace.memo != nullptr
                                 ? workspace.memo->each(problem.value(), kernel.sigma, ridges, compute)
                                 : compute(ridges);
  for (HeldOut& cell : out) {
    for (Matrix& f : cell.of_partition) f = in_book(std::move(f));
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
  return in_book(RidgeSolution{std::move(A), b.transpose()});
}

}  // namespace manyone
