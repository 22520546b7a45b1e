// SPDX-License-Identifier: Apache-2.0
//
// The only door to hardware: the few verbs that carry all heavy arithmetic. Machines and selection are written once
// over these; `reference` implements them as plain loops that a reviewer can check by hand, every other backend is
// tested against it. Matrices are row-major; results do not depend on the number of threads. Verbs that may
// take seconds poll an Interrupt and throw Interrupted.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/interrupt.hpp"
#include "base/matrix.hpp"
#include "base/memory.hpp"
#include "base/progress.hpp"
#include "data/features.hpp"
#include "kernel/kernel.hpp"

namespace manyone {

enum class Transpose { no, yes };

class Backend {
 public:
  virtual ~Backend() = default;

  virtual std::string_view name() const = 0;
  virtual int threads() const = 0;
  /// body(0..count-1), at most threads() at a time. Verbs called inside a body run on the calling thread alone.
  virtual void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) const = 0;

  /// out(i, j) = statistic of x_i and z_j; squared distances are >= 0.
  virtual void pair_statistics(PairStatistic statistic, const Features& x, const Features& z, View out) const = 0;
  /// Statistics of all pairs of one set of rows: exactly symmetric, squared distances exactly 0 on the diagonal.
  virtual void pair_statistics(PairStatistic statistic, const Features& x, View out,
                               const Interrupt& interrupt) const = 0;
  /// out := kernel(statistics), elementwise; `out` may be `statistics`.
  virtual void apply_kernel(const Kernel& kernel, ConstView statistics, View out) const = 0;
  /// Gram matrix of x in the lower triangle of `out`; what is above the diagonal is not specified.
  virtual void gram_lower(const Kernel& kernel, const Features& x, View out, const Interrupt& interrupt) const = 0;
  /// out = K(x, z) A + 1 b', without forming K(x, z). A is z.rows() x q, b has q entries. Cheaper when
  /// neighbouring rows of A have entries in the same few columns.
  virtual void expand(const Kernel& kernel, const Features& x, const Features& z, ConstView A, const Vector& b,
                      View out) const = 0;

  /// C := alpha op(A) op(B) + beta C; beta = 0 overwrites C whatever it held.
  virtual void multiply(double alpha, ConstView A, Transpose transpose_a, ConstView B, Transpose transpose_b,
                        double beta, View C) const = 0;
  virtual void multiply(float alpha, ConstFloatView A, Transpose transpose_a, ConstFloatView B, Transpose transpose_b,
                        float beta, FloatView C) const = 0;
  /// Lower triangle of C := C + X'X; what is above the diagonal is not specified.
  virtual void add_squares(ConstView X, View C) const = 0;
  /// Lower triangle of A := L with L L' = A. False if A is not numerically positive definite (A is then spoilt).
  virtual bool cholesky(View A, const Interrupt& interrupt) const = 0;
  /// B := L^{-1} B, or L^{-T} B, for a lower triangular L.
  virtual void triangular_solve(ConstView L, Transpose transpose, View B) const = 0;
  /// B := (L L')^{-1} B, L from cholesky().
  void cholesky_solve(ConstView L, View B) const {
    triangular_solve(L, Transpose::no, B);
    triangular_solve(L, Transpose::yes, B);
  }
  /// B := A^{-1} B in single precision, from the lower triangle of A, which is spoilt. False as for cholesky().
  virtual bool solve(FloatView A, FloatView B, const Interrupt& interrupt) const = 0;
  /// B := B L^{-T}, L from cholesky(): every row of B on its own.
  virtual void solve_rows(ConstView L, View B) const = 0;
  /// A := A^{-1}, full and exactly symmetric, from the lower triangle of A. False as for cholesky().
  virtual bool invert(View A, const Interrupt& interrupt) const = 0;
  virtual bool invert(FloatView A, const Interrupt& interrupt) const = 0;
  /// Columns of A := eigenvectors of the symmetric matrix in the lower triangle of A; `values` ascending. About 9 n^3
  /// flops; polls only before and after. Throws BackendError if the iteration does not end.
  virtual void eigen(View A, Vector& values, const Interrupt& interrupt) const = 0;
};

/// Names of the backends of this build.
std::vector<std::string> backend_names();

/// `threads` 0: all of this process. Throws ConfigError for a name that is not in backend_names().
std::unique_ptr<Backend> make_backend(std::string_view name, int threads = 0);

/// What a computation runs on and reports to; the referents outlive the computation.
struct Execution {
  const Backend& backend;
  MemoryBudget memory;
  Observer& observer;
  const Interrupt& interrupt;
};

}  // namespace manyone
