// SPDX-License-Identifier: Apache-2.0
#include "machine/onelsm.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/fingerprint.hpp"
#include "base/worded.hpp"
#include "machine/heldout_memo.hpp"
#include "machine/registry.hpp"
#include "machine/training_parts.hpp"
#include "solve/ridge.hpp"
#include "solve/screening.hpp"

namespace manyone {

namespace {

// Centres of the preconditioner: on letter (15000 rows) 1280 to 1792 were equally fast.
constexpr Index kCentres = 1536;

// Trace of K by the ridge up to which a product with the inverse loses nothing that matters against a factorisation:
// ten digits remain (on glass, vowel and yeast the coefficients differ by 7e-11 at most).
constexpr double kCondition = 1e6;

// Conjugate gradients for outputs that are only looked at: on letter and chess-krvk a residual of 1e-2 gives the errors
// of one of 1e-6. With so few centres as many iterations more cost less than the preconditioner saves.
constexpr double kRoughResidual = 2e-2;
constexpr int kRoughIterations = 100;
constexpr Index kRoughCentres = 512;
// Rows from which they are faster than a factorisation in single precision.
constexpr Index kRoughRows = 7000;
// Rows above which a ridge of a cross-validation takes long enough to be told of.
constexpr Index kLongRows = 2000;

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
                               const RidgeProblem& problem, const Matrix& T, ConjugateGradientOptions options,
                               Index most_centres, RidgeSolution& solution) const {
  const Index centres = std::min(most_centres, rows.rows() / 4 + 1);
  const double bytes = 2.0 * static_cast<double>(rows.rows()) * static_cast<double>(rows.rows() + 2 * centres);
  if (static_cast<double>(execution.memory.bytes()) < square_bytes(rows.rows()) + bytes) return false;
  execution.observer.note(worded(
      "{} rows: solved by conjugate gradients to a relative residual of {:g} (`solver=direct` factorises instead)",
      rows.rows(), options.tolerance));
  options.groups = rows.labels;
  double first = 0;
  execution.observer.begin("solving", 1);
  options.progress = [&](int, double residual) {  // residuals fall geometrically: progress is their logarithm
    if (first == 0) first = residual;
    const double whole = std::log(first / options.tolerance);
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
  ConjugateGradientOptions options;
  options.tolerance = solver_.accuracy.value_or(1e-6);
  const bool solved =
      solver_.iterative(gram.rows()) && solve_iteratively(execution, K, rows, problem, T, options, kCentres, solution);
  if (!solved && !solve_ridge(execution.backend, execution.interrupt, problem, K, T, solution))
    throw_ridge_too_small(ridge);
  return in_book(std::move(solution));
}

bool OneLsm::solve_roughly(const Execution& execution, const Gram& gram, const LabelledRows& rows, double ridge,
                           Matrix& K, FloatMatrix& single, Coefficients& solution) const {
  const Index n = gram.rows();
  K.resize(n, n);
  gram.lower(K);
  const RidgeProblem problem{ridge, rows.weights, bias_};
  const Matrix T = indicator_targets(rows.labels, rows.classes);
  RidgeSolution found;
  if (solver_.iterative(n) || (solver_.kind == SolverKind::automatic && n > kRoughRows)) {
    ConjugateGradientOptions options;
    options.tolerance = kRoughResidual;
    options.max_iterations = kRoughIterations;
    options.exact = false;
    solve_iteratively(execution, K, rows, problem, T, options, kRoughCentres, found);  // what was found will do
  } else if (!bias_ && K.trace() < kCondition * ridge_diagonal(problem, n).minCoeff()) {
    single = K.cast<float>();
    single.diagonal() += ridge_diagonal(problem, n).cast<float>();
    FloatMatrix A = T.cast<float>();
    if (!execution.backend.solve(single, A, execution.interrupt)) return false;
    found = {A.cast<double>(), Vector::Zero(T.cols())};
  }
  if (found.A.size() == 0 && !solve_ridge(execution.backend, execution.interrupt, problem, K, T, found)) return false;
  solution = {std::move(found.A), std::move(found.b)};
  return true;
}

HeldOut OneLsm::judged(const Execution& execution, const Gram& gram, const LabelledRows& rows,
                       std::span<const std::vector<Index>> blocks, double ridge, Workspace& workspace) const {
  const Backend& backend = execution.backend;
  std::vector<Matrix> outputs;
  if (workspace.screening || solver_.iterative(rows.rows())) {
    for (const std::vector<Index>& block : blocks) {
      const TrainingPart rest = without_rows(rows, block);
      Coefficients solution;
      if (!solve_roughly(execution, *gram.part(rest.places), rest.rows, ridge, workspace.inverse.P, workspace.single.P,
                         solution)) {
        return {};
      }
      outputs.push_back(in_book(outputs_at(backend, gram, block, rest.places, solution)));
    }
    return {true, {stacked(outputs)}};
  }
  // The blocks behind all other rows.
  std::vector<Index> left_out;
  for (const std::vector<Index>& block : blocks) left_out.insert(left_out.end(), block.begin(), block.end());
  std::vector<Index> order = without_rows(rows, left_out).places;
  std::vector<std::vector<Index>> behind;
  for (const std::vector<Index>& block : blocks) {
    behind.emplace_back();
    for (const Index i : block) {
      behind.back().push_back(std::ssize(order));
      order.push_back(i);
    }
  }
  const LabelledRows ordered = rows_at(rows, order);
  Matrix& K = workspace.inverse.P;
  K.resize(rows.rows(), rows.rows());
  gram.part(order)->lower(K);
  RidgeSolution solution;
  std::vector<RidgeSolution> without;
  if (!solve_ridge(backend, execution.interrupt, {ridge, ordered.weights, bias_}, K,
                   indicator_targets(ordered.labels, ordered.classes), behind, solution, without)) {
    return {};
  }
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    outputs.push_back(
        in_book(outputs_at(backend, gram, blocks[k], order, {std::move(without[k].A), std::move(without[k].b)})));
  }
  RidgeSolution in_place{Matrix(solution.A.rows(), solution.A.cols()), std::move(solution.b)};
  in_place.A(order, Eigen::all) = solution.A;
  return {true, {stacked(outputs)}, 0, in_book(std::move(in_place))};
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
  execution.observer.begin("ridges", static_cast<double>(ridges.size()));
  for (std::size_t k = 0; k < ridges.size(); ++k) {
    const RidgeProblem problem{ridges[k], rows.weights, bias_};
    if (!invert_ridge(backend, interrupt, problem, K, T, workspace.inverse)) continue;
    out[k] = {true, heldout_outputs(backend, interrupt, K, workspace.inverse, T, partitions)};
    if (keeps_solution(K, problem, workspace)) out[k].solution = in_book(std::move(workspace.inverse.solution));
    if (rows.rows() > kLongRows) execution.observer.update(static_cast<double>(k + 1), "");
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

const MachineEntry kOneLsm{
    .name = "onelsm",
    .summary = "one least-squares machine for all classes: one factorisation, any number of classes",
    .cost = "n^3/3; n m^2 with m centres",
    .source = "Honeine, Noumir, Richard 2013",
    .parameter = "ridge",
    .bias = BiasUse::optional,
    .label_kernel = true,
    .chooses_solver = true,
    .decodes_books = true,
    .encodes_targets = true,
    .on_kernel = [](MachineChoices c) -> std::unique_ptr<Machine> {
      return std::make_unique<OneLsm>(std::move(c.labels), c.bias, c.solver);
    },
    .on_columns = [](ColumnChoices c) -> std::unique_ptr<ReducedMachine> {
      return std::make_unique<Msvr>(c.execution, c.regression, c.columns, c.all, std::move(c.shift));
    },
};

const MachineEntry kLsOva{
    .name = "ls-ova",
    .summary = "one-vs-all, a separate system for each class (the naive way, to compare with)",
    .cost = "L n^3/3",
    .source = "Honeine, Noumir, Richard 2013",
    .parameter = "ridge",
    .usual_book = "pm1",
    .books = BookUse::own,
    .bias = BiasUse::optional,
    .label_kernel = true,
    .encodes_targets = true,
    .on_kernel = [](MachineChoices c) -> std::unique_ptr<Machine> {
      return std::make_unique<LsOva>(std::move(c.labels), c.bias);
    },
    .on_columns = [](ColumnChoices c) -> std::unique_ptr<ReducedMachine> {
      return std::make_unique<Msvr>(c.execution, c.regression, c.columns, c.all, std::move(c.shift));
    },
};

}  // namespace manyone
