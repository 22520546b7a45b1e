// SPDX-License-Identifier: Apache-2.0
#include "machine/vo_rls.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include "base/small_algebra.hpp"
#include "machine/reduced_vo.hpp"
#include "machine/registry.hpp"
#include "machine/training_parts.hpp"

namespace manyone {

namespace {

/// A system S c = right in coordinates c; beta = basis c (the identity when there is no basis).
struct Reduced {
  Matrix S;
  Vector right;
  Matrix basis;
};

std::vector<Index> all_rows(Index n) {
  std::vector<Index> rows(static_cast<std::size_t>(n));
  std::iota(rows.begin(), rows.end(), Index{0});
  return rows;
}

/// sqrt of the row weights times the rows of M.
void weigh_rows(const LabelledRows& rows, Matrix& M) {
  if (rows.weights.size() > 0) M = rows.weights.cwiseSqrt().asDiagonal() * M;
}

/// G = Gamma o (K_b W K_b'), d_j = sum_i w_i Gamma(y_i, y_j) K_ij for the rows b of a block; `K` is K(all, b).
Reduced coefficient_system(const Execution& execution, const ClassBlocks& blocks, const std::vector<Index>& block,
                           const LabelledRows& rows, Matrix K) {
  Reduced out;
  Matrix H = K;
  blocks.weigh(all_rows(rows.rows()), block, H);
  out.right = rows.weights.size() > 0 ? Vector(H.transpose() * rows.weights) : Vector(H.colwise().sum().transpose());
  weigh_rows(rows, K);
  out.S.resize(K.cols(), K.cols());
  execution.backend.multiply(1, K, Transpose::yes, K, Transpose::no, 0, out.S);
  blocks.weigh(block, block, out.S);
  return out;
}

/// Gamma = C C', with as many columns as Gamma has positive eigenvalues.
Matrix label_factor(const Matrix& gamma) {
  const SymmetricEigen eigen = symmetric_eigen(gamma);
  const double cut = eigen.values.cwiseAbs().maxCoeff() * 1e-14 * static_cast<double>(gamma.rows());
  std::vector<Index> kept;
  for (Index k = 0; k < gamma.rows(); ++k) {
    if (eigen.values[k] > cut) kept.push_back(k);
  }
  return eigen.vectors(Eigen::all, kept) * Vector(eigen.values(kept)).cwiseSqrt().asDiagonal();
}

/// The same for the penalty |f|^2 = beta' H beta in the coordinates of H = V diag(l) V'.
Reduced function_system(const Execution& execution, const Matrix& gamma, const ClassBlocks& blocks,
                        const std::vector<Index>& block, const LabelledRows& rows, const Matrix& K) {
  const Index n = static_cast<Index>(block.size());
  Matrix V = K(block, Eigen::all);
  blocks.weigh(block, block, V);
  Vector l;
  execution.backend.eigen(V, l, execution.interrupt);  // columns of V, ascending
  const double cut = static_cast<double>(n) * std::numeric_limits<double>::epsilon() * l.cwiseAbs().maxCoeff();
  Index first = 0;
  while (first < n && !(l[first] > cut)) ++first;
  Reduced out;
  out.basis = V.rightCols(n - first) * l.tail(n - first).cwiseSqrt().cwiseInverse().asDiagonal();
  out.S = Matrix::Zero(n - first, n - first);
  out.right = Vector::Zero(n - first);
  const Matrix C = label_factor(gamma);
  const auto label = [&](Index i) { return rows.labels[static_cast<std::size_t>(i)]; };
  Matrix part(n, n - first);
  Matrix Phi(rows.rows(), n - first);
  for (Index k = 0; k < C.cols(); ++k) {  // Phi_k = W^{1/2} K diag(C(y, k)) V l^{-1/2}
    bool present = false;
    for (Index j = 0; j < n; ++j) {
      part.row(j) = C(label(block[static_cast<std::size_t>(j)]), k) * out.basis.row(j);
      present = present || C(label(block[static_cast<std::size_t>(j)]), k) != 0;
    }
    if (!present) continue;  // a direction of labels that no row of this block has
    execution.backend.multiply(1, K, Transpose::no, part, Transpose::no, 0, Phi);
    Vector target(rows.rows());
    for (Index i = 0; i < target.size(); ++i) target[i] = C(label(i), k);
    if (rows.weights.size() > 0) target.array() *= rows.weights.array().sqrt();
    weigh_rows(rows, Phi);
    execution.backend.multiply(1, Phi, Transpose::yes, Phi, Transpose::no, 1, out.S);
    out.right += Phi.transpose() * target;
  }
  return out;
}

}  // namespace

std::vector<Vector> VoRls::solve(const Execution& execution, const Gram& gram, const LabelledRows& rows,
                                 std::span<const double> ridges) const {
  const ClassBlocks blocks(labels().gamma, rows);
  const std::vector<Index> everything = all_rows(rows.rows());
  std::vector<Vector> betas(ridges.size(), Vector::Zero(rows.rows()));
  for (std::size_t k = 0; k < blocks.count(); ++k) {
    execution.interrupt.check();
    const auto& block = blocks.rows(k);
    Matrix K = gram.block(everything, block);
    const Reduced system = penalty_ == VoRlsPenalty::coefficients
                               ? coefficient_system(execution, blocks, block, rows, std::move(K))
                               : function_system(execution, labels().gamma, blocks, block, rows, K);
    if (system.S.size() == 0) continue;  // rows without any direction: their function, and the least beta, is 0
    for (std::size_t r = 0; r < ridges.size(); ++r) {
      if (betas[r].size() == 0) continue;
      Matrix S = system.S;
      S.diagonal().array() += ridges[r];
      Matrix c = system.right;
      if (!execution.backend.cholesky(S, execution.interrupt)) {
        betas[r].resize(0);
        continue;
      }
      execution.backend.cholesky_solve(S, c);
      betas[r](block) = system.basis.size() > 0 ? Vector(system.basis * c) : Vector(c);
    }
  }
  return betas;
}

Coefficients VoRls::fit(const Execution& execution, const Gram& gram, const LabelledRows& rows, double ridge) const {
  const Vector beta = solve(execution, gram, rows, std::span(&ridge, 1))[0];
  if (beta.size() == 0) throw_ridge_too_small(ridge);
  return {segmented(beta, rows), Vector::Zero(rows.classes)};
}

std::vector<HeldOut> VoRls::heldout(const Execution& execution, const Kernel& kernel, View K, const LabelledRows& rows,
                                    std::span<const Folds> partitions, std::span<const double> ridges,
                                    Workspace&) const {
  auto out = zero_outputs(ridges.size(), partitions.size(), rows.rows(), rows.classes);
  for (std::size_t p = 0; p < partitions.size(); ++p) {
    const auto fold_rows = partitions[p].rows();
    for (std::size_t fold = 0; fold < fold_rows.size(); ++fold) {
      const std::vector<Index>& B = fold_rows[fold];
      if (B.empty()) continue;
      const auto [R, part] = without_fold(rows, partitions[p], fold);
      if (R.empty()) continue;
      const Matrix K_RR = K(R, R);
      const auto betas = solve(execution, MatrixGram(kernel, K_RR), part, ridges);
      const Matrix K_BR = K(B, R);
      for (std::size_t r = 0; r < ridges.size(); ++r) {
        if (betas[r].size() == 0) {
          out[r] = HeldOut{};
        } else if (out[r].solved) {
          out[r].of_partition[p](B, Eigen::all) = segmented_sums(K_BR, all_rows(K_BR.rows()), betas[r], part);
        }
      }
    }
  }
  return out;
}

double VoRls::fit_bytes(const LabelledRows& rows) const {
  const ClassBlocks blocks(labels().gamma, rows);
  const double strip = 8.0 * static_cast<double>(rows.rows()) * static_cast<double>(blocks.largest());
  const double square = square_bytes(blocks.largest());
  return penalty_ == VoRlsPenalty::coefficients ? 2 * strip + 2 * square : 2 * strip + 4 * square;
}

double VoRls::heldout_bytes(const LabelledRows& rows) const { return square_bytes(rows.rows()) + fit_bytes(rows); }

const MachineEntry kVoRlsBeta{
    .name = "vo-rls-beta",
    .summary = "vector-output least squares, penalty on the coefficients",
    .cost = "4n^3/3; n^3/L with indicators",
    .source = "Honeine, Noumir, Richard 2013",
    .parameter = "ridge",
    .label_kernel = true,
    .usual_penalty = PenaltyKind::identity,
    .own_penalty = true,
    .centres_have_labels = true,
    .on_kernel = [](MachineChoices c) -> std::unique_ptr<Machine> {
      return std::make_unique<VoRls>(std::move(c.labels), VoRlsPenalty::coefficients);
    },
    .on_columns = [](ColumnChoices c) -> std::unique_ptr<ReducedMachine> {
      return std::make_unique<ReducedVo>(c.execution, ReducedVoKind::rls_beta, std::move(c.labels), false, c.columns);
    },
};

const MachineEntry kVoRlsF{
    .name = "vo-rls-f",
    .summary = "vector-output least squares, penalty on the function",
    .cost = "about 10n^3 + 4qn^3; 4n^3/L with indicators",
    .source = "Honeine, Noumir, Richard 2013",
    .parameter = "ridge",
    .label_kernel = true,
    .own_penalty = true,
    .centres_have_labels = true,
    .on_kernel = [](MachineChoices c) -> std::unique_ptr<Machine> {
      return std::make_unique<VoRls>(std::move(c.labels), VoRlsPenalty::function);
    },
    .on_columns = [](ColumnChoices c) -> std::unique_ptr<ReducedMachine> {
      return std::make_unique<ReducedVo>(c.execution, ReducedVoKind::rls_f, std::move(c.labels), false, c.columns);
    },
};

}  // namespace manyone
