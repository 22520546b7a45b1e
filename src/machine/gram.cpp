// SPDX-License-Identifier: Apache-2.0
#include "machine/gram.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/worded.hpp"
#include "manyone/errors.hpp"

namespace manyone {

namespace {

/// Copies the lower triangle onto the upper one.
void mirror_lower(Matrix& K) {
  constexpr Index tile = 16;  // stays in the nearest cache, whatever the length of a row
  for (Index i = 0; i < K.rows(); i += tile) {
    for (Index j = 0; j <= i; j += tile) {
      for (Index c = j; c < std::min(K.rows(), j + tile); ++c) {
        for (Index r = std::max(i, c + 1); r < std::min(K.rows(), i + tile); ++r) K(c, r) = K(r, c);
      }
    }
  }
}

}  // namespace

void require_finite_kernel(const Kernel& kernel, const Features& rows) {
  if (kernel.precomputed() || rows.rows() == 0) return;
  Index longest = 0;
  const double largest = rows.squared_norms().maxCoeff(&longest);
  // No inner product exceeds the largest squared length, no squared distance four times that.
  if (std::isfinite(kernel.radial() ? 4 * largest : kernel(largest))) return;
  throw BackendError(
      worded("the features are too large for the {} kernel: `row#{}` has a squared length of {:.3g}, and kernel values "
             "overflow",
             kernel.name(), longest + 1, largest),
      kernel.entry->degree ? Words("scale the features (`scale=range`), or use a smaller `degree`")
                           : Words("scale the features (`scale=range`)"),
      "scale");
}

Matrix Gram::full() const {
  Matrix K(rows(), rows());
  lower(K);
  mirror_lower(K);
  return K;
}

Matrix Gram::full(const std::vector<Index>& rows) const {
  Matrix K = lower(rows);
  mirror_lower(K);
  return K;
}

FeatureGram::FeatureGram(const Execution& execution, const Kernel& kernel, std::unique_ptr<const Features> features)
    : execution_(execution), kernel_(kernel), own_(std::move(features)), features_(*own_) {
  if (precomputed() || features_.sparse()) return;
  columns_ = features_.dense().transpose();
  norms_ = features_.squared_norms();
}

void FeatureGram::lower(View out) const {
  if (precomputed()) {
    out = features_.dense_rows(0, rows());
  } else {
    execution_.backend.gram_lower(kernel_, features_, out, execution_.interrupt);
  }
}

Matrix FeatureGram::lower(const std::vector<Index>& rows) const {
  if (precomputed()) return block(rows, rows);
  const auto n = static_cast<Index>(rows.size());
  Matrix out(n, n);
  execution_.backend.gram_lower(kernel_, features_.select(rows), out, execution_.interrupt);
  return out;
}

Matrix FeatureGram::block(const std::vector<Index>& rows, const std::vector<Index>& columns) const {
  Matrix out(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
  if (precomputed()) {
    for (Index r = 0; r < out.rows(); ++r)
      out.row(r) = features_.dense_rows(rows[static_cast<std::size_t>(r)], 1).row(0)(columns);
    return out;
  }
  execution_.backend.pair_statistics(kernel_.statistic(), features_.select(rows), features_.select(columns), out);
  execution_.backend.apply_kernel(kernel_, out, out);
  return out;
}

Matrix FeatureGram::strip(const std::vector<Index>& rows) const {
  Matrix out(static_cast<Index>(rows.size()), this->rows());
  if (precomputed()) {
    for (Index r = 0; r < out.rows(); ++r) out.row(r) = features_.dense_rows(rows[static_cast<std::size_t>(r)], 1);
    return out;
  }
  if (columns_.size() > 0) {
    strip_of_columns(rows, out);
  } else {
    execution_.backend.pair_statistics(kernel_.statistic(), features_.select(rows), features_, out);
  }
  execution_.backend.apply_kernel(kernel_, out, out);
  return out;
}

void FeatureGram::strip_of_columns(const std::vector<Index>& rows, Matrix& out) const {
  const Matrix left = features_.dense()(rows, Eigen::all);
  const bool distance = kernel_.statistic() == PairStatistic::squared_distance;
  execution_.backend.multiply(distance ? -2 : 1, left, Transpose::no, columns_, Transpose::no, 0, out);
  if (!distance) return;
  for (Index r = 0; r < out.rows(); ++r) {
    const double norm = norms_[rows[static_cast<std::size_t>(r)]];
    out.row(r).array() = (out.row(r).array() + (norms_.transpose().array() + norm)).max(0);
  }
}

Vector FeatureGram::diagonal() const {
  Vector out(rows());
  if (precomputed()) {
    for (Index i = 0; i < out.size(); ++i) out[i] = features_.dense_rows(i, 1)(0, i);
  } else if (kernel_.statistic() == PairStatistic::squared_distance) {
    out.setConstant(kernel_(0));
  } else {
    out = features_.squared_norms().unaryExpr([this](double square) { return kernel_(square); });
  }
  return out;
}

Vector FeatureGram::times(const Vector& s) const {
  std::vector<Index> used;
  for (Index i = 0; i < s.size(); ++i) {
    if (s[i] != 0) used.push_back(i);
  }
  if (used.empty()) return Vector::Zero(rows());
  if (precomputed()) return strip(used).transpose() * s(used);
  Matrix out(rows(), 1);
  execution_.backend.expand(kernel_, features_, features_.select(used), Matrix(s(used)), Vector::Zero(1), out);
  return out.col(0);
}

std::unique_ptr<Gram> FeatureGram::part(const std::vector<Index>& rows) const {
  if (precomputed()) return std::make_unique<MatrixGram>(kernel_, std::make_unique<Matrix>(block(rows, rows)));
  return std::make_unique<FeatureGram>(execution_, kernel_, std::make_unique<Features>(features_.select(rows)));
}

std::unique_ptr<Gram> MatrixGram::part(const std::vector<Index>& rows) const {
  return std::make_unique<MatrixGram>(kernel_, std::make_unique<Matrix>(K_(rows, rows)));
}

}  // namespace manyone
