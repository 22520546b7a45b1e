// SPDX-License-Identifier: Apache-2.0
#include "manyone/machine/msvr.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "manyone/base/errors.hpp"

namespace manyone {

namespace {

/// Columns of eigenvectors whose values are not rounding noise, at most `most`, largest first; `values` likewise.
Matrix leading_vectors(const Execution& execution, Matrix symmetric, Index most, Vector& values) {
  Vector ascending;
  execution.backend.eigen(symmetric, ascending, execution.interrupt);
  const Index m = ascending.size();
  const double noise =
      static_cast<double>(m) * std::numeric_limits<double>::epsilon() * std::max(ascending[m - 1], 0.0);
  Index r = 0;
  while (r < std::min(most, m) && ascending[m - 1 - r] > noise) ++r;
  values = ascending.tail(r).reverse();
  return symmetric.rightCols(r).rowwise().reverse();
}

}  // namespace

std::string_view name_of(PenaltyKind kind) { return kind == PenaltyKind::rkhs ? "rkhs" : "identity"; }

PenaltyKind penalty_from_name(std::string_view name) {
  for (const auto kind : {PenaltyKind::identity, PenaltyKind::rkhs}) {
    if (name_of(kind) == name) return kind;
  }
  throw ConfigError(fmt::format("penalty '{}' is not known; penalties are identity and rkhs", name));
}

KernelColumns::KernelColumns(const Kernel& kernel, Features centres) : kernel_(kernel), centres_(std::move(centres)) {}

KernelColumns KernelColumns::at(const Kernel& kernel) const {
  KernelColumns out = *this;
  out.kernel_ = kernel;
  return out;
}

Matrix KernelColumns::of(const Backend& backend, const Features& rows) const {
  if (raw()) return rows.dense_rows(0, rows.rows());
  Matrix K(rows.rows(), count());
  backend.pair_statistics(kernel_.statistic(), rows, centres_, K);
  backend.apply_kernel(kernel_, K, K);
  return K;
}

Matrix KernelColumns::of_centres(const Execution& execution) const {
  Matrix K(count(), count());
  execution.backend.pair_statistics(kernel_.statistic(), centres_, K, execution.interrupt);
  execution.backend.apply_kernel(kernel_, K, K);
  return K;
}

Expansion KernelColumns::expansion(const Matrix& A, const Vector& b) const {
  if (!raw()) return {kernel_, centres_, A, b};
  // x'A is the linear kernel at the columns of A.
  Kernel linear;
  linear.kind = KernelKind::linear;
  return {linear, Features(Matrix(A.transpose())), Matrix::Identity(A.cols(), A.cols()), b};
}

Msvr::Msvr(const Execution& execution, const MsvrChoice& choice, const KernelColumns& columns, const GroupedSums& all,
           Vector shift)
    : execution_(execution), choice_(choice), shift_(std::move(shift)), centre_(Vector::Zero(columns.count())) {
  Vector values;
  if (choice.components) {
    centre_ = all.totals.rowwise().sum() / all.weight();
    T_ = leading_vectors(execution, all.centred_squares(), *choice.components, values);
  } else if (choice.penalty == PenaltyKind::rkhs && !columns.raw()) {  // of features both penalties are the same
    T_ = leading_vectors(execution, columns.of_centres(execution), columns.count(), values);
    T_.array().rowwise() /= values.transpose().array().sqrt();
  }
}

GroupedSums Msvr::seen(const GroupedSums& sums) const {
  return T_.size() > 0 ? sums.mapped(execution_.backend, centre_, T_) : sums;
}

bool Msvr::fit(const GroupedSums& seen, double ridge, MsvrFit& out) const {
  GroupRegression regression;
  if (!solve_groups(execution_.backend, execution_.interrupt, seen, ridge, choice_.bias, regression)) return false;
  const Vector mean = seen.totals.rowwise().sum() / seen.weight();
  out.explained = (seen.totals - mean * seen.weights.transpose()).transpose() * regression.W;
  if (T_.size() > 0) {
    out.A.resize(T_.rows(), regression.W.cols());
    execution_.backend.multiply(1, T_, Transpose::no, regression.W, Transpose::no, 0, out.A);
  } else {
    out.A = regression.W;
  }
  out.b = regression.b - out.A.transpose() * (shift_ + centre_);
  out.origin = choice_.components ? regression.b : out.b;
  out.W = std::move(regression.W);
  out.c = std::move(regression.b);
  return true;
}

Vector column_shift(const Execution& execution, const KernelColumns& columns) {
  if (columns.raw()) return Vector::Zero(columns.count());
  return columns.of_centres(execution).colwise().mean();
}

}  // namespace manyone
