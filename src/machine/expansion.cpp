// SPDX-License-Identifier: Apache-2.0
#include "machine/expansion.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "manyone/errors.hpp"

namespace manyone {

Index Expansion::features() const { return kernel.precomputed() ? coefficients.rows() : centres.features(); }

Matrix Expansion::evaluate(const Backend& backend, const Features& rows) const {
  if (rows.features() != features()) {
    throw InputError(fmt::format("expected {} features, found {}", features(), rows.features()));
  }
  Matrix out(rows.rows(), outputs());
  if (kernel.precomputed()) {
    out.rowwise() = bias.transpose();
    const Matrix copied = rows.sparse() ? rows.dense_rows(0, rows.rows()) : Matrix();
    backend.multiply(1, rows.sparse() ? ConstView(copied) : ConstView(rows.view()), Transpose::no, coefficients,
                     Transpose::no, 1, out);
  } else {
    backend.expand(kernel, rows, centres, coefficients, bias, out);
  }
  return out;
}

void Expansion::arrange_centres(std::span<const int> labels) {
  if (kernel.precomputed()) return;
  std::vector<Index> order;
  Index entries = 0;
  for (Index i = 0; i < coefficients.rows(); ++i) {
    const Index own = (coefficients.row(i).array() != 0).count();
    if (own > 0) order.push_back(i);
    entries += own;
  }
  // Outputs may be the bias alone; what reads models expects one centre at least.
  if (order.empty() && coefficients.rows() > 0) order.push_back(0);
  if (2 * entries <= static_cast<Index>(order.size()) * outputs()) {
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
      return labels[static_cast<std::size_t>(a)] < labels[static_cast<std::size_t>(b)];
    });
  }
  if (static_cast<Index>(order.size()) == coefficients.rows() && std::is_sorted(order.begin(), order.end())) return;
  centres = centres.select(order);
  coefficients = Matrix(coefficients(order, Eigen::all));
}

}  // namespace manyone
