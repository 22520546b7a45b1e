// SPDX-License-Identifier: Apache-2.0
#include "machine/single_svm.hpp"

#include <algorithm>
#include <atomic>

#include <fmt/format.h>

#include "machine/registry.hpp"
#include "machine/training_parts.hpp"
#include "manyone/errors.hpp"

namespace manyone {

namespace {

// Row steps of a cell of a search, at most: where the cost is so large that more are needed, what was found by then
// will do to compare cells.
constexpr std::int64_t kScreenedSteps = 10'000;
constexpr std::int64_t kScreenedStepsPerRow = 20;

}  // namespace

SingleSvm::SingleSvm(LabelSpace labels, SingleKind kind, bool bias, double tolerance)
    : Machine(std::move(labels)), kind_(kind), bias_(bias) {
  options_.tolerance = tolerance;
}

OutputCode SingleSvm::output_code() const {
  return {OutputMeaning::scores, Matrix::Identity(labels().classes(), labels().classes())};
}

// With a = 2 alpha (ww, cs) or a = 2 lambda alpha (llw) all three duals of SPEC section 7 become
//     max  margin sum(alpha) - tr(A'KA) / 2,
// alpha at most C/2 = 1/(2 ridge), or 1/(2 lambda n) = 1/(2 ridge), times the weight of the row.
RowBlockProblem SingleSvm::dual(const LabelledRows& rows, double ridge, const std::vector<bool>& used) const {
  RowBlockProblem out;
  out.home = rows.labels;
  out.columns = rows.classes;
  out.offsets = bias_;
  out.bounds = rows.weights.size() > 0 ? rows.weights : Vector::Ones(rows.rows());
  out.bounds /= 2 * ridge;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) out.bounds[static_cast<Index>(i)] = 0;
  }
  switch (kind_) {
    case SingleKind::ww:
      out.loss = RowLoss::margin_sum;
      out.margin = 2;
      break;
    case SingleKind::cs:
      out.loss = RowLoss::margin_max;
      out.margin = 1;
      break;
    case SingleKind::llw:
      out.loss = RowLoss::output_sum;
      out.margin = 1 / static_cast<double>(rows.classes - 1);
      break;
  }
  return out;
}

Coefficients SingleSvm::fit(const Execution& execution, const Gram& gram, const LabelledRows& rows,
                            double ridge) const {
  const Index n = gram.rows();
  if (rows.classes < 2) return {Matrix::Zero(n, rows.classes), Vector::Zero(rows.classes)};
  const Matrix K = gram.full();
  RowBlockSolution solution;
  const RowBlockSummary summary =
      solve_row_blocks(execution.backend, execution.interrupt, K, dual(rows, ridge, {}), options_, solution);
  if (!summary.converged) {
    execution.observer.note(fmt::format(
        "training stopped after {} steps at a violation of {:.1e} where {:g} was asked for, with a duality gap of "
        "{:.1e} of the objective; use a smaller cost (a larger ridge)",
        summary.steps, summary.violation, options_.tolerance, summary.gap / (summary.objective + summary.gap)));
  }
  return {std::move(solution.A), std::move(solution.b)};
}

std::vector<HeldOut> SingleSvm::heldout(const Execution& execution, const Kernel&, View K, const LabelledRows& rows,
                                        std::span<const Folds> partitions, std::span<const double> ridges,
                                        Workspace&) const {
  const Index n = rows.rows();
  auto out = zero_outputs(ridges.size(), partitions.size(), n, rows.classes);
  if (rows.classes < 2) return out;
  RowBlockOptions options = options_;
  options.max_steps = std::max(kScreenedSteps, kScreenedStepsPerRow * n);
  // Solutions of all rows, each a good start for the next larger cost; folds start from those of their own cost.
  std::vector<RowBlockSolution> whole(ridges.size());
  RowBlockSolution last;
  std::size_t programs = 1;
  for (const Folds& folds : partitions) programs += static_cast<std::size_t>(folds.count);
  execution.observer.begin("folds", static_cast<double>(programs * ridges.size()));
  std::atomic<std::size_t> done{0};
  for (const std::size_t k : descending(ridges)) {
    solve_row_blocks(execution.backend, execution.interrupt, K, dual(rows, ridges[k], {}), options, last);
    whole[k].x = last.x;
    whole[k].b = last.b;
    execution.observer.update(static_cast<double>(++done), "");
  }
  for_each_fold(execution, rows, partitions, heldout_bytes(rows), [&](const FoldTask& task) {
    std::vector<bool> used(static_cast<std::size_t>(n), true);
    for (const Index i : task.held_out) used[static_cast<std::size_t>(i)] = false;
    for (std::size_t k = 0; k < ridges.size(); ++k) {
      RowBlockSolution solution = whole[k];
      const auto summary =
          solve_row_blocks(execution.backend, execution.interrupt, K, dual(rows, ridges[k], used), options, solution);
      count_unfinished(summary.converged, out[k]);
      for (const Index i : task.held_out) out[k].of_partition[task.partition].row(i) = solution.outputs.row(i);
      execution.observer.update(static_cast<double>(++done), "");
    }
  });
  return out;
}

double SingleSvm::fit_bytes(const LabelledRows& rows) const { return square_bytes(rows.rows()) + heldout_bytes(rows); }

double SingleSvm::heldout_bytes(const LabelledRows& rows) const {
  return row_block_bytes(rows.rows(), rows.classes, options_);
}

const MachineEntry kWw{
    .name = "ww",
    .summary = "Weston and Watkins: one SVM, a margin between the own class and each other",
    .cost = "a quadratic program of n(L-1) variables",
    .source = "Weston, Watkins 1999; Rifkin 2008",
    .parameter = "cost",
    .books = BookUse::own,
    .bias = BiasUse::optional,
    .program = true,
    .on_kernel = [](MachineChoices c) -> std::unique_ptr<Machine> {
      return std::make_unique<SingleSvm>(std::move(c.labels), SingleKind::ww, c.bias, c.tolerance());
    },
};

const MachineEntry kCs{
    .name = "cs",
    .summary = "Crammer and Singer: one SVM, a margin between the own class and the best other",
    .cost = "a quadratic program of n(L-1) variables",
    .source = "Crammer, Singer 2001; Rifkin 2008",
    .parameter = "cost",
    .books = BookUse::own,
    .program = true,
    .on_kernel = [](MachineChoices c) -> std::unique_ptr<Machine> {
      return std::make_unique<SingleSvm>(std::move(c.labels), SingleKind::cs, false, c.tolerance());
    },
};

const MachineEntry kLlw{
    .name = "llw",
    .summary = "Lee, Lin and Wahba: one SVM whose outputs sum to zero",
    .cost = "a quadratic program of n(L-1) variables",
    .source = "Lee, Lin, Wahba 2004; Rifkin 2008",
    .parameter = "ridge",
    .books = BookUse::own,
    .program = true,
    .on_kernel = [](MachineChoices c) -> std::unique_ptr<Machine> {
      return std::make_unique<SingleSvm>(std::move(c.labels), SingleKind::llw, false, c.tolerance());
    },
};

}  // namespace manyone
