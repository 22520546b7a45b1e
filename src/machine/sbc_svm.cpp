// SPDX-License-Identifier: Apache-2.0
#include "machine/sbc_svm.hpp"

#include <cmath>
#include <vector>

#include "machine/registry.hpp"
#include "machine/training_parts.hpp"
#include "machine/unfinished.hpp"

namespace manyone {

namespace {

// Relative change of the weights, or share of the objective still to be gained, at which they are learned; steps at
// most.
constexpr double kLearned = 1e-3;
constexpr int kLearningSteps = 100;
constexpr int kSimplexSteps = 1000;

/// sum_j mu_j K_j, where K_j(r, s) = exp(-1/(2 sigma^2)) if one of r and s is j, else 1.
Matrix learned_gram(const Kernel& kernel, const Vector& mu) {
  const double width = kernel.entry->sigma ? kernel.sigma : 1;
  const double apart = 1 - std::exp(-1 / (2 * width * width));
  const Index c = mu.size();
  Matrix out = Matrix::Constant(c, c, mu.sum());
  for (Index r = 0; r < c; ++r) {
    for (Index s = 0; s < c; ++s) {
      if (r != s) out(r, s) -= apart * (mu[r] + mu[s]);
    }
  }
  return out;
}

}  // namespace

Index SbcSvm::copies() const { return kind_ == SbcKind::ecoc ? labels().book.length() : labels().classes(); }

OutputCode SbcSvm::output_code() const {
  if (kind_ == SbcKind::ecoc) return {OutputMeaning::columns, labels().book.codewords};
  return {OutputMeaning::scores, Matrix::Identity(labels().classes(), labels().classes())};
}

Matrix SbcSvm::label_gram(const Kernel& kernel) const {
  const Index c = copies();
  Matrix out(c, c);
  const double width = kernel.entry->sigma ? kernel.sigma : 1;  // the paper's is Gaussian, of the same width
  for (Index r = 0; r < c; ++r) {
    for (Index s = 0; s < c; ++s) {
      const double square = kind_ == SbcKind::identity ? (r == s ? 0.0 : 2.0) : static_cast<double>((r - s) * (r - s));
      out(r, s) = std::exp(-square / (2 * width * width));
    }
  }
  return out;
}

BoxQpSummary SbcSvm::solve_with(const Interrupt& interrupt, ConstView K, ConstView K_M, const BoxQp& problem,
                                const BoxQpOptions& options, Matrix& W) const {
  KroneckerForm Q(K, K_M);
  Vector s = Eigen::Map<const Vector>(W.data(), W.size());
  const auto summary = solve_box_qp(interrupt, Q, problem, options, s);
  W = Eigen::Map<const Matrix>(s.data(), W.rows(), W.cols());
  return summary;
}

Coefficients SbcSvm::solve(const Interrupt& interrupt, const Kernel& kernel, ConstView K, const LabelledRows& rows,
                           double ridge, const BoxQpOptions& options, BoxQpSummary& summary) const {
  const Index n = rows.rows();
  const Index c = copies();
  BoxQp problem{Vector(n * c), Vector(n * c), Vector(n * c), true};
  const double bound = 1 / (ridge * static_cast<double>(c) * static_cast<double>(n));
  for (Index i = 0; i < n; ++i) {
    const int label = rows.labels[static_cast<std::size_t>(i)];
    const double upper = rows.weights.size() > 0 ? bound * rows.weights[i] : bound;
    for (Index r = 0; r < c; ++r) {
      const double t = kind_ == SbcKind::ecoc ? labels().book.codewords(label, r) : (r == label ? 1.0 : -1.0);
      problem.c[i * c + r] = t;
      problem.lower[i * c + r] = t < 0 ? -upper : 0;
      problem.upper[i * c + r] = t > 0 ? upper : 0;
    }
  }
  Matrix W = Matrix::Zero(n, c);
  if (kind_ != SbcKind::kernel) {
    const Matrix K_M = label_gram(kernel);
    summary = solve_with(interrupt, K, K_M, problem, options, W);
    return {W * K_M, Vector::Constant(c, summary.b)};
  }
  const double most = std::sqrt(static_cast<double>(n));
  const bool simplex = learning_ == LabelLearning::simplex;
  Vector mu = Vector::Constant(c, most / static_cast<double>(c));
  Matrix K_M = learned_gram(kernel, mu);
  for (int step = 0; step < (simplex ? kSimplexSteps : kLearningSteps); ++step) {
    summary = solve_with(interrupt, K, K_M, problem, options, W);
    // The limit of a fit is so far off that further programs would not come nearer.
    if (!summary.converged && options.max_steps == 0) break;
    // <V, K_j> with V = W'KW is what the objective loses for each unit of the weight of kernel j.
    const Matrix V = W.transpose() * (K * W);
    Vector gradient(c);
    for (Index j = 0; j < c; ++j) gradient[j] = V.cwiseProduct(learned_gram(kernel, Vector::Unit(c, j))).sum();
    Vector next = mu;
    bool learned = false;
    if (simplex) {
      // The objective is convex in mu: no weights of this sum gain more than the difference of the two sides.
      learned = most * gradient.maxCoeff() - gradient.dot(mu) <= kLearned * gradient.dot(mu);
      next = mu.cwiseProduct(gradient.cwiseMax(0).cwiseSqrt());  // the best mu for the parts w_j of this machine
      next *= most / next.sum();
    } else {
      next += gradient;
      if (next.sum() > most) next *= most / next.sum();
      learned = (next - mu).norm() <= kLearned * mu.norm();
    }
    if (learned || !(next.sum() > 0)) break;  // as published: the weights of the machine that was just trained
    mu = next;
    K_M = learned_gram(kernel, mu);
  }
  return {W * K_M, Vector::Constant(c, summary.b)};
}

Coefficients SbcSvm::fit(const Execution& execution, const Gram& gram, const LabelledRows& rows, double ridge) const {
  const Matrix K = gram.full();
  BoxQpSummary summary;
  Coefficients out = solve(execution.interrupt, gram.kernel(), K, rows, ridge, options_, summary);
  Unfinished unfinished;
  unfinished.add(summary);
  unfinished.report(execution, options_.tolerance);
  return out;
}

std::vector<HeldOut> SbcSvm::heldout(const Execution& execution, const Kernel& kernel, View K, const LabelledRows& rows,
                                     std::span<const Folds> partitions, std::span<const double> ridges,
                                     Workspace&) const {
  auto out = zero_outputs(ridges.size(), partitions.size(), rows.rows(), copies());
  for_each_fold(execution, rows, partitions, square_bytes(rows.rows()), [&](const FoldTask& task) {
    const auto& [R, part] = task.training;
    const Matrix K_RR = K(R, R);
    const Matrix K_BR = K(task.held_out, R);
    for (std::size_t r = 0; r < ridges.size(); ++r) {
      BoxQpSummary summary;
      const Coefficients found = solve(execution.interrupt, kernel, K_RR, part, ridges[r],
                                       for_screening(options_, part.rows() * copies()), summary);
      count_unfinished(summary.converged, out[r]);
      out[r].of_partition[task.partition](task.held_out, Eigen::all) = (K_BR * found.A).rowwise() + found.b.transpose();
    }
  });
  return out;
}

const MachineEntry kSbcSingle{
    .name = "sbc-single",
    .summary = "single binary SVM on copies of the rows, labelled by the number of the class",
    .cost = "a quadratic program of nL variables",
    .source = "El-Yaniv, Pechyony, Yom-Tov 2008",
    .parameter = "cost",
    .usual_book = "ova",
    .books = BookUse::own,
    .bias = BiasUse::always,
    .program = true,
    .on_kernel = [](MachineChoices c) -> std::unique_ptr<Machine> {
      return std::make_unique<SbcSvm>(std::move(c.labels), SbcKind::single, c.tolerance());
    },
};

const MachineEntry kSbcIdentity{
    .name = "sbc-identity",
    .summary = "single binary SVM on copies of the rows, labelled by unit vectors",
    .cost = "a quadratic program of nL variables",
    .source = "El-Yaniv, Pechyony, Yom-Tov 2008",
    .parameter = "cost",
    .usual_book = "ova",
    .books = BookUse::own,
    .bias = BiasUse::always,
    .program = true,
    .on_kernel = [](MachineChoices c) -> std::unique_ptr<Machine> {
      return std::make_unique<SbcSvm>(std::move(c.labels), SbcKind::identity, c.tolerance());
    },
};

const MachineEntry kSbcKernel{
    .name = "sbc-kernel",
    .summary = "single binary SVM on copies of the rows, the kernel on labels learned with it",
    .cost = "some quadratic programs of nL variables",
    .source = "El-Yaniv, Pechyony, Yom-Tov 2008",
    .parameter = "cost",
    .usual_book = "ova",
    .books = BookUse::own,
    .bias = BiasUse::always,
    .program = true,
    .learns_labels = true,
    .on_kernel = [](MachineChoices c) -> std::unique_ptr<Machine> {
      return std::make_unique<SbcSvm>(std::move(c.labels), SbcKind::kernel, c.tolerance(), c.solver.learning);
    },
};

const MachineEntry kSbcEcoc{
    .name = "sbc-ecoc",
    .summary = "single binary SVM on copies of the rows, one for each column of a code",
    .cost = "a quadratic program of nF variables",
    .source = "El-Yaniv, Pechyony, Yom-Tov 2008",
    .parameter = "cost",
    .usual_book = "dense",
    .books = BookUse::coded,
    .bias = BiasUse::always,
    .program = true,
    .on_kernel = [](MachineChoices c) -> std::unique_ptr<Machine> {
      return std::make_unique<SbcSvm>(std::move(c.labels), SbcKind::ecoc, c.tolerance());
    },
};

}  // namespace manyone
