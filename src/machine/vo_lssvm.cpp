// SPDX-License-Identifier: Apache-2.0
#include "machine/vo_lssvm.hpp"

#include <atomic>

#include "base/small_algebra.hpp"
#include "machine/reduced_vo.hpp"
#include "machine/registry.hpp"
#include "solve/ridge.hpp"

namespace manyone {

namespace {

Vector weights_of(const LabelledRows& rows, const std::vector<Index>& block) {
  return rows.weights.size() > 0 ? Vector(rows.weights(block)) : Vector();
}

/// One block of the system: P = (H + ridge Omega^{-1})^{-1}, with a bias P - P Y' (Y P Y')^{-1} Y P. The rows of Y are
/// then independent: codewords in the coordinates of their basis.
struct Block {
  Matrix P;
  Vector beta;
};

/// Held-out outputs of every partition.
class LeftOut {
 public:
  LeftOut(const Execution& execution, const LabelSpace& labels, bool bias, View K, const LabelledRows& rows,
          std::span<const Folds> partitions)
      : execution_(execution),
        labels_(labels),
        bias_(bias),
        K_(K),
        rows_(rows),
        partitions_(partitions),
        blocks_(labels.gamma, rows) {}

  HeldOut at(double ridge) {
    std::vector<Block> solved(blocks_.count());
    for (std::size_t k = 0; k < solved.size(); ++k) {
      if (!solve(k, ridge, solved[k])) return {};
    }
    HeldOut out;
    out.solved = true;
    for (const Folds& folds : partitions_) out.of_partition.push_back(one_partition(solved, folds));
    return out;
  }

 private:
  bool solve(std::size_t k, double ridge, Block& block) {
    const auto& rows = blocks_.rows(k);
    block.P = blocks_.split() ? Matrix(K_(rows, rows)) : Matrix(K_);
    blocks_.weigh(rows, rows, block.P);
    add_ridge({ridge, weights_of(rows_, rows), false}, block.P);
    if (!execution_.backend.invert(block.P, execution_.interrupt)) return false;
    if (bias_) {
      const Matrix basis = codeword_basis(labels_.book, rows_);
      const Matrix Yt = codeword_rows(labels_.book, rows_) * basis;
      Matrix PY(Yt.rows(), Yt.cols());
      execution_.backend.multiply(1, block.P, Transpose::no, Yt, Transpose::no, 0, PY);
      const Matrix reduced = solve_symmetric(Yt.transpose() * PY, PY.transpose());
      execution_.backend.multiply(-1, PY, Transpose::no, reduced, Transpose::no, 1, block.P);
      rho_ = basis * reduced;
      b_ = rho_.rowwise().sum();
    }
    block.beta = block.P.rowwise().sum();
    return true;
  }

  /// beta^{(-B)}_R = beta_R - P_RB P_BB^{-1} beta_B,  u_B = class-segmented K_BR beta^{(-B)}_R (the stable form).
  Matrix one_partition(const std::vector<Block>& solved, const Folds& folds) const {
    Matrix out(rows_.rows(), rows_.classes);
    const auto fold_rows = folds.rows();
    for (const std::vector<Index>& B : fold_rows) {
      execution_.interrupt.check();
      if (B.empty()) continue;
      Vector beta = Vector::Zero(rows_.rows());
      Vector b = b_;
      for (std::size_t k = 0; k < solved.size(); ++k) leave_out(solved[k], k, folds, B, beta, b);
      Matrix u = segmented_sums(K_, B, beta, rows_);
      if (bias_) u.rowwise() += output_bias(labels_.book, b).transpose();
      for (std::size_t r = 0; r < B.size(); ++r) out.row(B[r]) = u.row(static_cast<Index>(r));
    }
    return out;
  }

  void leave_out(const Block& block, std::size_t k, const Folds& folds, const std::vector<Index>& B, Vector& beta,
                 Vector& b) const {
    const auto& rows = blocks_.rows(k);
    const int fold = folds.fold_of_row[static_cast<std::size_t>(B.front())];
    std::vector<Index> out;  // positions in the block of the rows left out
    std::vector<Index> kept;
    for (std::size_t i = 0; i < rows.size(); ++i)
      (folds.fold_of_row[static_cast<std::size_t>(rows[i])] == fold ? out : kept).push_back(static_cast<Index>(i));
    Vector shifted = block.beta;
    if (!out.empty()) {
      Matrix P_BB = block.P(out, out);
      if (kept.empty() || !execution_.backend.cholesky(P_BB, execution_.interrupt)) return;  // nothing to learn from
      Matrix Z = block.beta(out);
      execution_.backend.cholesky_solve(P_BB, Z);
      for (std::size_t j = 0; j < out.size(); ++j)
        shifted -= Z(static_cast<Index>(j), 0) * block.P.row(out[j]).transpose();
      if (bias_) {
        for (std::size_t j = 0; j < out.size(); ++j) b -= rho_.col(out[j]) * Z(static_cast<Index>(j), 0);
      }
    }
    for (const Index i : kept) beta[rows[static_cast<std::size_t>(i)]] = shifted[i];
  }

  const Execution& execution_;
  const LabelSpace& labels_;
  bool bias_;
  View K_;
  const LabelledRows& rows_;
  std::span<const Folds> partitions_;
  ClassBlocks blocks_;
  Matrix rho_;  ///< with bias: q x n, b = rho 1
  Vector b_;
};

}  // namespace

Coefficients VoLssvm::fit(const Execution& execution, const Gram& gram, const LabelledRows& rows, double ridge) const {
  const ClassBlocks blocks(labels().gamma, rows);
  Vector beta(rows.rows());
  Vector v = Vector::Zero(rows.classes);
  std::atomic<bool> solved = true;
  execution.backend.parallel_for(blocks.count(), [&](std::size_t k) {
    const auto& block = blocks.rows(k);
    Matrix H = blocks.weighted_lower(gram, k);
    const RidgeProblem problem{ridge, weights_of(rows, block), false};
    Matrix right = Matrix::Ones(H.rows(), 1);
    Matrix basis;
    if (bias_) {  // [1 Y']
      basis = codeword_basis(labels().book, rows);
      right.resize(H.rows(), 1 + basis.cols());
      right << Vector::Ones(H.rows()), codeword_rows(labels().book, rows) * basis;
    }
    RidgeSolution solution;
    if (!solve_ridge(execution.backend, execution.interrupt, problem, H, right, solution)) {
      solved = false;
      return;
    }
    Vector z = solution.A.col(0);
    if (bias_) {  // b = (Y Z)^{-1} Y z, beta = z - Z b with Z = (H + ridge Omega^{-1})^{-1} Y'
      const auto Z = solution.A.rightCols(basis.cols());
      const auto Y = right.rightCols(basis.cols()).transpose();
      const Vector b = solve_symmetric(Y * Z, Y * z);
      z -= Z * b;
      v = output_bias(labels().book, basis * b);
    }
    for (std::size_t i = 0; i < block.size(); ++i) beta[block[i]] = z[static_cast<Index>(i)];
  });
  if (!solved) throw_ridge_too_small(ridge);
  return {segmented(beta, rows), v};
}

std::vector<HeldOut> VoLssvm::heldout(const Execution& execution, const Kernel&, View K, const LabelledRows& rows,
                                      std::span<const Folds> partitions, std::span<const double> ridges,
                                      Workspace&) const {
  LeftOut left_out(execution, labels(), bias_, K, rows, partitions);
  std::vector<HeldOut> out;
  for (const double ridge : ridges) out.push_back(left_out.at(ridge));
  return out;
}

const MachineEntry kVoLssvm{
    .name = "vo-lssvm",
    .summary = "vector-output LS-SVM: n unknowns, L systems of n/L rows with indicators",
    .cost = "n^3/3; n^3/(3L^2) with indicators",
    .source = "Honeine, Noumir, Richard 2013",
    .parameter = "cost",
    .bias = BiasUse::with_centred_books,
    .label_kernel = true,
    .own_penalty = true,
    .centres_have_labels = true,
    .weighs_columns = true,
    .on_kernel = [](MachineChoices c) -> std::unique_ptr<Machine> {
      return std::make_unique<VoLssvm>(std::move(c.labels), c.bias);
    },
    .on_columns = [](ColumnChoices c) -> std::unique_ptr<ReducedMachine> {
      return std::make_unique<ReducedVo>(c.execution, ReducedVoKind::lssvm, std::move(c.labels), c.bias, c.columns);
    },
};

}  // namespace manyone
