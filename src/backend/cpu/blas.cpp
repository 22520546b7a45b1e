// SPDX-License-Identifier: Apache-2.0
#include "backend/cpu/blas.hpp"

#include <cblas.h>

#include <vector>

// LAPACK's Fortran entry points (OpenBLAS carries tuned ones). A row-major lower triangle is a column-major upper one.
extern "C" {
void dpotrf_(const char* uplo, const blasint* n, double* a, const blasint* lda, blasint* info);
void dsyevd_(const char* jobz, const char* uplo, const blasint* n, double* a, const blasint* lda, double* w,
             double* work, const blasint* lwork, blasint* iwork, const blasint* liwork, blasint* info);
void spotrf_(const char* uplo, const blasint* n, float* a, const blasint* lda, blasint* info);
void dtrtri_(const char* uplo, const char* diag, const blasint* n, double* a, const blasint* lda, blasint* info);
void strtri_(const char* uplo, const char* diag, const blasint* n, float* a, const blasint* lda, blasint* info);
void dlauum_(const char* uplo, const blasint* n, double* a, const blasint* lda, blasint* info);
void slauum_(const char* uplo, const blasint* n, float* a, const blasint* lda, blasint* info);
}

namespace manyone::blas {

namespace {

blasint to_blas(Index value) { return static_cast<blasint>(value); }

/// The routine of a name for either precision.
template <class Scalar>
struct Routine;
template <>
struct Routine<double> {
  static constexpr auto gemm = cblas_dgemm;
  static constexpr auto trmm = cblas_dtrmm;
  static constexpr auto trsm = cblas_dtrsm;
  static constexpr auto syrk = cblas_dsyrk;
  static constexpr auto potrf = dpotrf_;
  static constexpr auto trtri = dtrtri_;
  static constexpr auto lauum = dlauum_;
};
template <>
struct Routine<float> {
  static constexpr auto gemm = cblas_sgemm;
  static constexpr auto trmm = cblas_strmm;
  static constexpr auto trsm = cblas_strsm;
  static constexpr auto syrk = cblas_ssyrk;
  static constexpr auto potrf = spotrf_;
  static constexpr auto trtri = strtri_;
  static constexpr auto lauum = slauum_;
};

/// Calls a routine of LAPACK on the lower triangle of A; what it says of it.
template <class Scalar, class Call>
blasint on_triangle(Call routine, Index n, Scalar* A, Index lda) {
  const blasint order = to_blas(n);
  const blasint stride = to_blas(lda);
  blasint info = 0;
  routine("U", &order, A, &stride, &info);
  return info;
}

}  // namespace

template <class Scalar>
void gemm(bool transpose_a, bool transpose_b, Index m, Index n, Index k, std::type_identity_t<Scalar> alpha,
          const Scalar* A, Index lda, const Scalar* B, Index ldb, std::type_identity_t<Scalar> beta, Scalar* C,
          Index ldc) {
  if (m == 0 || n == 0) return;
  Routine<Scalar>::gemm(CblasRowMajor, transpose_a ? CblasTrans : CblasNoTrans, transpose_b ? CblasTrans : CblasNoTrans,
                        to_blas(m), to_blas(n), to_blas(k), alpha, A, to_blas(lda), B, to_blas(ldb), beta, C,
                        to_blas(ldc));
}

template <class Scalar>
void solve_right_transposed(Index m, Index n, const Scalar* L, Index ldl, Scalar* B, Index ldb) {
  if (m == 0) return;
  Routine<Scalar>::trsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, to_blas(m), to_blas(n), 1, L,
                        to_blas(ldl), B, to_blas(ldb));
}

template <class Scalar>
void multiply_right_transposed(Index m, Index n, const Scalar* L, Index ldl, Scalar* B, Index ldb) {
  Routine<Scalar>::trmm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, to_blas(m), to_blas(n), 1, L,
                        to_blas(ldl), B, to_blas(ldb));
}

template <class Scalar>
void rank_update(Index n, Index k, const Scalar* W, Index ldw, Scalar* C, Index ldc) {
  Routine<Scalar>::syrk(CblasRowMajor, CblasLower, CblasNoTrans, to_blas(n), to_blas(k), -1, W, to_blas(ldw), 1, C,
                        to_blas(ldc));
}

void add_squares(Index n, Index k, const double* X, Index ldx, double* C, Index ldc) {
  cblas_dsyrk(CblasRowMajor, CblasLower, CblasTrans, to_blas(n), to_blas(k), 1, X, to_blas(ldx), 1, C, to_blas(ldc));
}

template <class Scalar>
void solve_left(bool transposed, Index n, Index m, const Scalar* L, Index ldl, Scalar* B, Index ldb) {
  Routine<Scalar>::trsm(CblasRowMajor, CblasLeft, CblasLower, transposed ? CblasTrans : CblasNoTrans, CblasNonUnit,
                        to_blas(n), to_blas(m), 1, L, to_blas(ldl), B, to_blas(ldb));
}

template <class Scalar>
bool cholesky(Index n, Scalar* A, Index lda) {
  return on_triangle(Routine<Scalar>::potrf, n, A, lda) == 0;
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

// By halves, since LAPACK's own goes column by column at these sizes: [L 0; M N] has the inverse
// [L^{-1} 0; -N^{-1} M L^{-1} N^{-1}].
template <class Scalar>
void invert_triangle(Index n, Scalar* L, Index ldl) {
  constexpr Index kByColumns = 32;
  if (n > kByColumns) {
    const Index half = n / 2;
    Scalar* M = L + half * ldl;
    Scalar* N = M + half;
    invert_triangle(half, L, ldl);
    invert_triangle(n - half, N, ldl);
    Routine<Scalar>::trmm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, to_blas(n - half),
                          to_blas(half), -1, N, to_blas(ldl), M, to_blas(ldl));
    Routine<Scalar>::trmm(CblasRowMajor, CblasRight, CblasLower, CblasNoTrans, CblasNonUnit, to_blas(n - half),
                          to_blas(half), 1, L, to_blas(ldl), M, to_blas(ldl));
    return;
  }
  const blasint order = to_blas(n);
  const blasint stride = to_blas(ldl);
  blasint info = 0;
  Routine<Scalar>::trtri("U", "N", &order, L, &stride, &info);
}

template <class Scalar>
void square_triangle(Index n, Scalar* L, Index ldl) {
  on_triangle(Routine<Scalar>::lauum, n, L, ldl);
}

template void gemm(bool, bool, Index, Index, Index, double, const double*, Index, const double*, Index, double, double*,
                   Index);
template void gemm(bool, bool, Index, Index, Index, float, const float*, Index, const float*, Index, float, float*,
                   Index);
template void solve_right_transposed(Index, Index, const double*, Index, double*, Index);
template void solve_right_transposed(Index, Index, const float*, Index, float*, Index);
template void solve_left(bool, Index, Index, const double*, Index, double*, Index);
template void solve_left(bool, Index, Index, const float*, Index, float*, Index);
template void multiply_right_transposed(Index, Index, const double*, Index, double*, Index);
template void multiply_right_transposed(Index, Index, const float*, Index, float*, Index);
template void rank_update(Index, Index, const double*, Index, double*, Index);
template void rank_update(Index, Index, const float*, Index, float*, Index);
template bool cholesky(Index, double*, Index);
template bool cholesky(Index, float*, Index);
template void invert_triangle(Index, double*, Index);
template void invert_triangle(Index, float*, Index);
template void square_triangle(Index, double*, Index);
template void square_triangle(Index, float*, Index);

}  // namespace manyone::blas
