// SPDX-License-Identifier: Apache-2.0
#include "manyone/data/scaling.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "manyone/base/errors.hpp"
#include "manyone/base/numbers.hpp"

namespace manyone {

namespace {

constexpr std::array<std::pair<std::string_view, ScalingKind>, 4> kNames = {{{"range", ScalingKind::range},
                                                                             {"standard", ScalingKind::standard},
                                                                             {"maxabs", ScalingKind::maxabs},
                                                                             {"none", ScalingKind::none}}};

/// 1 / width; 0 for a width of 0 or one so small that its inverse is beyond double.
double inverse_or_zero(double width) {
  const double inverse = width > 0 ? 1 / width : 0;
  return std::isfinite(inverse) ? inverse : 0;
}

void fit_range(const Matrix& x, Scaling& scaling) {
  const Eigen::RowVectorXd low = x.colwise().minCoeff();
  const Eigen::RowVectorXd high = x.colwise().maxCoeff();
  // Halves first: high - low may overflow where neither does.
  for (Index j = 0; j < x.cols(); ++j) {
    const double half_width = 0.5 * high[j] - 0.5 * low[j];
    scaling.offset[j] = 0.5 * high[j] + 0.5 * low[j];
    scaling.factor[j] = inverse_or_zero(half_width);
  }
}

void fit_standard(const Matrix& x, Scaling& scaling) {
  for (Index j = 0; j < x.cols(); ++j) {
    // In units of a power of two near the largest value, so that no sum or square overflows or vanishes.
    const double largest = x.col(j).cwiseAbs().maxCoeff();
    const double unit = largest > 0 ? std::exp2(std::clamp(std::ilogb(largest), -1000, 1000)) : 1;
    const Vector u = x.col(j) / unit;
    const double mean = u.mean();
    const double deviation = std::sqrt((u.array() - mean).square().mean());
    // A constant column may have a deviation of rounding noise, not exactly 0.
    const bool constant = (x.col(j).array() == x(0, j)).all();
    scaling.offset[j] = mean * unit;
    scaling.factor[j] = constant ? 0 : inverse_or_zero(deviation * unit);
  }
}

void fit_maxabs(const Features& rows, Scaling& scaling) {
  Vector largest = Vector::Zero(rows.features());
  if (rows.sparse()) {
    for (Index i = 0; i < rows.rows(); ++i) {
      for (SparseMatrix::InnerIterator it(rows.csr(), i); it; ++it) {
        largest[it.col()] = std::max(largest[it.col()], std::abs(it.value()));
      }
    }
  } else {
    largest = rows.dense().cwiseAbs().colwise().maxCoeff().transpose();
  }
  scaling.offset.setZero();
  for (Index j = 0; j < largest.size(); ++j) scaling.factor[j] = inverse_or_zero(largest[j]);
}

}  // namespace

std::string_view name_of(ScalingKind kind) {
  return std::find_if(kNames.begin(), kNames.end(), [&](const auto& entry) { return entry.second == kind; })->first;
}

ScalingKind scaling_from_name(std::string_view name) {
  for (const auto& [text, kind] : kNames) {
    if (text == name) return kind;
  }
  throw ConfigError(fmt::format("scaling '{}' is not known; choose range, standard, maxabs or none", name));
}

Scaling Scaling::fit(ScalingKind kind, const Features& rows) {
  const Index d = rows.features();
  if (rows.sparse() && (kind == ScalingKind::range || kind == ScalingKind::standard)) {
    throw ConfigError(
        fmt::format("scaling '{}' would make sparse rows dense; use --scale maxabs or none", name_of(kind)));
  }
  Scaling scaling{kind, Vector::Zero(d), Vector::Ones(d)};
  if (rows.rows() == 0 || d == 0) return scaling;
  switch (kind) {
    case ScalingKind::range: fit_range(rows.dense(), scaling); break;
    case ScalingKind::standard: fit_standard(rows.dense(), scaling); break;
    case ScalingKind::maxabs: fit_maxabs(rows, scaling); break;
    case ScalingKind::none: break;
  }
  return scaling;
}

void Scaling::apply(Features& rows) const {
  if (rows.features() != offset.size()) {
    throw InputError(fmt::format("expected {} features, found {}", offset.size(), rows.features()));
  }
  if (kind == ScalingKind::none) return;
  if (rows.sparse() && kind != ScalingKind::maxabs)
    rows = Features(rows.dense_rows(0, rows.rows()));  // offsets move the zeros
  if (rows.sparse()) {
    SparseMatrix& x = rows.csr();
    for (Index i = 0; i < x.rows(); ++i) {
      for (SparseMatrix::InnerIterator it(x, i); it; ++it) it.valueRef() *= factor[it.col()];
    }
    return;
  }
  Matrix& x = rows.dense();
  for (Index i = 0; i < x.rows(); ++i) {
    x.row(i) = ((x.row(i).transpose() - offset).cwiseProduct(factor)).transpose();
  }
}

}  // namespace manyone
