// SPDX-License-Identifier: Apache-2.0
#include "machine/ls_ecoc.hpp"

#include <algorithm>
#include <atomic>

#include "machine/binary_problems.hpp"
#include "machine/heldout_memo.hpp"
#include "machine/onelsm.hpp"
#include "machine/reduced_code.hpp"
#include "machine/registry.hpp"

namespace manyone {

namespace {

/// The one-vs-all machine that a zero-free code needs.
OneLsm one_vs_all(Index classes) {
  const Matrix identity = Matrix::Identity(classes, classes);
  return OneLsm({{"indicator", identity}, identity, false}, false);
}

RidgeProblem problem_on(const LabelledRows& rows, const std::vector<Index>& part, double ridge) {
  return {ridge, rows.weights.size() > 0 ? Vector(rows.weights(part)) : Vector(), false};
}

std::vector<std::vector<Index>> rows_by_class(const LabelledRows& rows) {
  std::vector<std::vector<Index>> out(static_cast<std::size_t>(rows.classes));
  for (Index i = 0; i < rows.rows(); ++i)
    out[static_cast<std::size_t>(rows.labels[static_cast<std::size_t>(i)])].push_back(i);
  return out;
}

}  // namespace

LsEcoc::LsEcoc(LabelSpace labels, bool train_all)
    : Machine(std::move(labels)), from_one_vs_all_(!train_all && (code().array() != 0).all()) {}

OutputCode LsEcoc::output_code() const {
  return {from_one_vs_all_ ? OutputMeaning::classes : OutputMeaning::columns, code()};
}

Coefficients LsEcoc::fit(const Execution& execution, const Gram& gram, const LabelledRows& rows, double ridge) const {
  if (from_one_vs_all_) return one_vs_all(rows.classes).fit(execution, gram, rows, ridge);
  const auto parts = problem_groups(code(), rows);
  Coefficients out{Matrix::Zero(rows.rows(), code().cols()), Vector::Zero(code().cols())};
  std::atomic<bool> solved = true;
  execution.backend.parallel_for(parts.size(), [&](std::size_t g) {
    const ProblemGroup& part = parts[g];
    Matrix K = gram.lower(part.rows);
    RidgeSolution solution;
    const RidgeProblem problem = problem_on(rows, part.rows, ridge);
    if (solve_ridge(execution.backend, execution.interrupt, problem, K, part.T, solution)) {
      out.A(part.rows, part.columns) = solution.A;
    } else {
      solved = false;
    }
  });
  if (!solved) throw_ridge_too_small(ridge);
  return out;
}

std::vector<HeldOut> LsEcoc::heldout(const Execution& execution, const Kernel& kernel, View K, const LabelledRows& rows,
                                     std::span<const Folds> partitions, std::span<const double> ridges,
                                     Workspace& workspace) const {
  if (from_one_vs_all_)
    return one_vs_all(rows.classes).heldout(execution, kernel, K, rows, partitions, ridges, workspace);
  const auto compute = [&](std::span<const double> asked) {
    return problems_heldout(execution, K, rows, partitions, asked, workspace);
  };
  if (workspace.memo == nullptr) return compute(ridges);
  return workspace.memo->each(code_problem("least squares", code(), false).value(), kernel.sigma, ridges, compute);
}

HeldOut LsEcoc::judged(const Execution& execution, const Gram& gram, const LabelledRows& rows,
                       std::span<const std::vector<Index>> blocks, double ridge, Workspace& workspace) const {
  if (from_one_vs_all_) return one_vs_all(rows.classes).judged(execution, gram, rows, blocks, ridge, workspace);
  return Machine::judged(execution, gram, rows, blocks, ridge, workspace);
}

std::size_t LsEcoc::judged_blocks(Index rows) const {
  return from_one_vs_all_ ? one_vs_all(code().rows()).judged_blocks(rows) : Machine::judged_blocks(rows);
}

std::vector<HeldOut> LsEcoc::problems_heldout(const Execution& execution, ConstView K, const LabelledRows& rows,
                                              std::span<const Folds> partitions, std::span<const double> ridges,
                                              Workspace& workspace) const {
  const auto parts = problem_groups(code(), rows);
  std::vector<HeldOut> out(ridges.size());
  execution.observer.begin("columns", static_cast<double>(ridges.size() * parts.size()));
  double done = 0;
  for (std::size_t r = 0; r < ridges.size(); ++r) {
    out[r].solved = true;
    out[r].of_partition.assign(partitions.size(), Matrix::Zero(rows.rows(), code().cols()));
    for (const ProblemGroup& part : parts) {
      const Matrix K_SS = K(part.rows, part.rows);
      const RidgeProblem problem = problem_on(rows, part.rows, ridges[r]);
      if (!invert_ridge(execution.backend, execution.interrupt, problem, K_SS, part.T, workspace.inverse)) {
        out[r] = HeldOut{};
        break;
      }
      for (std::size_t p = 0; p < partitions.size(); ++p) {
        heldout_elsewhere(
            execution.backend, execution.interrupt, K, part.rows, workspace.inverse, partitions[p],
            [&](const std::vector<Index>& B, const Matrix& f) { out[r].of_partition[p](B, part.columns) = f; });
      }
      execution.observer.update(++done, "");
    }
  }
  return out;
}

double LsEcoc::fit_bytes(const LabelledRows& rows) const { return square_bytes(rows.rows()); }

double LsOvo::fit_bytes(const LabelledRows& rows) const {
  double sum = 0;
  double most = 0;
  for (const auto& part : rows_by_class(rows)) {
    sum += square_bytes(static_cast<Index>(part.size()));
    most = std::max(most, square_bytes(static_cast<Index>(part.size())));
  }
  return sum + 3 * most;
}

// Pair (a, b) with targets 1 and -1, in blocks: with K_aa + ridge = L L' and u = L^{-1} 1 of each class at hand,
//     W = L^{-1} K_ab,  S = K_bb + ridge - W'W,  c_b = S^{-1}(-1 - W'u),  c_a = L^{-T}(u - W c_b).
Coefficients LsOvo::fit(const Execution& execution, const Gram& gram, const LabelledRows& rows, double ridge) const {
  const Backend& backend = execution.backend;
  const auto of_class = rows_by_class(rows);
  const std::size_t L = of_class.size();
  std::vector<Matrix> regular(L);  // K_aa + ridge W^{-1}, lower triangle
  std::vector<Matrix> factor(L);
  std::vector<Matrix> u(L);
  std::atomic<bool> solved = true;
  backend.parallel_for(L, [&](std::size_t a) {
    regular[a] = gram.lower(of_class[a]);
    add_ridge(problem_on(rows, of_class[a], ridge), regular[a]);
    factor[a] = regular[a];
    if (!backend.cholesky(factor[a], execution.interrupt)) solved = false;
    u[a] = Matrix::Ones(factor[a].rows(), 1);
    if (solved) backend.triangular_solve(factor[a], Transpose::no, u[a]);
  });
  if (!solved) throw_ridge_too_small(ridge);
  Coefficients out{Matrix::Zero(rows.rows(), code().cols()), Vector::Zero(code().cols())};
  backend.parallel_for(static_cast<std::size_t>(code().cols()), [&](std::size_t column) {
    const auto k = static_cast<Index>(column);
    Index a = 0;
    Index b = 0;
    code().col(k).maxCoeff(&a);
    code().col(k).minCoeff(&b);
    const auto i = static_cast<std::size_t>(a);
    const auto j = static_cast<std::size_t>(b);
    if (of_class[i].empty() || of_class[j].empty()) return;  // a pair that no row has voted in stays at 0
    execution.interrupt.check();
    Matrix W = gram.block(of_class[i], of_class[j]);
    backend.triangular_solve(factor[i], Transpose::no, W);
    Matrix S = regular[j];
    backend.multiply(-1, W, Transpose::yes, W, Transpose::no, 1, S);
    Matrix c_b = -Matrix::Ones(S.rows(), 1) - W.transpose() * u[i];
    if (!backend.cholesky(S, execution.interrupt)) {
      solved = false;
      return;
    }
    backend.cholesky_solve(S, c_b);
    Matrix c_a = u[i] - W * c_b;
    backend.triangular_solve(factor[i], Transpose::yes, c_a);
    for (Index r = 0; r < c_a.rows(); ++r) out.A(of_class[i][static_cast<std::size_t>(r)], k) = c_a(r, 0);
    for (Index r = 0; r < c_b.rows(); ++r) out.A(of_class[j][static_cast<std::size_t>(r)], k) = c_b(r, 0);
  });
  if (!solved) throw_ridge_too_small(ridge);
  return out;
}

const MachineEntry kLsOvo{
    .name = "ls-ovo",
    .summary = "one-vs-one: a system for each pair of classes, sharing the factors of the classes",
    .cost = "7n^3/(6L)",
    .source = "Honeine, Noumir, Richard 2013",
    .parameter = "ridge",
    .usual_book = "ava",
    .books = BookUse::own,
    .own_penalty = true,
    .on_kernel = [](MachineChoices c) -> std::unique_ptr<Machine> {
      return std::make_unique<LsOvo>(std::move(c.labels));
    },
    .on_columns = [](ColumnChoices c) -> std::unique_ptr<ReducedMachine> {
      if (c.trained_code) return std::make_unique<ReducedCode>(c.execution, std::move(*c.trained_code), c.columns);
      return std::make_unique<Msvr>(c.execution, c.regression, c.columns, c.all, std::move(c.shift));
    },
};

const MachineEntry kLsEcoc{
    .name = "ls-ecoc",
    .summary = "error-correcting code: codes without zeros from the one-vs-all solution, without training",
    .cost = "n^3/3; with zeros one system per column",
    .source = "Rifkin 2008; Allwein, Schapire, Singer 2000",
    .parameter = "ridge",
    .usual_book = "dense",
    .books = BookUse::coded,
    .on_kernel = [](MachineChoices c) -> std::unique_ptr<Machine> {
      return std::make_unique<LsEcoc>(std::move(c.labels));
    },
    .on_columns = [](ColumnChoices c) -> std::unique_ptr<ReducedMachine> {
      if (c.trained_code) return std::make_unique<ReducedCode>(c.execution, std::move(*c.trained_code), c.columns);
      return std::make_unique<Msvr>(c.execution, c.regression, c.columns, c.all, std::move(c.shift));
    },
};

}  // namespace manyone
