// SPDX-License-Identifier: Apache-2.0
#include "backend/cpu/pair_tiles.hpp"

#include <algorithm>
#include <vector>

#include "backend/cpu/blas.hpp"
#include "backend/cpu/narrow_product.hpp"

namespace manyone {

namespace {

// Rows of z expanded at a time: wide enough to fill vector registers, and 50 000 features x 32 stay near the last-level
// cache.
constexpr Index kStrip = 32;
// Beyond so many features a strip would take more than 64 MB for each thread, most of it for columns without an entry.
constexpr Index kWide = Index{1} << 18;
// Squared distances below this share of |x|^2 + |z|^2 have lost more than six of their sixteen digits.
constexpr double kClose = 1e-6;
// From here on |x|^2 + |z|^2 - 2 x'z may be infinity minus infinity.
constexpr double kHuge = 1e307;

using Columns = std::vector<SparseMatrix::StorageIndex>;

/// The columns in which a row of `rows` has an entry, in ascending order.
Columns used_columns(const SparseMatrix& rows) {
  Columns used(rows.innerIndexPtr(), rows.innerIndexPtr() + rows.nonZeros());
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  return used;
}

/// `rows` with just these columns.
Features of_columns(const SparseMatrix& rows, const Columns& columns) {
  SparseMatrix out(rows.rows(), std::ssize(columns));
  for (Index i = 0; i < rows.rows(); ++i) {
    out.startVec(i);
    auto next = columns.begin();
    for (SparseMatrix::InnerIterator it(rows, i); it; ++it) {
      next = std::lower_bound(next, columns.end(), it.col());
      if (next == columns.end()) break;
      if (*next == it.col()) out.insertBack(i, next - columns.begin()) = it.value();
    }
  }
  out.finalize();
  return out;
}

}  // namespace

PairTiles::PairTiles(PairStatistic statistic, const Features& x, const Features& z)
    : statistic_(statistic), x_(x), z_(z) {
  const bool distance = statistic == PairStatistic::squared_distance;
  if (distance) {
    x_norms_ = x.squared_norms();
    z_norms_ = &x == &z ? x_norms_ : z.squared_norms();
    overflows_ = !((x_norms_.array() < kHuge).all() && (z_norms_.array() < kHuge).all());
  }
  if (x.sparse() && z.sparse() && x.features() > kWide) {
    const Columns columns = used_columns(z.csr());
    narrow_x_ = of_columns(x.csr(), columns);
    narrow_z_ = of_columns(z.csr(), columns);
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
  multiply(i, height, j, width, out, stride);
  if (overflows_) replace_overflows(i, height, j, width, out, stride);
}

void PairTiles::multiply(Index i, Index height, Index j, Index width, double* out, Index stride) const {
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
      if (!(row[s] >= kClose * (norm + z_norms_[j + s]))) row[s] = distance(i + r, j + s);
    }
  }
}

double PairTiles::distance(Index i, Index j) const {
  return x_.sparse() || z_.sparse() ? (x_.dense_rows(i, 1) - z_.dense_rows(j, 1)).squaredNorm()
                                    : (x_.dense().row(i) - z_.dense().row(j)).squaredNorm();
}

void PairTiles::replace_overflows(Index i, Index height, Index j, Index width, double* out, Index stride) const {
  for (Index r = 0; r < height; ++r) {
    for (Index s = 0; s < width; ++s) {
      if (!(x_norms_[i + r] < kHuge && z_norms_[j + s] < kHuge)) out[r * stride + s] = distance(i + r, j + s);
    }
  }
}

void PairTiles::compute_sparse(Index i, Index height, Index j, Index width, double* out, Index stride) const {
  const bool narrow = narrow_z_.rows() > 0;
  const Features& x = narrow ? narrow_x_ : x_;
  const Features& z = narrow ? narrow_z_ : z_;
  const Index d = x.features();
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
      for_each_of(z, j + j0 + s,
                  [&](Index k, double value) { strip[static_cast<std::size_t>(k * kStrip + s)] = value; });
    }
    for (Index r = 0; r < height; ++r) {
      Eigen::Array<double, kStrip, 1> sum = Eigen::Array<double, kStrip, 1>::Zero();
      for_each_of(x, i + r, [&](Index k, double value) {
        sum += value * Eigen::Map<const Eigen::Array<double, kStrip, 1>>(strip.data() + k * kStrip);
      });
      for (Index s = 0; s < columns; ++s) {
        const double inner = sum[s];
        out[r * stride + j0 + s] =
            statistic_ == PairStatistic::inner_product ? inner : x_norms_[i + r] + z_norms_[j + j0 + s] - 2 * inner;
      }
    }
    for (Index s = 0; s < columns; ++s) {  // leave the strip empty for the next rows
      for_each_of(z, j + j0 + s, [&](Index k, double) { strip[static_cast<std::size_t>(k * kStrip + s)] = 0; });
    }
  }
}

}  // namespace manyone
