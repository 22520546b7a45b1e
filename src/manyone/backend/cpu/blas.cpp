// SPDX-License-Identifier: Apache-2.0
#include "manyone/backend/cpu/blas.hpp"

#include <cblas.h>

#include <vector>

// LAPACK's Fortran entry points (OpenBLAS carries tuned ones). A row-major lower triangle is a column-major upper one.
extern "C" {
void dpotrf_(const char* uplo, const blasint* n, double* a, const blasint* lda, blasint* info);
void dsyevd_(const char* jobz, const char* uplo, const blasint* n, double* a, const blasint* lda, double* w,
             double* work, const blasint* lwork, blasint* iwork, const blasint* liwork, blasint* info);
void dtrtri_(const char* uplo, const char* diag, const blasint* n, double* a, const blasint* lda, blasint* info);
}

namespace manyone::blas {

namespace {

blasint to_blas(Index value) { return static_cast<blasint>(value); }

}  // namespace

void gemm(bool transpose_a, bool transpose_b, Index m, Index n, Index k, double alpha, const double* A, Index lda,
          const double* B, Index ldb, double beta, double* C, Index ldc) {
  if (m == 0 || n == 0) return;
  cblas_dgemm(CblasRowMajor, transpose_a ? CblasTrans : CblasNoTrans, transpose_b ? CblasTrans : CblasNoTrans,
              to_blas(m), to_blas(n), to_blas(k), alpha, A, to_blas(lda), B, to_blas(ldb), beta, C, to_blas(ldc));
}

void solve_right_transposed(Index m, Index n, const double* L, Index ldl, double* B, Index ldb) {
  if (m == 0) return;
  cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, to_blas(m), to_blas(n), 1.0, L,
              to_blas(ldl), B, to_blas(ldb));
}

void multiply_right_transposed(Index m, Index n, const double* L, Index ldl, double* B, Index ldb) {
  cblas_dtrmm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, to_blas(m), to_blas(n), 1.0, L,
              to_blas(ldl), B, to_blas(ldb));
}

void rank_update(Index n, Index k, const double* W, Index ldw, double* C, Index ldc) {
  cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, to_blas(n), to_blas(k), -1.0, W, to_blas(ldw), 1.0, C,
              to_blas(ldc));
}

void solve_left(bool transposed, Index n, Index m, const double* L, Index ldl, double* B, Index ldb) {
  cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, transposed ? CblasTrans : CblasNoTrans, CblasNonUnit, to_blas(n),
              to_blas(m), 1.0, L, to_blas(ldl), B, to_blas(ldb));
}

bool cholesky(Index n, double* A, Index lda) {
  const blasint order = to_blas(n);
  const blasint stride = to_blas(lda);
  blasint info = 0;
  dpotrf_("U", &order, A, &stride, &info);
  return info == 0;
}

bool eigen(Index n, double* A, Index lda, double* values) {
  const blasint size = to_blas(n);
  const blasint stride = to_blas(lda);
  const blasint ask = -1;
  double best_work = 0;
  blasint best_integers = 0;
  blasint info = 0;
  dsyevd_("V", "U", &size, A, &stride, values, &best_work, &ask, &best_integers, &ask, &info);
  std::vector<double> work(static_cast<std::size_t>(best_work));
  std::vector<blasint> integers(static_cast<std::size_t>(best_integers));
  const auto work_size = to_blas(static_cast<Index>(work.size()));
  dsyevd_("V", "U", &size, A, &stride, values, work.data(), &work_size, integers.data(), &best_integers, &info);
  return info == 0;
}

void invert_triangle(Index n, double* L, Index ldl) {
  const blasint order = to_blas(n);
  const blasint stride = to_blas(ldl);
  blasint info = 0;
  dtrtri_("U", "N", &order, L, &stride, &info);
}

}  // namespace manyone::blas
