// SPDX-License-Identifier: Apache-2.0
//
// Cholesky factor, solve and inverse on fixed tiles. All n^3 work is GEMM on tiles; between steps a stop is polled,
// so that Ctrl-C does not wait for a factorisation to end.
#include <algorithm>
#include <vector>

#include "backend/cpu/blas.hpp"
#include "backend/cpu/cpu_backend.hpp"
#include "backend/cpu/flush_denormals.hpp"
#include "manyone/errors.hpp"

namespace manyone {

namespace {

// Height of a panel: deep enough for GEMM to run at full speed, small enough that the serial factor of the diagonal
// block (kPanel^3/3 flops) stays below a percent of the step.
constexpr Index kPanel = 192;
// The same for the sweep of the inverse, whose panel costs n kSweepPanel^2 at each of n / kSweepPanel steps.
constexpr Index kSweepPanel = 128;
// Edge of the blocks in which a panel is transposed: two cache lines a row.
constexpr Index kTranspose = 16;
// Rows of one step of a triangular solve, whose diagonal block is the serial part.
constexpr Index kSolveTile = 96;
// A smaller solve is not worth a second thread.
constexpr Index kSolveFlops = 2'000'000;
// Rows of one parallel piece.
constexpr Index kTile = 256;

std::size_t tiles_of(Index rows, Index tile) { return static_cast<std::size_t>((rows + tile - 1) / tile); }

/// Copies the lower triangle onto the upper one, in tiles that stay in cache.
template <class AnyView>
void mirror_lower(AnyView& A, Index first_row, Index rows) {
  constexpr Index block = 64;
  for (Index i0 = first_row; i0 < first_row + rows; i0 += block) {
    const Index i1 = std::min(first_row + rows, i0 + block);
    for (Index j0 = 0; j0 < i1; j0 += block) {
      for (Index i = i0; i < i1; ++i) {
        for (Index j = j0; j < std::min(i, j0 + block); ++j) A(j, i) = A(i, j);
      }
    }
  }
}

// Inverse of a symmetric positive definite matrix in one sweep over block columns (Gauss-Jordan; see Bientinesi,
// Gunter, van de Geijn 2008, "Families of algorithms related to the inversion of a symmetric positive definite
// matrix"). Before step k the leading part holds minus the inverse of A's leading block, the trailing part its Schur
// complement. With A_kk = L L' and W = [A_ik L^{-T} for i != k; -L^{-T} for i = k], the step is A := A - W W', where
// block row and column k of A on the right are taken as 0. It is n^3 flops, nearly all in long GEMMs, so it outruns
// LAPACK's factor + triangular inverse + product.
// A is a view of doubles or floats.
template <class AnyView>
bool invert_by_sweep(const Backend& backend, AnyView& A, const Interrupt& interrupt) {
  using Scalar = typename AnyView::Scalar;
  const FlushDenormals flush;
  const Index n = A.rows();
  const Index stride = A.outerStride();
  Scalar* a = A.data();
  if (n == 0) return true;
  if (n <= kSweepPanel) {  // a single step
    interrupt.check();
    if (!blas::cholesky(n, a, stride)) return false;
    blas::invert_triangle(n, a, stride);
    blas::square_triangle(n, a, stride);
    mirror_lower(A, 0, n);
    return true;
  }
  Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> W(n, std::min(n, kSweepPanel));
  const Index ld = W.cols();
  std::vector<Scalar> factor(static_cast<std::size_t>(ld * ld));
  for (Index k = 0; k < n; k += kSweepPanel) {
    interrupt.check();
    const Index b = std::min(kSweepPanel, n - k);
    for (Index i = 0; i < b; ++i) std::copy_n(a + (k + i) * stride + k, i + 1, factor.data() + i * b);
    if (!blas::cholesky(b, factor.data(), b)) return false;
    blas::invert_triangle(b, factor.data(), b);  // L^{-1}
    // W from block column k of A, read from the lower triangle; its place in A becomes 0.
    backend.parallel_for(tiles_of(n, kTile), [&](std::size_t t) {
      const Index i0 = static_cast<Index>(t) * kTile;
      const Index i1 = std::min(n, i0 + kTile);
      const Index above = std::clamp(k, i0, i1);
      const Index below = std::clamp(k + b, i0, i1);
      for (Index i = i0; i < above; i += kTranspose) {
        const Index width = std::min(kTranspose, above - i);
        for (Index j = 0; j < b; j += kTranspose) {
          const Index height = std::min(kTranspose, b - j);
          W.block(i, j, width, height) = A.block(k + j, i, height, width).transpose();
        }
      }
      for (Index i = above; i < below; ++i) {  // -L^{-T}
        Scalar* row = W.data() + i * ld;
        std::fill_n(row, i - k, Scalar{0});
        for (Index j = i - k; j < b; ++j) row[j] = -factor[static_cast<std::size_t>(j * b + i - k)];
      }
      for (Index i = below; i < i1; ++i) {
        std::copy_n(a + i * stride + k, b, W.data() + i * ld);
        std::fill_n(a + i * stride + k, b, Scalar{0});
      }
      blas::multiply_right_transposed(above - i0, b, factor.data(), b, W.data() + i0 * ld, ld);
      blas::multiply_right_transposed(i1 - below, b, factor.data(), b, W.data() + below * ld, ld);
    });
    for (Index i = k; i < k + b; ++i) std::fill_n(a + i * stride, k + b, Scalar{0});
    const std::size_t tiles = tiles_of(n, kTile);
    backend.parallel_for(tiles, [&](std::size_t t) {  // the longest rows first, so that the last pieces are short ones
      const Index i = static_cast<Index>(tiles - 1 - t) * kTile;
      const Index height = std::min(kTile, n - i);
      blas::gemm(false, true, height, i, b, -1, W.data() + i * ld, ld, W.data(), ld, 1, a + i * stride, stride);
      blas::rank_update(height, b, W.data() + i * ld, ld, a + i * stride + i, stride);
    });
  }
  backend.parallel_for(tiles_of(n, kTile), [&](std::size_t t) {
    const Index i0 = static_cast<Index>(t) * kTile;
    const Index height = std::min(kTile, n - i0);
    for (Index i = i0; i < i0 + height; ++i) A.row(i).head(i + 1) *= -1;
    mirror_lower(A, i0, height);
  });
  return true;
}

/// Lower triangle of A := its Cholesky factor. A is a view of doubles or floats.
template <class AnyView>
bool factor_tiles(const Backend& backend, AnyView& A, const Interrupt& interrupt) {
  const FlushDenormals flush;
  const Index n = A.rows();
  const Index stride = A.outerStride();
  auto* a = A.data();
  for (Index k = 0; k < n; k += kPanel) {
    interrupt.check();
    const Index b = std::min(kPanel, n - k);
    if (!blas::cholesky(b, a + k * stride + k, stride)) return false;
    const Index rest = k + b;
    // A_ik := A_ik L_kk^{-T}
    backend.parallel_for(tiles_of(n - rest, kTile), [&](std::size_t t) {
      const Index i = rest + static_cast<Index>(t) * kTile;
      blas::solve_right_transposed(std::min(kTile, n - i), b, a + k * stride + k, stride, a + i * stride + k, stride);
    });
    // A_ij -= A_ik A_jk' for i >= j > k; the longest rows first, so that the last pieces are short ones.
    const std::size_t tiles = tiles_of(n - rest, kTile);
    backend.parallel_for(tiles, [&](std::size_t t) {
      const Index i = rest + static_cast<Index>(tiles - 1 - t) * kTile;
      const Index height = std::min(kTile, n - i);
      blas::gemm(false, true, height, i - rest, b, -1, a + i * stride + k, stride, a + rest * stride + k, stride, 1,
                 a + i * stride + rest, stride);
      blas::rank_update(height, b, a + i * stride + k, stride, a + i * stride + i, stride);
    });
  }
  return true;
}

/// B := L^{-1} B, or L^{-T} B.
template <class LowerView, class AnyView>
void solve_tiles(const Backend& backend, const LowerView& L, Transpose transpose, AnyView& B) {
  const FlushDenormals flush;
  const Index n = B.rows();
  const Index q = B.cols();
  const Index stride = L.outerStride();
  const Index width = B.outerStride();
  const auto* l = L.data();
  auto* b = B.data();
  if (n == 0 || q == 0) return;
  const Index tile = n * n * q > kSolveFlops ? kSolveTile : n;
  const auto blocks = static_cast<Index>(tiles_of(n, tile));
  for (Index step = 0; step < blocks; ++step) {
    const bool down = transpose == Transpose::no;  // L u = B from the top, L' x = u from the bottom
    const Index k = down ? step : blocks - 1 - step;
    const Index r = k * tile;
    const Index height = std::min(tile, n - r);
    blas::solve_left(!down, height, q, l + r * stride + r, stride, b + r * width, width);
    backend.parallel_for(static_cast<std::size_t>(blocks - 1 - step), [&](std::size_t t) {
      const Index i = down ? r + height + static_cast<Index>(t) * tile : static_cast<Index>(t) * tile;
      const auto* factor = down ? l + i * stride + r : l + r * stride + i;
      blas::gemm(!down, false, std::min(tile, n - i), q, height, -1, factor, stride, b + r * width, width, 1,
                 b + i * width, width);
    });
  }
}

}  // namespace

bool CpuBackend::cholesky(View A, const Interrupt& interrupt) const { return factor_tiles(*this, A, interrupt); }

void CpuBackend::triangular_solve(ConstView L, Transpose transpose, View B) const {
  solve_tiles(*this, L, transpose, B);
}

bool CpuBackend::solve(FloatView A, FloatView B, const Interrupt& interrupt) const {
  if (!factor_tiles(*this, A, interrupt)) return false;
  solve_tiles(*this, A, Transpose::no, B);
  solve_tiles(*this, A, Transpose::yes, B);
  return true;
}

void CpuBackend::eigen(View A, Vector& values, const Interrupt& interrupt) const {
  const FlushDenormals flush;
  interrupt.check();
  const Index n = A.rows();
  values.resize(n);
  if (n == 0) return;
  Matrix work = A;
  if (!blas::eigen(n, work.data(), n, values.data())) {
    throw BackendError("the eigenvalues of a kernel matrix could not be computed: LAPACK's iteration did not end");
  }
  A = work.transpose();  // LAPACK's columns are our rows
  interrupt.check();
}

void CpuBackend::solve_rows(ConstView L, View B) const {
  parallel_for(tiles_of(B.rows(), kTile), [&](std::size_t t) {
    const Index i = static_cast<Index>(t) * kTile;
    blas::solve_right_transposed(std::min(kTile, B.rows() - i), B.cols(), L.data(), L.outerStride(),
                                 B.data() + i * B.outerStride(), B.outerStride());
  });
}

bool CpuBackend::invert(View A, const Interrupt& interrupt) const { return invert_by_sweep(*this, A, interrupt); }

bool CpuBackend::invert(FloatView A, const Interrupt& interrupt) const { return invert_by_sweep(*this, A, interrupt); }

}  // namespace manyone
