// SPDX-License-Identifier: Apache-2.0
#include "machine/svm_ecoc.hpp"

#include <algorithm>
#include <atomic>

#include "machine/binary_problems.hpp"
#include "machine/gram_rows.hpp"
#include "machine/heldout_memo.hpp"
#include "machine/registry.hpp"
#include "machine/training_parts.hpp"
#include "machine/unfinished.hpp"

namespace manyone {

BoxQpSummary solve_binary_svm(const Interrupt& interrupt, QuadraticForm& Q, const Vector& t, const Vector& upper,
                              bool bias, const BoxQpOptions& options, Vector& s) {
  if (t.size() == 0 || (bias && t.minCoeff() == t.maxCoeff())) {
    s.setZero();
    BoxQpSummary out;
    out.b = t.size() == 0 ? 0 : t[0];
    out.converged = true;
    return out;
  }
  const BoxQp problem{t, (t.array() > 0).select(Vector::Zero(t.size()), -upper),
                      (t.array() > 0).select(upper, Vector::Zero(t.size())), bias};
  return solve_box_qp(interrupt, Q, problem, options, s);
}

OutputCode SvmEcoc::output_code() const {
  if (one_vs_all_) return {OutputMeaning::scores, Matrix::Identity(labels().classes(), labels().classes())};
  return {OutputMeaning::columns, code()};
}

namespace {

// Groups of more rows are not made whole: a solution looks at few of their rows (letter, satimage and usps are fitted
// in 0.6 to 0.8 of the time).
constexpr Index kWholeRows = 400;
// Bytes for the rows that are kept of such a group, at most.
constexpr double kKeptBytes = 1e9;

bool made_whole(const ProblemGroup& group) { return static_cast<Index>(group.rows.size()) <= kWholeRows; }

double least_bytes(const ProblemGroup& group) {
  const auto n = static_cast<Index>(group.rows.size());
  return made_whole(group) ? square_bytes(n) : GramRows::least_bytes(n);
}

}  // namespace

double SvmEcoc::fit_bytes(const LabelledRows& rows) const {
  double most = 0;
  for (const ProblemGroup& group : problem_groups(code(), rows)) most = std::max(most, least_bytes(group));
  return most;
}

Coefficients SvmEcoc::fit(const Execution& execution, const Gram& gram, const LabelledRows& rows, double ridge) const {
  auto groups = problem_groups(code(), rows);
  Coefficients out{Matrix::Zero(rows.rows(), code().cols()), Vector::Zero(code().cols())};
  Unfinished unfinished;
  const auto train = [&](const ProblemGroup& group, QuadraticForm& Q, std::size_t k) {
    Vector s = Vector::Zero(Q.size());
    const auto summary = solve_binary_svm(execution.interrupt, Q, group.T.col(static_cast<Index>(k)),
                                          dual_bounds(rows, group.rows, 1 / ridge), bias_, options_, s);
    for (std::size_t i = 0; i < group.rows.size(); ++i)
      out.A(group.rows[i], group.columns[k]) = s[static_cast<Index>(i)];
    out.b[group.columns[k]] = summary.b;
    unfinished.add(summary);
  };
  const auto& backend = execution.backend;
  // Not a matter of threads: what is kept decides which rows are made together, and so their rounding.
  const double kept = std::min(kKeptBytes, static_cast<double>(execution.memory.bytes()) / 8);
  const auto train_group = [&](const ProblemGroup& group) {
    if (made_whole(group)) {
      const Matrix K = gram.full(group.rows);
      backend.parallel_for(group.columns.size(), [&](std::size_t k) {
        DenseForm Q(K);
        train(group, Q, k);
      });
    } else {
      const auto part = gram.part(group.rows);
      backend.parallel_for(group.columns.size(), [&](std::size_t k) {
        GramRows Q(*part, kept);
        train(group, Q, k);
      });
    }
  };
  // Groups side by side where memory allows, the longest first; else one after the other, columns side by side.
  std::stable_sort(groups.begin(), groups.end(),
                   [](const ProblemGroup& a, const ProblemGroup& b) { return a.rows.size() > b.rows.size(); });
  const auto longest = static_cast<Index>(groups.empty() ? 0 : groups.front().rows.size());
  const double each = std::max(fit_bytes(rows), std::min(kept, square_bytes(longest)));
  if (groups.size() > 1 && execution.memory.fits(backend.threads() * each)) {
    backend.parallel_for(groups.size(), [&](std::size_t g) { train_group(groups[g]); });
  } else {
    for (const ProblemGroup& group : groups) train_group(group);
  }
  unfinished.report(execution, options_.tolerance);
  return out;
}

namespace {

/// Places start, ..., start + size - 1.
struct Run {
  Index start;
  Index size;
};

/// Ascending places as runs without a gap.
std::vector<Run> runs_of(const std::vector<Index>& places) {
  std::vector<Run> out;
  for (const Index place : places) {
    if (!out.empty() && out.back().start + out.back().size == place) {
      ++out.back().size;
    } else {
      out.push_back({place, 1});
    }
  }
  return out;
}

/// K(rows, columns), the columns in runs.
Matrix block_of(ConstView K, const std::vector<Index>& rows, const std::vector<Run>& columns) {
  Index width = 0;
  for (const Run& run : columns) width += run.size;
  Matrix out(static_cast<Index>(rows.size()), width);
  for (Index i = 0; i < out.rows(); ++i) {
    Index at = 0;
    for (const auto& [start, size] : columns) {
      out.row(i).segment(at, size) = K.row(rows[static_cast<std::size_t>(i)]).segment(start, size);
      at += size;
    }
  }
  return out;
}

/// The start of a fold from the solution of all rows: what is left out becomes 0, and where the sum is fixed the side
/// that is now heavier gives way, its free variables first.
Vector seeded(const Vector& solution, const Vector& upper, const Vector& t, bool bias) {
  Vector s = (upper.array() > 0).select(solution, 0);
  if (!bias) return s;
  const double side = s.sum() > 0 ? 1 : -1;
  for (const bool free : {true, false}) {
    const double excess = side * s.sum();
    if (!(excess > 0)) break;
    const auto gives = [&](Index i) { return t[i] * side > 0 && (std::abs(s[i]) < upper[i]) == free; };
    double total = 0;
    for (Index i = 0; i < s.size(); ++i) total += gives(i) ? std::abs(s[i]) : 0;
    if (!(total > 0)) continue;
    const double keep = std::max(0.0, 1 - excess / total);
    for (Index i = 0; i < s.size(); ++i) {
      if (gives(i)) s[i] *= keep;
    }
  }
  return s;
}

}  // namespace

// Rows are sorted by class, so that those of a column are a few runs. A fold is left out by bounds of 0: the matrix of
// a group serves all its folds and costs.
std::vector<HeldOut> SvmEcoc::problems_heldout(const Execution& execution, ConstView K, const LabelledRows& rows,
                                               std::span<const Folds> partitions,
                                               std::span<const double> ridges) const {
  auto out = zero_outputs(ridges.size(), partitions.size(), rows.rows(), code().cols());
  const std::vector<Index> order = by_class(rows);
  const LabelledRows sorted = rows_at(rows, order);
  Matrix K_sorted(K.rows(), K.cols());
  for (Index i = 0; i < K.rows(); ++i) {
    execution.interrupt.check();
    K_sorted.row(i) = K.row(order[static_cast<std::size_t>(i)])(order);
  }
  const auto groups = problem_groups(code(), sorted);
  const auto by_cost = descending(ridges);
  std::vector<Folds> folds;                           // of the sorted rows
  std::vector<std::vector<std::vector<Index>>> held;  // and their rows
  for (const Folds& partition : partitions) {
    folds.push_back(partition.restricted_to(order));
    held.push_back(folds.back().rows());
  }
  std::size_t programs = 0;
  for (const auto& of_partition : held) programs += of_partition.size();
  execution.observer.begin("columns", static_cast<double>(programs * static_cast<std::size_t>(code().cols())));
  std::atomic<std::size_t> done{0};
  const auto column = [&](const ProblemGroup& group, ConstView K_group, std::size_t k) {
    DenseForm Q(K_group);
    const std::vector<Run> runs = runs_of(group.rows);
    const Vector t = group.T.col(static_cast<Index>(k));
    const BoxQpOptions options = for_screening(options_, t.size());
    std::vector<Vector> solutions;  // of all rows
    Vector s = Vector::Zero(t.size());
    for (const std::size_t r : by_cost) {
      solve_binary_svm(execution.interrupt, Q, t, dual_bounds(sorted, group.rows, 1 / ridges[r]), bias_, options, s);
      solutions.push_back(s);
    }
    for (std::size_t p = 0; p < partitions.size(); ++p) {
      for (int fold = 0; fold < folds[p].count; ++fold) {
        const std::vector<Index>& B = held[p][static_cast<std::size_t>(fold)];
        Matrix S(t.size(), static_cast<Index>(ridges.size()));
        Vector b(S.cols());
        for (std::size_t place = 0; place < by_cost.size(); ++place) {
          Vector upper = dual_bounds(sorted, group.rows, 1 / ridges[by_cost[place]]);
          for (std::size_t i = 0; i < group.rows.size(); ++i) {
            if (folds[p].fold_of_row[static_cast<std::size_t>(group.rows[i])] == fold) upper[static_cast<Index>(i)] = 0;
          }
          Vector start = seeded(solutions[place], upper, t, bias_);
          const auto summary = solve_binary_svm(execution.interrupt, Q, t, upper, bias_, options, start);
          count_unfinished(summary.converged, out[by_cost[place]]);
          b[static_cast<Index>(place)] = summary.b;
          S.col(static_cast<Index>(place)) = start;
        }
        const Matrix outputs = (block_of(K_sorted, B, runs) * S).rowwise() + b.transpose();
        for (std::size_t place = 0; place < by_cost.size(); ++place) {
          for (std::size_t i = 0; i < B.size(); ++i) {
            out[by_cost[place]].of_partition[p](order[static_cast<std::size_t>(B[i])], group.columns[k]) =
                outputs(static_cast<Index>(i), static_cast<Index>(place));
          }
        }
        execution.observer.update(static_cast<double>(++done), "");
      }
    }
  };
  const auto group_of_columns = [&](std::size_t g) {
    const ProblemGroup& group = groups[g];
    const bool all = static_cast<Index>(group.rows.size()) == rows.rows();
    const Matrix part = all ? Matrix() : block_of(K_sorted, group.rows, runs_of(group.rows));
    execution.backend.parallel_for(group.columns.size(),
                                   [&](std::size_t k) { column(group, all ? K_sorted : part, k); });
  };
  if (groups.size() > 1) {
    execution.backend.parallel_for(groups.size(), group_of_columns);
  } else if (!groups.empty()) {
    group_of_columns(0);
  }
  return out;
}

std::vector<HeldOut> SvmEcoc::heldout(const Execution& execution, const Kernel& kernel, View K,
                                      const LabelledRows& rows, std::span<const Folds> partitions,
                                      std::span<const double> ridges, Workspace& workspace) const {
  const auto compute = [&](std::span<const double> asked) {
    return problems_heldout(execution, K, rows, partitions, asked);
  };
  if (workspace.memo == nullptr) return compute(ridges);
  const auto problem = code_problem("svm", code(), bias_).add(options_.tolerance).value();
  return workspace.memo->together(problem, kernel.sigma, ridges, compute);
}

const MachineEntry kSvmOva{
    .name = "svm-ova",
    .summary = "one-vs-all SVMs",
    .cost = "L quadratic programs of n variables",
    .source = "Rifkin 2008",
    .parameter = "cost",
    .usual_book = "ova",
    .books = BookUse::own,
    .bias = BiasUse::optional,
    .program = true,
    .on_kernel = [](MachineChoices c) -> std::unique_ptr<Machine> {
      return std::make_unique<SvmEcoc>(std::move(c.labels), true, c.bias, c.tolerance());
    },
};

const MachineEntry kSvmOvo{
    .name = "svm-ovo",
    .summary = "one-vs-one SVMs: one for each pair of classes, decoded by votes",
    .cost = "L(L-1)/2 quadratic programs of 2n/L variables",
    .source = "Rifkin 2008",
    .parameter = "cost",
    .usual_book = "ava",
    .books = BookUse::own,
    .bias = BiasUse::always,
    .program = true,
    .on_kernel = [](MachineChoices c) -> std::unique_ptr<Machine> {
      return std::make_unique<SvmEcoc>(std::move(c.labels), false, true, c.tolerance());
    },
};

const MachineEntry kSvmDag{
    .name = "svm-dag",
    .summary = "one-vs-one SVMs, decoded by a directed acyclic graph",
    .cost = "L(L-1)/2 quadratic programs of 2n/L variables",
    .source = "Honeine, Noumir, Richard 2013",
    .parameter = "cost",
    .usual_book = "ava",
    .books = BookUse::own,
    .bias = BiasUse::always,
    .program = true,
    .usual_decoder = "dag",
    .on_kernel = [](MachineChoices c) -> std::unique_ptr<Machine> {
      return std::make_unique<SvmEcoc>(std::move(c.labels), false, true, c.tolerance());
    },
};

const MachineEntry kSvmEcoc{
    .name = "svm-ecoc",
    .summary = "SVMs on the columns of an error-correcting code",
    .cost = "a quadratic program of up to n variables for each column",
    .source = "Allwein, Schapire, Singer 2000",
    .parameter = "cost",
    .usual_book = "dense",
    .books = BookUse::coded,
    .bias = BiasUse::optional,
    .program = true,
    .usual_decoder = "loss:hinge",
    .on_kernel = [](MachineChoices c) -> std::unique_ptr<Machine> {
      return std::make_unique<SvmEcoc>(std::move(c.labels), false, c.bias, c.tolerance());
    },
};

}  // namespace manyone
