// SPDX-License-Identifier: Apache-2.0
//
// The calls we make of OpenBLAS, in row-major terms, on the calling thread. Scalar is double or float.
#pragma once

#include <type_traits>

#include "base/matrix.hpp"

namespace manyone::blas {

/// OpenBLAS 0.3.21 takes kernels of 2004 on processors of Intel that are newer than itself. Where ours did, and nobody
/// set OPENBLAS_CORETYPE, it is told what the processor can do. Before the first product; later calls do nothing.
void choose_kernels();

/// How many of `threads` threads can work under the limits of the address space (ulimit -v, -d). OpenBLAS maps a buffer
/// for each thread that calls it and tries without end where it gets none: under a limit the buffers are therefore
/// taken here, and kept. Throws MemoryError when there is no room for a single one.
int reserve_buffers(int threads);

/// C := alpha op(A) op(B) + beta C for an m x n matrix C and inner length k.
template <class Scalar>
void gemm(bool transpose_a, bool transpose_b, Index m, Index n, Index k, std::type_identity_t<Scalar> alpha,
          const Scalar* A, Index lda, const Scalar* B, Index ldb, std::type_identity_t<Scalar> beta, Scalar* C,
          Index ldc);
/// B := B L^{-T} for a lower triangular n x n L and an m x n B.
template <class Scalar>
void solve_right_transposed(Index m, Index n, const Scalar* L, Index ldl, Scalar* B, Index ldb);
/// B := B L' for a lower triangular n x n L and an m x n B.
template <class Scalar>
void multiply_right_transposed(Index m, Index n, const Scalar* L, Index ldl, Scalar* B, Index ldb);
/// Lower triangle of the n x n matrix C := C - W W' for an n x k W.
template <class Scalar>
void rank_update(Index n, Index k, const Scalar* W, Index ldw, Scalar* C, Index ldc);
/// Lower triangle of the n x n matrix C := C + X'X for a k x n X.
void add_squares(Index n, Index k, const double* X, Index ldx, double* C, Index ldc);
/// B := L^{-1} B (or L^{-T} B) for a lower triangular n x n L and an n x m B.
template <class Scalar>
void solve_left(bool transposed, Index n, Index m, const Scalar* L, Index ldl, Scalar* B, Index ldb);
/// Lower triangle of A := its Cholesky factor; false if a pivot is not positive.
template <class Scalar>
bool cholesky(Index n, Scalar* A, Index lda);
/// Rows of A := eigenvectors of the symmetric matrix in its lower triangle, values ascending; false if the iteration
/// does not end.
bool eigen(Index n, double* A, Index lda, double* values);
/// Lower triangle of L := its inverse.
template <class Scalar>
void invert_triangle(Index n, Scalar* L, Index ldl);
/// Lower triangle of L := that of L'L.
template <class Scalar>
void square_triangle(Index n, Scalar* L, Index ldl);

}  // namespace manyone::blas
