// SPDX-License-Identifier: Apache-2.0
#include "backend/cpu/bands.hpp"

#include <algorithm>

#include "backend/cpu/blas.hpp"
#include "backend/cpu/thin_product.hpp"

namespace manyone {

namespace {

// What a single coefficient takes, in the units of cost_of() (measured on shuttle): its kernel values come from the
// second-level cache and are used once.
constexpr double kEntryCost = 6;
// Rows from which on a band is not given further columns.
constexpr Index kRows = 32;

Index padded(Index columns) {
  return columns > kThin ? columns : (columns + kGroup<double> - 1) / kGroup<double> * kGroup<double>;
}

/// What a product with a band takes, in units of one column of a row in a product with all columns (measured roughly).
double cost_of(Index rows, Index columns) {
  constexpr double start = 300;
  const double row = columns == 1 ? 3 : std::max(16.0, 1.5 * static_cast<double>(padded(columns)));
  return start + static_cast<double>(rows) * row;
}

void find_entries(ConstView A, Index row, std::vector<Index>& out) {
  out.clear();
  for (Index k = 0; k < A.cols(); ++k) {
    if (A(row, k) != 0) out.push_back(k);
  }
}

/// out (rows x width) += K (rows x centres, row stride `stride`) A (centres x width).
void add_product(const double* K, Index rows, Index centres, Index stride, const double* A, Index width, double* out) {
  if (width <= kThin) {
    thin_accumulate(K, false, rows, centres, stride, A, width, out);
  } else {
    blas::gemm(false, false, rows, width, centres, 1, K, stride, A, width, 1, out, width);
  }
}

}  // namespace

Bands::Band Bands::made(ConstView A, Index first, Index rows, std::vector<Index> columns) {
  const auto count = static_cast<Index>(columns.size());
  Matrix values = Matrix::Zero(rows, count == 1 ? 1 : padded(count));
  for (Index k = 0; k < count; ++k) values.col(k) = A.col(columns[static_cast<std::size_t>(k)]).segment(first, rows);
  return {first, rows, std::move(columns), std::move(values)};
}

Bands::Bands(ConstView A, Index tile) : tile_(tile), width_(padded(A.cols())) {
  const Index entries = (A.array() != 0).count();
  const auto whole = static_cast<double>(A.rows() * width_);
  const double cost = 2 * entries > A.size() ? whole : std::min(whole, find_bands(A));
  dense_ = cost >= whole;
  if (kEntryCost * static_cast<double>(entries) < cost) find_entries_of_tiles(A);
  if (!dense_) return;
  of_tile_.clear();
  for (Index start = 0; start < A.rows(); start += tile) {
    Matrix values = Matrix::Zero(std::min(tile, A.rows() - start), width_);
    values.leftCols(A.cols()) = A.middleRows(start, values.rows());
    of_tile_.push_back({Band{start, values.rows(), {}, std::move(values)}});
  }
}

double Bands::find_bands(ConstView A) {
  double cost = 0;
  std::vector<Index> columns;  // of the rows since `first`
  std::vector<Index> entries;
  std::vector<Index> all;
  for (Index start = 0; start < A.rows(); start += tile_) {
    const Index end = std::min(A.rows(), start + tile_);
    std::vector<Band> bands;
    Index first = start;
    const auto close = [&](Index row) {
      if (!columns.empty()) {
        cost += cost_of(row - first, static_cast<Index>(columns.size()));
        bands.push_back(made(A, first, row - first, columns));
      }
      first = row;
      columns.clear();
    };
    for (Index row = start; row < end; ++row) {
      find_entries(A, row, entries);
      if (std::includes(columns.begin(), columns.end(), entries.begin(), entries.end())) continue;
      all.clear();
      std::set_union(columns.begin(), columns.end(), entries.begin(), entries.end(), std::back_inserter(all));
      const bool apart = all.size() == columns.size() + entries.size() && !columns.empty();
      if (apart || row - first >= kRows) {
        close(row);
        all = entries;
      }
      columns.swap(all);
    }
    close(end);
    of_tile_.push_back(std::move(bands));
  }
  return cost;
}

void Bands::find_entries_of_tiles(ConstView A) {
  for (Index start = 0; start < A.rows(); start += tile_) {
    auto& entries = entries_.emplace_back();
    for (Index k = 0; k < A.cols(); ++k) {
      for (Index row = start; row < std::min(A.rows(), start + tile_); ++row) {
        if (A(row, k) != 0) entries.push_back({row - start, k, A(row, k)});
      }
    }
  }
}

void Bands::accumulate_columns(const double* K, Index rows, Index first, Matrix& out) const {
  const auto& entries = entries_[static_cast<std::size_t>(first / tile_)];
  scattered_accumulate(entries, K, rows, out.data(), out.cols());
}

void Bands::accumulate(const double* K, Index rows, Index centres, Index first, Matrix& out) const {
  for (const Band& band : of_tile_[static_cast<std::size_t>(first / tile_)]) {
    const double* part = K + (band.first - first);
    const Index width = band.values.cols();
    if (dense_) {
      add_product(part, rows, band.rows, centres, band.values.data(), width_, out.data());
    } else if (width == 1) {
      for (Index r = 0; r < rows; ++r)
        out(r, band.columns[0]) += dot(part + r * centres, band.values.data(), band.rows);
    } else {
      Matrix sums = Matrix::Zero(rows, width);
      add_product(part, rows, band.rows, centres, band.values.data(), width, sums.data());
      for (Index r = 0; r < rows; ++r) {
        for (std::size_t k = 0; k < band.columns.size(); ++k) out(r, band.columns[k]) += sums(r, static_cast<Index>(k));
      }
    }
  }
}

}  // namespace manyone
