// SPDX-License-Identifier: Apache-2.0
#include "manyone/backend/cpu/pair_tiles.hpp"

#include <algorithm>
#include <vector>

#include "manyone/backend/cpu/blas.hpp"
#include "manyone/backend/cpu/narrow_product.hpp"

namespace manyone {

namespace {

// Rows of z expanded at a time: wide enough to fill vector registers, and 50 000 features x 32 stay near the last-level
// cache.
constexpr Index kStrip = 32;
// Squared distances below this share of |x|^2 + |z|^2 have lost more than six of their sixteen digits.
constexpr double kClose = 1e-6;

}  // namespace

PairTiles::PairTiles(PairStatistic statistic, const Features& x, const Features& z)
    : statistic_(statistic), x_(x), z_(z) {
  const bool distance = statistic == PairStatistic::squared_distance;
  if (distance) {
    x_norms_ = x.squared_norms();
    z_norms_ = &x == &z ? x_norms_ : z.squared_norms();
  }
  if (x.sparse() || z.sparse()) return;
  const Index d = x.features();
  inner_ = distance ? d + 2 : d;
  if (distance) {
    left_.resize(x.rows(), inner_);
    left_ << -2 * x.dense(), x_norms_, Vector::Ones(x.rows());
  }
  if (inner_ <= kNarrow) {
    right_.resize(inner_, z.rows());
    right_.topRows(d) = z.dense().transpose();
    if (distance) right_.bottomRows(2) << Vector::Ones(z.rows()).transpose(), z_norms_.transpose();
  } else if (distance) {
    right_.resize(z.rows(), inner_);
    right_ << z.dense(), Vector::Ones(z.rows()), z_norms_;
  }
}

void PairTiles::compute(Index i, Index height, Index j, Index width, double* out, Index stride) const {
  if (x_.sparse() || z_.sparse()) {
    compute_sparse(i, height, j, width, out, stride);
    return;
  }
  const double* left = (left_.size() > 0 ? left_ : x_.dense()).data() + i * inner_;
  if (inner_ <= kNarrow) {
    narrow_multiply(left, height, inner_, right_.data() + j, width, right_.cols(), out, stride);
  } else {
    const Matrix& right = right_.size() > 0 ? right_ : z_.dense();
    blas::gemm(false, true, height, width, inner_, 1, left, inner_, right.data() + j * inner_, inner_, 0, out, stride);
  }
}

void PairTiles::sharpen(Index i, Index height, Index j, Index width, double* out, Index stride) const {
  if (statistic_ == PairStatistic::inner_product) return;
  for (Index r = 0; r < height; ++r) {
    Eigen::Map<Eigen::ArrayXd> row(out + r * stride, width);
    const double norm = x_norms_[i + r];
    if ((row >= kClose * (norm + z_norms_.segment(j, width).array())).all()) continue;
    for (Index s = 0; s < width; ++s) {
      if (row[s] >= kClose * (norm + z_norms_[j + s])) continue;
      row[s] = x_.sparse() || z_.sparse() ? (x_.dense_rows(i + r, 1) - z_.dense_rows(j + s, 1)).squaredNorm()
                                          : (x_.dense().row(i + r) - z_.dense().row(j + s)).squaredNorm();
    }
  }
}

void PairTiles::compute_sparse(Index i, Index height, Index j, Index width, double* out, Index stride) const {
  const Index d = x_.features();
  thread_local std::vector<double> strip;  // strip[k * kStrip + s] = z_{j0+s}[k]
  strip.assign(static_cast<std::size_t>(d * kStrip), 0.0);
  const auto for_each_of = [](const Features& rows, Index row, const auto& body) {
    if (rows.sparse()) {
      for (SparseMatrix::InnerIterator it(rows.csr(), row); it; ++it) body(it.col(), it.value());
    } else {
      for (Index k = 0; k < rows.features(); ++k) body(k, rows.dense()(row, k));
    }
  };
  for (Index j0 = 0; j0 < width; j0 += kStrip) {
    const Index columns = std::min(kStrip, width - j0);
    for (Index s = 0; s < columns; ++s) {
      for_each_of(z_, j + j0 + s,
                  [&](Index k, double value) { strip[static_cast<std::size_t>(k * kStrip + s)] = value; });
    }
    for (Index r = 0; r < height; ++r) {
      Eigen::Array<double, kStrip, 1> sum = Eigen::Array<double, kStrip, 1>::Zero();
      for_each_of(x_, i + r, [&](Index k, double value) {
        sum += value * Eigen::Map<const Eigen::Array<double, kStrip, 1>>(strip.data() + k * kStrip);
      });
      for (Index s = 0; s < columns; ++s) {
        const double inner = sum[s];
        out[r * stride + j0 + s] =
            statistic_ == PairStatistic::inner_product ? inner : x_norms_[i + r] + z_norms_[j + j0 + s] - 2 * inner;
      }
    }
    for (Index s = 0; s < columns; ++s) {  // leave the strip empty for the next rows
      for_each_of(z_, j + j0 + s, [&](Index k, double) { strip[static_cast<std::size_t>(k * kStrip + s)] = 0; });
    }
  }
}

}  // namespace manyone
