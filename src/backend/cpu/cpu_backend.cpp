// SPDX-License-Identifier: Apache-2.0
#include "backend/cpu/cpu_backend.hpp"

#include <algorithm>
#include <memory>

#include "backend/cpu/bands.hpp"
#include "backend/cpu/blas.hpp"
#include "backend/cpu/flush_denormals.hpp"
#include "backend/cpu/kernel_map.hpp"
#include "backend/cpu/pair_tiles.hpp"
#include "backend/cpu/thin_product.hpp"

namespace manyone {

namespace {

// Rows of x and of z in one tile. The tile of kernel values (512 kB) stays in the second-level cache between the
// product that makes it, the map and the product that consumes it.
constexpr Index kRowTile = 128;
constexpr Index kCentreTile = 512;

std::size_t tiles_of(Index rows, Index tile) { return static_cast<std::size_t>((rows + tile - 1) / tile); }

/// body(i) for each tile, in parallel where that pays: to wake a thread takes as long as this many kernel values.
template <class Body>
void for_tiles(const Backend& backend, std::size_t count, double values, const Body& body) {
  constexpr double kWorthwhile = 1e5;
  if (values >= kWorthwhile) {
    backend.parallel_for(count, body);
  } else {
    const FlushDenormals flush;
    for (std::size_t i = 0; i < count; ++i) body(i);
  }
}

double entries(Index rows, Index columns) { return static_cast<double>(rows) * static_cast<double>(columns); }

template <class Scalar>
Index padded_columns(Index q) {
  return (q + kGroup<Scalar> - 1) / kGroup<Scalar> * kGroup<Scalar>;
}

/// C := alpha op(A) B + beta C for a C of a few columns; X and Y are the views of Backend::multiply. Whole vectors of
/// columns without gaps are used where they are; others are copied to such.
template <class Scalar, class X, class Y>
void multiply_thin(const Backend& backend, Scalar alpha, const X& A, bool ta, const X& B, Scalar beta, Y& C) {
  using Dense = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  constexpr Index tile = 256;                                       // rows of C
  constexpr Index step = 512 / static_cast<Index>(sizeof(Scalar));  // rows of B: 32 columns stay in the nearest cache
  const Index q = C.cols();
  const Index inner = B.rows();
  const Index padded = padded_columns<Scalar>(q);
  Dense copy;
  if (alpha != 1 || q != padded || B.outerStride() != q) {
    copy.setZero(inner, padded);
    copy.leftCols(q) = alpha * B;
  }
  const Scalar* columns = copy.size() > 0 ? copy.data() : B.data();
  backend.parallel_for(tiles_of(C.rows(), tile), [&](std::size_t t) {
    const Index i = static_cast<Index>(t) * tile;
    const Index height = std::min(tile, C.rows() - i);
    Dense sums;
    Scalar* out = C.data() + i * C.outerStride();
    const bool in_place = beta == 1 && q == padded && C.outerStride() == q;
    if (!in_place) {
      sums.setZero(height, padded);
      if (beta != 0) sums.leftCols(q) = beta * C.middleRows(i, height);
      out = sums.data();
    }
    for (Index j = 0; j < inner; j += step) {
      const Scalar* a = ta ? A.data() + j * A.outerStride() + i : A.data() + i * A.outerStride() + j;
      thin_accumulate(a, ta, height, std::min(step, inner - j), A.outerStride(), columns + j * padded, padded, out);
    }
    if (!in_place) C.middleRows(i, height) = sums.leftCols(q);
  });
}

/// Backend::multiply in either precision; X and Y are its views.
template <class Scalar, class X, class Y>
void multiply_tiles(const Backend& backend, Scalar alpha, const X& A, bool ta, const X& B, bool tb, Scalar beta, Y& C) {
  if (!tb && C.cols() <= kThin && 2 * C.cols() > kGroup<Scalar>) {
    multiply_thin(backend, alpha, A, ta, B, beta, C);
    return;
  }
  const Index inner = ta ? A.rows() : A.cols();
  const Index tile = 256;
  backend.parallel_for(tiles_of(C.rows(), tile), [&](std::size_t t) {
    const Index i = static_cast<Index>(t) * tile;
    const Scalar* a = ta ? A.data() + i : A.data() + i * A.outerStride();
    blas::gemm(ta, tb, std::min(tile, C.rows() - i), C.cols(), inner, alpha, a, A.outerStride(), B.data(),
               B.outerStride(), beta, C.data() + i * C.outerStride(), C.outerStride());
  });
}

}  // namespace

CpuBackend::CpuBackend(int threads) : pool_(blas::reserve_buffers(threads > 0 ? threads : hardware_threads())) {
  blas::choose_kernels();
}

void CpuBackend::parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) const {
  pool_.parallel_for(count, [&](std::size_t i) {
    const FlushDenormals flush;
    body(i);
  });
}

void CpuBackend::pair_statistics(PairStatistic statistic, const Features& x, const Features& z, View out) const {
  const PairTiles tiles(statistic, x, z);
  for_tiles(*this, tiles_of(x.rows(), kRowTile), entries(x.rows(), z.rows()), [&](std::size_t t) {
    const Index i = static_cast<Index>(t) * kRowTile;
    const Index height = std::min(kRowTile, x.rows() - i);
    for (Index j = 0; j < z.rows(); j += kCentreTile) {
      const Index width = std::min(kCentreTile, z.rows() - j);
      tiles.compute(i, height, j, width, &out(i, j), out.outerStride());
      tiles.sharpen(i, height, j, width, &out(i, j), out.outerStride());
    }
  });
}

void CpuBackend::pair_statistics(PairStatistic statistic, const Features& x, View out,
                                 const Interrupt& interrupt) const {
  const PairTiles tiles(statistic, x, x);
  const Index n = x.rows();
  const bool distance = statistic == PairStatistic::squared_distance;
  const std::size_t count = tiles_of(n, kRowTile);
  for_tiles(*this, count, entries(n, n) / 2, [&](std::size_t t) {
    const Index i = static_cast<Index>(count - 1 - t) * kRowTile;
    const Index height = std::min(kRowTile, n - i);
    interrupt.check();
    for (Index j = 0; j < i + height; j += kRowTile) {
      const Index width = std::min(kRowTile, i + height - j);
      auto tile = out.block(i, j, height, width);
      tiles.compute(i, height, j, width, tile.data(), out.outerStride());
      tiles.sharpen(i, height, j, width, tile.data(), out.outerStride());
      if (j < i) {
        out.block(j, i, width, height) = tile.transpose();
      } else {
        for (Index r = 0; r < height; ++r) {
          if (distance) tile(r, r) = 0;
          for (Index s = r + 1; s < height; ++s) tile(r, s) = tile(s, r);
        }
      }
    }
  });
}

void CpuBackend::apply_kernel(const Kernel& kernel, ConstView statistics, View out) const {
  const KernelMap map(kernel);
  for_tiles(*this, tiles_of(out.rows(), kRowTile), entries(out.rows(), out.cols()), [&](std::size_t t) {
    const Index first = static_cast<Index>(t) * kRowTile;
    for (Index i = first; i < std::min(out.rows(), first + kRowTile); ++i) {
      map(statistics.data() + i * statistics.outerStride(), out.data() + i * out.outerStride(),
          static_cast<std::size_t>(out.cols()));
    }
  });
}

void CpuBackend::gram_lower(const Kernel& kernel, const Features& x, View out, const Interrupt& interrupt) const {
  const PairTiles tiles(kernel.statistic(), x, x);
  const KernelMap map(kernel);
  const Index n = x.rows();
  const std::size_t count = tiles_of(n, kRowTile);
  for_tiles(*this, count, entries(n, n) / 2, [&](std::size_t t) {
    const Index i = static_cast<Index>(count - 1 - t) * kRowTile;
    const Index height = std::min(kRowTile, n - i);
    interrupt.check();
    for (Index j = 0; j < i + height; j += kCentreTile) {
      const Index width = std::min(kCentreTile, i + height - j);
      tiles.compute(i, height, j, width, &out(i, j), out.outerStride());
      if (kernel.entry->sharp) tiles.sharpen(i, height, j, width, &out(i, j), out.outerStride());
      for (Index r = i; r < i + height; ++r) map(&out(r, j), &out(r, j), static_cast<std::size_t>(width));
    }
    if (kernel.radial()) {
      for (Index r = i; r < i + height; ++r) out(r, r) = 1;
    }
  });
}

void CpuBackend::expand(const Kernel& kernel, const Features& x, const Features& z, ConstView A, const Vector& b,
                        View out) const {
  const Bands bands(A, kCentreTile);
  // Scattered coefficients go with kernel values of many rows side by side: a transposed tile.
  const bool turned = bands.scattered() && !x.sparse() && !z.sparse();
  const PairTiles tiles(kernel.statistic(), turned ? z : x, turned ? x : z);
  const KernelMap map(kernel);
  for_tiles(*this, tiles_of(x.rows(), kRowTile), entries(x.rows(), z.rows()), [&](std::size_t t) {
    const Index i = static_cast<Index>(t) * kRowTile;
    const Index height = std::min(kRowTile, x.rows() - i);
    Matrix sums = turned ? Matrix::Zero(A.cols(), height) : Matrix::Zero(height, bands.width());
    const auto tile =
        std::make_unique_for_overwrite<double[]>(static_cast<std::size_t>(height * std::min(kCentreTile, z.rows())));
    for (Index j = 0; j < z.rows(); j += kCentreTile) {
      const Index width = std::min(kCentreTile, z.rows() - j);
      const auto fill = [&](Index first, Index rows, Index second, Index columns) {
        tiles.compute(first, rows, second, columns, tile.get(), columns);
        if (kernel.entry->sharp) tiles.sharpen(first, rows, second, columns, tile.get(), columns);
        map(tile.get(), tile.get(), static_cast<std::size_t>(rows * columns));
      };
      if (turned) {
        fill(j, width, i, height);
        bands.accumulate_columns(tile.get(), height, j, sums);
      } else {
        fill(i, height, j, width);
        bands.accumulate(tile.get(), height, width, j, sums);
      }
    }
    if (turned) {
      out.middleRows(i, height) = sums.transpose().rowwise() + b.transpose();
    } else {
      out.middleRows(i, height) = sums.leftCols(A.cols()).rowwise() + b.transpose();
    }
  });
}

void CpuBackend::multiply(double alpha, ConstView A, Transpose transpose_a, ConstView B, Transpose transpose_b,
                          double beta, View C) const {
  multiply_tiles(*this, alpha, A, transpose_a == Transpose::yes, B, transpose_b == Transpose::yes, beta, C);
}

void CpuBackend::multiply(float alpha, ConstFloatView A, Transpose transpose_a, ConstFloatView B, Transpose transpose_b,
                          float beta, FloatView C) const {
  multiply_tiles(*this, alpha, A, transpose_a == Transpose::yes, B, transpose_b == Transpose::yes, beta, C);
}

void CpuBackend::add_squares(ConstView X, View C) const {
  constexpr Index tile = 256;
  const std::size_t count = tiles_of(C.rows(), tile);
  parallel_for(count, [&](std::size_t t) {
    const Index i = static_cast<Index>(count - 1 - t) * tile;  // the longest strips first
    const Index height = std::min(tile, C.rows() - i);
    double* strip = C.data() + i * C.outerStride();
    blas::add_squares(height, X.rows(), X.data() + i, X.outerStride(), strip + i, C.outerStride());
    if (i == 0) return;
    blas::gemm(true, false, height, i, X.rows(), 1, X.data() + i, X.outerStride(), X.data(), X.outerStride(), 1, strip,
               C.outerStride());
  });
}

}  // namespace manyone
