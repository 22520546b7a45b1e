// SPDX-License-Identifier: Apache-2.0
#include "machine/sbc_ls.hpp"

#include <cmath>

#include "base/small_algebra.hpp"
#include "machine/reduced_sbc.hpp"
#include "machine/registry.hpp"

namespace manyone {

namespace {

/// K_M: the user's kernel on labels, otherwise the Gaussian of the same width as the one on rows (as in the paper);
/// for kernels without a width the inner products of the codewords.
Matrix label_gram(const LabelSpace& labels, const Kernel& kernel) {
  if (labels.own_kernel || !kernel.entry->sigma) return labels.gamma;
  const Matrix& M = labels.book.codewords;
  Matrix out(M.rows(), M.rows());
  for (Index r = 0; r < M.rows(); ++r) {
    for (Index s = 0; s < M.rows(); ++s)
      out(r, s) = std::exp(-(M.row(r) - M.row(s)).squaredNorm() / (2 * kernel.sigma * kernel.sigma));
  }
  return out;
}

Matrix signed_targets(const LabelledRows& rows) { return 2 * indicator_targets(rows.labels, rows.classes).array() - 1; }

}  // namespace

std::vector<LabelEigenspace> label_eigenspaces(const LabelSpace& labels, const Kernel& kernel) {
  const Matrix K_M = label_gram(labels, kernel);
  const SymmetricEigen eigen = symmetric_eigen(K_M);
  const Vector& values = eigen.values;
  const double rounding = 1e-13 * static_cast<double>(K_M.rows()) * values.cwiseAbs().maxCoeff();
  std::vector<LabelEigenspace> out;
  for (Index first = 0; first < values.size();) {
    Index last = first + 1;
    while (last < values.size() && values[last] - values[first] <= rounding) ++last;
    const double mean = values.segment(first, last - first).mean();
    if (mean > rounding) out.push_back({mean, eigen.vectors.middleCols(first, last - first)});
    first = last;
  }
  return out;
}

OutputCode SbcLs::output_code() const {
  return {OutputMeaning::scores, Matrix::Identity(labels().classes(), labels().classes())};
}

Coefficients SbcLs::fit(const Execution& execution, const Gram& gram, const LabelledRows& rows, double ridge) const {
  const Index n = rows.rows();
  Matrix K(n, n);
  gram.lower(K);
  const Matrix T = signed_targets(rows);
  const auto spaces = label_eigenspaces(labels(), gram.kernel());
  Coefficients out{Matrix::Zero(n, rows.classes), Vector::Zero(rows.classes)};
  Matrix factor;
  for (std::size_t g = 0; g < spaces.size(); ++g) {
    const bool last = g + 1 == spaces.size();
    if (!last) factor = K;
    RidgeSolution solution;
    const RidgeProblem problem{ridge / spaces[g].value, rows.weights, false};
    if (!solve_ridge(execution.backend, execution.interrupt, problem, last ? K : factor, Matrix(T * spaces[g].basis),
                     solution)) {
      throw_ridge_too_small(ridge);
    }
    out.A += solution.A * spaces[g].basis.transpose();
  }
  return out;
}

std::vector<HeldOut> SbcLs::heldout(const Execution& execution, const Kernel& kernel, View K, const LabelledRows& rows,
                                    std::span<const Folds> partitions, std::span<const double> ridges,
                                    Workspace& workspace) const {
  const Matrix T = signed_targets(rows);
  const auto spaces = label_eigenspaces(labels(), kernel);
  std::vector<HeldOut> out(ridges.size());
  for (std::size_t r = 0; r < ridges.size(); ++r) {
    out[r].solved = true;
    out[r].of_partition.assign(partitions.size(), Matrix::Zero(rows.rows(), rows.classes));
    for (const LabelEigenspace& space : spaces) {
      const RidgeProblem problem{ridges[r] / space.value, rows.weights, false};
      const Matrix T_g = T * space.basis;
      if (!invert_ridge(execution.backend, execution.interrupt, problem, K, T_g, workspace.inverse)) {
        out[r] = HeldOut{};
        break;
      }
      const auto outputs = heldout_outputs(execution.backend, execution.interrupt, K, workspace.inverse, T_g,
                                           partitions, HeldOutForm::stable);
      for (std::size_t p = 0; p < partitions.size(); ++p)
        out[r].of_partition[p] += outputs[p] * space.basis.transpose();
    }
  }
  return out;
}

const MachineEntry kSbcLs{
    .name = "sbc-ls",
    .summary = "single binary classifier on copies of the rows, with a kernel on labels",
    .cost = "2n^3/3 (one factorisation per eigenvalue of the label kernel)",
    .source = "El-Yaniv, Pechyony, Yom-Tov 2008",
    .parameter = "ridge",
    .label_kernel = true,
    .on_kernel = [](MachineChoices c) -> std::unique_ptr<Machine> {
      return std::make_unique<SbcLs>(std::move(c.labels));
    },
    .on_columns = [](ColumnChoices c) -> std::unique_ptr<ReducedMachine> {
      return std::make_unique<ReducedSbc>(c.execution, c.regression.penalty, c.labels, c.columns, c.all);
    },
};

}  // namespace manyone
