// SPDX-License-Identifier: Apache-2.0
#include "manyone/selection/refit.hpp"

#include "manyone/machine/training_parts.hpp"
#include "manyone/model/classifier.hpp"

namespace manyone {

Matrix refit_outputs(const Execution& execution, const Recipe& recipe, const Machine& machine, const CellData& data,
                     const std::vector<Index>& train, const std::vector<Index>& test, const CellParameters& at) {
  const Backend& backend = execution.backend;
  const Kernel kernel = recipe.kernel_at(at.sigma);
  const LabelledRows part = rows_at(data, train);
  if (data.raw) {
    Features rows = data.raw->select(train);
    Features queries = data.raw->select(test);
    const Scaling scaling = Scaling::fit(scaling_for(recipe, rows.sparse()), rows);
    scaling.apply(rows);
    scaling.apply(queries);
    Coefficients solution = machine.fit(execution, FeatureGram(execution, kernel, rows), part, at.ridge);
    return Expansion{kernel, rows, std::move(solution.A), std::move(solution.b)}.evaluate(backend, queries);
  }
  Matrix K = data.statistics(train, train);
  backend.apply_kernel(kernel, K, K);
  const Coefficients solution = machine.fit(execution, MatrixGram(kernel, K), part, at.ridge);
  Matrix cross = data.statistics(test, train);
  backend.apply_kernel(kernel, cross, cross);
  Matrix f(cross.rows(), solution.A.cols());
  f.rowwise() = solution.b.transpose();
  backend.multiply(1, cross, Transpose::no, solution.A, Transpose::no, 1, f);
  return f;
}

Matrix refit_by_fold(const Execution& execution, const Recipe& recipe, const Machine& machine, const CellData& data,
                     const Folds& folds, const CellParameters& at) {
  Matrix out;
  for (const std::vector<Index>& B : folds.rows()) {
    if (B.empty()) continue;
    execution.interrupt.check();
    const int fold = folds.fold_of_row[static_cast<std::size_t>(B.front())];
    std::vector<Index> R;
    for (Index i = 0; i < data.rows(); ++i) {
      if (folds.fold_of_row[static_cast<std::size_t>(i)] != fold) R.push_back(i);
    }
    const Matrix f = refit_outputs(execution, recipe, machine, data, R, B, at);
    if (out.size() == 0) out = Matrix::Zero(data.rows(), f.cols());
    for (std::size_t r = 0; r < B.size(); ++r) out.row(B[r]) = f.row(static_cast<Index>(r));
  }
  return out;
}

}  // namespace manyone
