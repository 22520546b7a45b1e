// SPDX-License-Identifier: Apache-2.0
#include "data/scaling.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "manyone/errors.hpp"

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

void refuse_sparse(ScalingKind kind) {
  if (kind != ScalingKind::range && kind != ScalingKind::standard) return;
  throw ConfigError("scale", fmt::format("scaling '{}' would make sparse rows dense", name_of(kind)),
                    "use `scale=maxabs` or none");
}

constexpr int kLargestExponent = 1000;

/// sum += value; what the rounding loses is added to error (Knuth's TwoSum).
inline void add_exactly(double& sum, double& error, double value) {
  const double total = sum + value;
  const double part = total - sum;
  error += (sum - (total - part)) + (value - part);
  sum = total;
}

}  // namespace

std::string_view name_of(ScalingKind kind) {
  return std::find_if(kNames.begin(), kNames.end(), [&](const auto& entry) { return entry.second == kind; })->first;
}

ScalingKind scaling_from_name(std::string_view name) {
  for (const auto& [text, kind] : kNames) {
    if (text == name) return kind;
  }
  throw ConfigError("scale", fmt::format("scaling '{}' is not known", name), "choose range, standard, maxabs or none");
}

Scaling Scaling::fit(ScalingKind kind, const Features& rows) {
  if (rows.sparse()) refuse_sparse(kind);
  ScalingSums sums;
  sums.add(rows);
  return sums.finish(kind);
}

void ScalingSums::begin_moments() {
  const Index features = low_.size();
  exponent_.assign(static_cast<std::size_t>(features), -kLargestExponent);
  scale_ = Vector::Constant(features, std::exp2(kLargestExponent));
  shift_ = sum_ = sum_error_ = square_ = square_error_ = Vector::Zero(features);
}

void ScalingSums::add(const Features& rows) {
  if (rows_ == 0 && low_.size() == 0) low_ = high_ = Vector::Zero(rows.features());
  if (rows.features() != low_.size()) {
    throw InputError(fmt::format("expected {} features, found {}", low_.size(), rows.features()));
  }
  sparse_ = sparse_ || rows.sparse();
  if (rows.rows() == 0 || low_.size() == 0) return;
  add_extremes(rows);
  if (!rows.sparse()) add_moments(rows.view());
  rows_ += rows.rows();
}

void ScalingSums::add_extremes(const Features& rows) {
  if (rows.sparse()) {  // the zeros between the values are in low and high from the start
    for (Index i = 0; i < rows.rows(); ++i) {
      for (SparseMatrix::InnerIterator it(rows.csr(), i); it; ++it) {
        low_[it.col()] = std::min(low_[it.col()], it.value());
        high_[it.col()] = std::max(high_[it.col()], it.value());
      }
    }
    return;
  }
  const auto x = rows.view();
  if (rows_ == 0) low_ = high_ = x.row(0).transpose();
  for (Index i = 0; i < x.rows(); ++i) {
    low_ = low_.cwiseMin(x.row(i).transpose());
    high_ = high_.cwiseMax(x.row(i).transpose());
  }
}

void ScalingSums::grow_units() {
  const Vector most = largest();
  for (Index j = 0; j < most.size(); ++j) {
    if (!(most[j] > 0)) continue;
    int& exponent = exponent_[static_cast<std::size_t>(j)];
    const int wanted = std::clamp(std::ilogb(most[j]), -kLargestExponent, kLargestExponent);
    if (wanted <= exponent) continue;
    const double ratio = std::exp2(exponent - wanted);
    exponent = wanted;
    scale_[j] = std::exp2(-wanted);
    for (Vector* const first : {&shift_, &sum_, &sum_error_}) (*first)[j] *= ratio;
    for (Vector* const second : {&square_, &square_error_}) (*second)[j] *= ratio * ratio;
  }
}

void ScalingSums::add_moments(const Eigen::Map<const Matrix>& x) {
  if (exponent_.empty()) begin_moments();
  grow_units();
  if (rows_ == 0) shift_ = x.row(0).transpose().cwiseProduct(scale_);
  for (Index i = 0; i < x.rows(); ++i) {
    const double* const row = x.row(i).data();
    for (Index j = 0; j < x.cols(); ++j) {
      const double u = row[j] * scale_[j];
      const double from_shift = u - shift_[j];
      add_exactly(sum_[j], sum_error_[j], u);
      add_exactly(square_[j], square_error_[j], from_shift * from_shift);
    }
  }
}

Scaling ScalingSums::finish(ScalingKind kind) const {
  if (sparse_) refuse_sparse(kind);
  const Index d = low_.size();
  Scaling scaling{kind, Vector::Zero(d), Vector::Ones(d)};
  if (rows_ == 0) return scaling;
  switch (kind) {
    case ScalingKind::range:
      // Halves first: high - low may overflow where neither does.
      scaling.offset = 0.5 * high_ + 0.5 * low_;
      scaling.factor = (0.5 * high_ - 0.5 * low_).unaryExpr(&inverse_or_zero);
      break;
    case ScalingKind::standard: finish_standard(scaling); break;
    case ScalingKind::maxabs: scaling.factor = largest().unaryExpr(&inverse_or_zero); break;
    case ScalingKind::none: break;
  }
  return scaling;
}

void ScalingSums::finish_standard(Scaling& scaling) const {
  const auto n = static_cast<double>(rows_);
  for (Index j = 0; j < low_.size(); ++j) {
    const double unit = std::exp2(exponent_[static_cast<std::size_t>(j)]);
    // n variance = sum of (u - shift)^2 - n (mean - shift)^2, in twice the precision of double.
    const double mean = sum_[j] / n;
    const double mean_error = (std::fma(-mean, n, sum_[j]) + sum_error_[j]) / n;
    double delta = -shift_[j];
    double delta_error = mean_error;
    add_exactly(delta, delta_error, mean);
    const double square = delta * delta;
    const double square_error = std::fma(delta, delta, -square) + 2 * delta * delta_error;
    const double product = n * square;
    const double product_error = std::fma(n, square, -product) + n * square_error;
    const double squares = (square_[j] - product) + (square_error_[j] - product_error);
    const double deviation = std::sqrt(std::max(squares, 0.0) / n);
    scaling.offset[j] = (mean + mean_error) * unit;
    // A constant column may have a deviation of rounding noise, not exactly 0.
    scaling.factor[j] = low_[j] == high_[j] ? 0 : inverse_or_zero(deviation * unit);
  }
}

void Scaling::apply(Features& rows) const {
  if (rows.features() != offset.size()) {
    throw InputError(fmt::format("expected {} features, found {}", offset.size(), rows.features()));
  }
  if (rows.borrows()) rows = Features(rows.dense_rows(0, rows.rows()));
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
