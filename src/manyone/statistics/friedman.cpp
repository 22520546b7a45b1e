// SPDX-License-Identifier: Apache-2.0
#include "manyone/statistics/friedman.hpp"

namespace manyone {

Matrix row_ranks(const Matrix& errors) {
  Matrix out(errors.rows(), errors.cols());
  for (Index i = 0; i < errors.rows(); ++i) {
    for (Index j = 0; j < errors.cols(); ++j) {
      const auto smaller = (errors.row(i).array() < errors(i, j)).count();
      const auto equal = (errors.row(i).array() == errors(i, j)).count();  // itself among them
      out(i, j) = static_cast<double>(smaller) + static_cast<double>(equal + 1) / 2;
    }
  }
  return out;
}

Friedman friedman(const Matrix& errors) {
  Friedman out;
  const auto N = static_cast<double>(errors.rows());
  const auto k = static_cast<double>(errors.cols());
  out.ranks = row_ranks(errors).colwise().mean().transpose();
  out.chi_square = 12 * N / (k * (k + 1)) * (out.ranks.squaredNorm() - k * (k + 1) * (k + 1) / 4);
  out.numerator = errors.cols() - 1;
  out.denominator = (errors.cols() - 1) * (errors.rows() - 1);
  const double rest = N * (k - 1) - out.chi_square;
  if (errors.rows() > 1 && rest > 1e-9 * N * k) out.F = (N - 1) * out.chi_square / rest;
  return out;
}

}  // namespace manyone
