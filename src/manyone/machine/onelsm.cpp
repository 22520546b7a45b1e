// SPDX-License-Identifier: Apache-2.0
#include "manyone/machine/onelsm.hpp"

#include <fmt/format.h>

#include "manyone/base/errors.hpp"
#include "manyone/base/numbers.hpp"
#include "manyone/solve/ridge.hpp"

namespace manyone {

Matrix indicator_targets(std::span<const int> labels, Index classes) {
  Matrix T = Matrix::Zero(static_cast<Index>(labels.size()), classes);
  for (std::size_t i = 0; i < labels.size(); ++i) T(static_cast<Index>(i), labels[i]) = 1;
  return T;
}

Expansion fit_onelsm(const Execution& execution, const Kernel& kernel, const Features& rows,
                     std::span<const int> labels, const Labelbook& book, const OneLsmOptions& options) {
  const Index n = rows.rows();
  const double square = 8.0 * static_cast<double>(n) * static_cast<double>(n);
  execution.memory.require(square, fmt::format("the {} x {} Gram matrix", n, n),
                           "use fewer rows, more memory, or raise the limit with --memory");
  Matrix K(n, n);
  if (kernel.kind == KernelKind::precomputed) {
    K = rows.dense_rows(0, n);
  } else {
    execution.backend.gram_lower(kernel, rows, K, execution.interrupt);
  }
  RidgeSolution solution;
  const RidgeProblem problem{options.ridge, options.weights, options.bias};
  const Matrix T = indicator_targets(labels, book.classes());
  if (!solve_ridge(execution.backend, execution.interrupt, problem, K, T, solution)) {
    throw ConfigError(
        fmt::format("ridge {} is too small for this kernel: the system is not positive definite; use a larger ridge",
                    format_double(options.ridge)));
  }
  Expansion expansion;
  expansion.kernel = kernel;
  if (kernel.kind != KernelKind::precomputed) expansion.centres = rows;
  if (book.name == "indicator") {
    expansion.coefficients = std::move(solution.A);
    expansion.bias = std::move(solution.b);
  } else {
    expansion.coefficients = solution.A * book.codewords;
    expansion.bias = book.codewords.transpose() * solution.b;
  }
  expansion.drop_unused_centres();
  return expansion;
}

}  // namespace manyone
