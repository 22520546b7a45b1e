// SPDX-License-Identifier: Apache-2.0
#include "machine/vo_svm.hpp"

#include <algorithm>

#include "machine/registry.hpp"
#include "machine/training_parts.hpp"
#include "machine/unfinished.hpp"

namespace manyone {

namespace {

/// The penalty of the method of multipliers, of the size of kernel values: larger needs fewer rounds, and more steps in
/// each.
constexpr double kPenalty = 4;
constexpr int kRounds = 200;

}  // namespace

BoxQpSummary VoSvm::solve(const Interrupt& interrupt, ConstView H, const Matrix& Yt, double rho, Vector upper,
                          const BoxQpOptions& options, Vector& beta, Vector& b) const {
  DenseForm Q(H);
  BoxQp problem{Vector::Ones(H.rows()), Vector::Zero(H.rows()), std::move(upper), false};
  if (!bias_) return solve_box_qp(interrupt, Q, problem, options, beta);
  BoxQpSummary summary;
  for (int round = 0; round < kRounds; ++round) {
    problem.c = Vector::Ones(H.rows()) - Yt * b;
    summary = solve_box_qp(interrupt, Q, problem, options, beta);
    // The limit of a fit is so far off that further rounds would not come nearer.
    const bool hopeless = !summary.converged && options.max_steps == 0;
    const Vector unbalanced = Yt.transpose() * beta;
    b += rho * unbalanced;
    // What the change of b does to the conditions of the optimum.
    const double change = (Yt * (rho * unbalanced)).cwiseAbs().maxCoeff();
    summary.violation = std::max(summary.violation, change);
    summary.converged = summary.violation <= options.tolerance;
    if (summary.converged || hopeless) break;
  }
  return summary;
}

Coefficients VoSvm::fit(const Execution& execution, const Gram& gram, const LabelledRows& rows, double ridge) const {
  const ClassBlocks blocks(labels().gamma, rows);
  Vector beta = Vector::Zero(rows.rows());
  Vector b = Vector::Zero(labels().book.length());
  Unfinished unfinished;
  const auto fit_block = [&](std::size_t k) {
    const auto& block = blocks.rows(k);
    Matrix K = gram.full(block);
    const double rho = kPenalty * K.diagonal().mean();
    if (bias_) K.array() += rho;
    blocks.weigh(block, block, K);
    Vector part = Vector::Zero(K.rows());
    // With a bias there is a single block of all rows.
    const Matrix Yt = bias_ ? codeword_rows(labels().book, rows) : Matrix();
    unfinished.add(solve(execution.interrupt, K, Yt, rho, dual_bounds(rows, block, 1 / ridge), options_, part, b));
    beta(block) = part;
  };
  if (blocks.count() == 1) {
    fit_block(0);  // whose matrix is then made by all threads
  } else {
    execution.backend.parallel_for(blocks.count(), fit_block);
  }
  unfinished.report(execution, options_.tolerance);
  return {segmented(beta, rows), bias_ ? output_bias(labels().book, b) : Vector(Vector::Zero(rows.classes))};
}

std::vector<HeldOut> VoSvm::heldout(const Execution& execution, const Kernel&, View K, const LabelledRows& rows,
                                    std::span<const Folds> partitions, std::span<const double> ridges,
                                    Workspace&) const {
  auto out = zero_outputs(ridges.size(), partitions.size(), rows.rows(), rows.classes);
  const auto order = descending(ridges);
  const ClassBlocks blocks(labels().gamma, rows);
  const Matrix Yt = codeword_rows(labels().book, rows);
  const double rho = kPenalty * K.diagonal().mean();
  for_each_fold(execution, rows, partitions, square_bytes(rows.rows()), [&](const FoldTask& task) {
    std::vector<bool> used(static_cast<std::size_t>(rows.rows()), false);
    for (const Index i : task.training.places) used[static_cast<std::size_t>(i)] = true;
    std::vector<Vector> betas(ridges.size(), Vector::Zero(rows.rows()));
    std::vector<Vector> biases(ridges.size(), Vector::Zero(labels().book.length()));
    for (std::size_t k = 0; k < blocks.count(); ++k) {
      std::vector<Index> R;
      for (const Index i : blocks.rows(k)) {
        if (used[static_cast<std::size_t>(i)]) R.push_back(i);
      }
      if (R.empty()) continue;
      Matrix H = K(R, R);
      if (bias_) H.array() += rho;
      blocks.weigh(R, R, H);
      Vector beta = Vector::Zero(H.rows());
      Vector b = Vector::Zero(labels().book.length());
      bool saturated = false;
      for (const std::size_t r : order) {
        const Vector upper = dual_bounds(rows, R, 1 / ridges[r]);
        // Once no bound is active the solution is that of every larger cost.
        if (!saturated) {
          const auto summary = solve(execution.interrupt, H, Matrix(Yt(R, Eigen::all)), rho, upper,
                                     for_screening(options_, H.rows()), beta, b);
          count_unfinished(summary.converged, out[r]);
        }
        saturated = saturated || (beta.array() < upper.array()).all();
        betas[r](R) = beta;
        biases[r] = b;
      }
    }
    for (std::size_t r = 0; r < ridges.size(); ++r) {
      Matrix u = segmented_sums(K, task.held_out, betas[r], rows);
      if (bias_) u.rowwise() += output_bias(labels().book, biases[r]).transpose();
      out[r].of_partition[task.partition](task.held_out, Eigen::all) = u;
    }
  });
  return out;
}

const MachineEntry kVoSvm{
    .name = "vo-svm",
    .summary = "vector-output SVM: n unknowns, L problems of n/L rows with indicators",
    .cost = "a quadratic program of n variables",
    .source = "Honeine, Noumir, Richard 2013",
    .parameter = "cost",
    .bias = BiasUse::with_centred_books,
    .label_kernel = true,
    .program = true,
    .on_kernel = [](MachineChoices c) -> std::unique_ptr<Machine> {
      return std::make_unique<VoSvm>(std::move(c.labels), c.bias, c.tolerance());
    },
};

}  // namespace manyone
