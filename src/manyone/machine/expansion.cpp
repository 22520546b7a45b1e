// SPDX-License-Identifier: Apache-2.0
#include "manyone/machine/expansion.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "manyone/base/errors.hpp"

namespace manyone {

Index Expansion::features() const {
  return kernel.kind == KernelKind::precomputed ? coefficients.rows() : centres.features();
}

Matrix Expansion::evaluate(const Backend& backend, const Features& rows) const {
  if (rows.features() != features()) {
    throw InputError(fmt::format("expected {} features, found {}", features(), rows.features()));
  }
  Matrix out(rows.rows(), outputs());
  if (kernel.kind == KernelKind::precomputed) {
    out.rowwise() = bias.transpose();
    backend.multiply(1, rows.dense_rows(0, rows.rows()), Transpose::no, coefficients, Transpose::no, 1, out);
  } else {
    backend.expand(kernel, rows, centres, coefficients, bias, out);
  }
  return out;
}

void Expansion::drop_unused_centres() {
  if (kernel.kind == KernelKind::precomputed) return;
  std::vector<Index> used;
  for (Index i = 0; i < coefficients.rows(); ++i) {
    if ((coefficients.row(i).array() != 0).any()) used.push_back(i);
  }
  if (static_cast<Index>(used.size()) == coefficients.rows()) return;
  centres = centres.select(used);
  coefficients = Matrix(coefficients(used, Eigen::all));
}

void Expansion::group_centres_by_output() {
  if (kernel.kind == KernelKind::precomputed) return;
  std::vector<std::vector<Index>> of_output(static_cast<std::size_t>(outputs()));
  for (Index i = 0; i < coefficients.rows(); ++i) {
    Index output = 0;
    coefficients.row(i).cwiseAbs().maxCoeff(&output);
    if ((coefficients.row(i).array() != 0).count() != 1) return;
    of_output[static_cast<std::size_t>(output)].push_back(i);
  }
  std::vector<Index> order;
  for (const auto& rows : of_output) order.insert(order.end(), rows.begin(), rows.end());
  if (std::is_sorted(order.begin(), order.end())) return;
  centres = centres.select(order);
  coefficients = Matrix(coefficients(order, Eigen::all));
}

}  // namespace manyone
