// SPDX-License-Identifier: Apache-2.0
//
// The verbs of linear algebra on every backend: product, Cholesky factor, solve and inverse.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "manyone/errors.hpp"
#include "tests/conformance/every_backend.hpp"

namespace manyone::test {
namespace {

using BackendMultiply = EveryBackend;
using BackendCholesky = EveryBackend;
using BackendInvert = EveryBackend;
using BackendSingle = EveryBackend;
INSTANTIATE_TEST_SUITE_P(All, BackendMultiply, testing::ValuesIn(backend_names()), name_of_backend);
INSTANTIATE_TEST_SUITE_P(All, BackendCholesky, testing::ValuesIn(backend_names()), name_of_backend);
INSTANTIATE_TEST_SUITE_P(All, BackendInvert, testing::ValuesIn(backend_names()), name_of_backend);
INSTANTIATE_TEST_SUITE_P(All, BackendSingle, testing::ValuesIn(backend_names()), name_of_backend);

/// A Gaussian Gram matrix plus a ridge: condition number below n / 0.1.
Matrix positive_definite(Index n) {
  Matrix A = plain_gram({&kGaussian, 0.7, 3, 1}, random_matrix(n, 4, 20), random_matrix(n, 4, 20));
  A.diagonal().array() += 0.1;
  return A;
}

Matrix lower(const Matrix& A) { return A.triangularView<Eigen::Lower>(); }

/// The lower triangle of A with rubbish above: the verbs must not read it.
Matrix lower_with_rubbish(const Matrix& A) {
  Matrix out = A;
  out.triangularView<Eigen::StrictlyUpper>().setConstant(std::numeric_limits<double>::quiet_NaN());
  return out;
}

TEST_P(BackendMultiply, EveryTransposeIsTheProduct) {
  for (const Index m : kSizes) {
    for (const Index q : kColumns) {
      const Index inner = m % 2 == 0 ? 17 : 129;
      for (const auto ta : {Transpose::no, Transpose::yes}) {
        for (const auto tb : {Transpose::no, Transpose::yes}) {
          const Matrix A = random_matrix(m, inner, 21);
          const Matrix B = random_matrix(inner, q, 22);
          const Matrix C = random_matrix(m, q, 23);
          Framed left(ta == Transpose::no ? A : Matrix(A.transpose()));
          Framed right(tb == Transpose::no ? B : Matrix(B.transpose()));
          Framed out(C);
          backend().multiply(-0.5, left.view(), ta, right.view(), tb, 2, out.view());
          expect_close(out.view(), -0.5 * A * B + 2 * C, kProduct, fmt_size(m, inner, q));
          EXPECT_TRUE(out.frame_untouched());
        }
      }
    }
  }
}

TEST_P(BackendMultiply, BetaZeroOverwritesWhateverWasThere) {
  const Matrix A = random_matrix(17, 5, 24);
  const Matrix B = random_matrix(5, 3, 25);
  Matrix C = Matrix::Constant(17, 3, std::numeric_limits<double>::quiet_NaN());
  backend().multiply(1, A, Transpose::no, B, Transpose::no, 0, C);
  expect_close(C, A * B, kProduct);
}

TEST_P(BackendCholesky, FactorTimesItsTransposeIsTheMatrix) {
  const auto reference = make_backend("reference");
  for (const Index n : kSizes) {
    const Matrix A = positive_definite(n);
    Framed out(lower_with_rubbish(A));
    ASSERT_TRUE(backend().cholesky(out.view(), interrupt)) << n;
    const Matrix L = lower(out.view());
    expect_close(L * L.transpose(), A, kProduct, std::to_string(n));
    Matrix oracle = A;
    ASSERT_TRUE(reference->cholesky(oracle, interrupt));
    expect_close(L, lower(oracle), kSolution, std::to_string(n));
    EXPECT_TRUE(out.frame_untouched());
  }
}

TEST_P(BackendCholesky, SolvesForAnyNumberOfRightHandSides) {
  const auto reference = make_backend("reference");
  for (const Index n : kSizes) {
    const Matrix A = positive_definite(n);
    Matrix L = A;
    ASSERT_TRUE(reference->cholesky(L, interrupt));
    for (const Index q : kColumns) {
      const Matrix B = random_matrix(n, q, 26);
      Framed factor(lower_with_rubbish(L));
      Framed x(B);
      backend().cholesky_solve(factor.view(), x.view());
      expect_close(A * x.view(), B, kSolution, fmt_size(n, n, q));
      EXPECT_TRUE(x.frame_untouched());
    }
  }
}

TEST_P(BackendCholesky, SolvesForEveryRow) {
  const auto reference = make_backend("reference");
  for (const Index n : kSizes) {
    Matrix L = positive_definite(n);
    ASSERT_TRUE(reference->cholesky(L, interrupt));
    const Matrix B = random_matrix(n == 17 ? 300 : 5, n, 27);
    Framed x(B);
    backend().solve_rows(lower_with_rubbish(L), x.view());
    expect_close(x.view() * lower(L).transpose(), B, kSolution, std::to_string(n));
    EXPECT_TRUE(x.frame_untouched());
  }
}

TEST_P(BackendCholesky, SaysWhenAMatrixIsNotPositiveDefinite) {
  for (const Index n : kSizes) {
    for (const Index at : {Index{0}, n / 2, n - 1}) {
      for (const double entry : {-1.0, 0.0}) {
        Matrix A = positive_definite(n);
        A(at, at) = entry;
        EXPECT_FALSE(backend().cholesky(A, interrupt)) << n << " at " << at;
      }
    }
  }
}

TEST_P(BackendCholesky, StopsWhenInterrupted) {
  interrupt.request();
  Matrix A = positive_definite(300);
  EXPECT_THROW(backend().cholesky(A, interrupt), Interrupted);
}

TEST_P(BackendInvert, InverseIsExactlySymmetricAndUndoesTheMatrix) {
  const auto reference = make_backend("reference");
  for (const Index n : kSizes) {
    const Matrix A = positive_definite(n);
    Framed out(lower_with_rubbish(A));
    ASSERT_TRUE(backend().invert(out.view(), interrupt)) << n;
    const Matrix P = out.view();
    EXPECT_TRUE(P == P.transpose()) << n;
    expect_close(A * P, Matrix::Identity(n, n), kSolution, std::to_string(n));
    Matrix oracle = A;
    ASSERT_TRUE(reference->invert(oracle, interrupt));
    expect_close(P, oracle, kSolution, std::to_string(n));
    EXPECT_TRUE(out.frame_untouched());
  }
}

TEST_P(BackendInvert, SaysWhenAMatrixIsNotPositiveDefinite) {
  for (const Index n : kSizes) {
    for (const Index at : {Index{0}, n / 2, n - 1}) {
      Matrix A = positive_definite(n);
      A(at, at) = -1;
      EXPECT_FALSE(backend().invert(A, interrupt)) << n << " at " << at;
    }
  }
}

TEST_P(BackendInvert, StopsWhenInterrupted) {
  interrupt.request();
  Matrix A = positive_definite(300);
  EXPECT_THROW(backend().invert(A, interrupt), Interrupted);
}

using BackendTriangle = EveryBackend;
using BackendEigen = EveryBackend;
INSTANTIATE_TEST_SUITE_P(All, BackendTriangle, testing::ValuesIn(backend_names()), name_of_backend);
INSTANTIATE_TEST_SUITE_P(All, BackendEigen, testing::ValuesIn(backend_names()), name_of_backend);

TEST_P(BackendTriangle, SolvesWithTheFactorAndItsTranspose) {
  for (const Index n : kSizes) {
    Matrix L = positive_definite(n);
    ASSERT_TRUE(backend().cholesky(L, interrupt));
    const Matrix X = random_matrix(n, 3, 31);
    Framed down(lower(L) * X);
    backend().triangular_solve(lower_with_rubbish(L), Transpose::no, down.view());
    expect_close(down.view(), X, kSolution, fmt_size(n, n, 3));
    Framed up(lower(L).transpose() * X);
    backend().triangular_solve(lower_with_rubbish(L), Transpose::yes, up.view());
    expect_close(up.view(), X, kSolution, fmt_size(n, n, 3));
    EXPECT_TRUE(down.frame_untouched() && up.frame_untouched());
  }
}

TEST_P(BackendTriangle, SolvesAPositiveDefiniteSystemInSinglePrecision) {
  for (const Index n : kSizes) {
    const Matrix A = positive_definite(n);
    const Matrix X = random_matrix(n, 3, 37);
    FloatMatrix factor = lower_with_rubbish(A).cast<float>();
    FloatMatrix found = (A * X).cast<float>();
    ASSERT_TRUE(backend().solve(factor, found, interrupt)) << n;
    EXPECT_LE((found.cast<double>() - X).norm(), 1e-4 * X.norm()) << n;
    FloatMatrix indefinite = A.cast<float>();
    indefinite(n / 2, n / 2) = -1;
    EXPECT_FALSE(backend().solve(indefinite, found, interrupt)) << n;
  }
}

TEST_P(BackendEigen, VectorsAreOrthonormalAndGiveTheMatrixBack) {
  for (const Index n : {1, 2, 5, 33, 80}) {
    const Matrix A = positive_definite(n) - 0.5 * Matrix::Identity(n, n);  // of both signs
    Framed V(lower_with_rubbish(A));
    Vector values;
    backend().eigen(V.view(), values, Interrupt());
    ASSERT_EQ(values.size(), n);
    for (Index k = 1; k < n; ++k) EXPECT_LE(values[k - 1], values[k]);
    expect_close(V.view().transpose() * V.view(), Matrix::Identity(n, n), kProduct);
    expect_close(V.view() * values.asDiagonal() * V.view().transpose(), A, kProduct);
    EXPECT_TRUE(V.frame_untouched());
  }
}

TEST_P(BackendSingle, EveryTransposeIsTheProduct) {
  for (const Index m : kSizes) {
    const Index inner = m % 2 == 0 ? 17 : 129;
    const Matrix A = random_matrix(m, inner, 21);
    const Index q = m % 3 == 0 ? 48 : m % 3 == 1 ? 16 : 3;  // on both sides of the thin products
    const Matrix B = random_matrix(inner, q, 22);
    const Matrix C = random_matrix(m, q, 23);
    for (const auto ta : {Transpose::no, Transpose::yes}) {
      for (const auto tb : {Transpose::no, Transpose::yes}) {
        FramedFloat left((ta == Transpose::no ? A : Matrix(A.transpose())).cast<float>());
        FramedFloat right((tb == Transpose::no ? B : Matrix(B.transpose())).cast<float>());
        FramedFloat out(C.cast<float>());
        backend().multiply(-0.5F, left.view(), ta, right.view(), tb, 2.0F, out.view());
        expect_close(out.view().cast<double>(), -0.5 * A * B + 2 * C, kSingleProduct, fmt_size(m, inner, q));
        EXPECT_TRUE(out.frame_untouched());
      }
    }
  }
}

TEST_P(BackendSingle, InverseIsExactlySymmetricAndThatOfDoublePrecision) {
  for (const Index n : kSizes) {
    const Matrix A = positive_definite(n);
    FramedFloat out(lower_with_rubbish(A).cast<float>());
    ASSERT_TRUE(backend().invert(out.view(), interrupt)) << n;
    const FloatMatrix P = out.view();
    EXPECT_TRUE(P == P.transpose()) << n;
    Matrix expected = A;
    ASSERT_TRUE(backend().invert(expected, interrupt));
    expect_close(P.cast<double>(), expected, kSingleSolution, std::to_string(n));
    EXPECT_TRUE(out.frame_untouched());
  }
}

TEST_P(BackendSingle, SaysWhenAMatrixIsNotPositiveDefinite) {
  for (const Index n : kSizes) {
    for (const Index at : {Index{0}, n / 2, n - 1}) {
      FloatMatrix A = positive_definite(n).cast<float>();
      A(at, at) = -1;
      EXPECT_FALSE(backend().invert(A, interrupt)) << n << " at " << at;
    }
  }
}

TEST_P(BackendSingle, StopsWhenInterrupted) {
  interrupt.request();
  FloatMatrix A = positive_definite(300).cast<float>();
  EXPECT_THROW(backend().invert(A, interrupt), Interrupted);
}

TEST_P(BackendMultiply, AddedSquaresAreTheProductInTheLowerTriangle) {
  for (const Index m : kSizes) {
    for (const Index n : {Index{1}, Index{40}, Index{300}}) {
      const Matrix X = random_matrix(n, m, 31);
      const Matrix before = random_matrix(m, m, 32);
      Framed C(before);
      Framed framed_x(X);
      backend().add_squares(framed_x.view(), C.view());
      const Matrix expected = before + X.transpose() * X;
      for (Index i = 0; i < m; ++i) {
        for (Index j = 0; j <= i; ++j) ASSERT_NEAR(C.view()(i, j), expected(i, j), 1e-11) << fmt_size(m, n, m);
      }
      ASSERT_TRUE(C.frame_untouched());
    }
  }
}

}  // namespace
}  // namespace manyone::test
