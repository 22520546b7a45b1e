// SPDX-License-Identifier: Apache-2.0
//
// What every backend must do: the same tests on each, at sizes around the tile edges of the fast ones. The expected
// numbers are the formulas of backend.hpp, written out here or by the reference backend. The verbs of linear algebra
// are in factorisation_test.cpp.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "tests/conformance/every_backend.hpp"

// Of the OpenBLAS inside the library.
extern "C" char* manyone_openblas_get_corename() __attribute__((weak));

namespace manyone::test {
namespace {

using BackendPairs = EveryBackend;
using BackendKernels = EveryBackend;
using BackendExpand = EveryBackend;
using BackendThreads = EveryBackend;
INSTANTIATE_TEST_SUITE_P(All, BackendPairs, testing::ValuesIn(backend_names()), name_of_backend);

/// Dense and sparse versions of the same kind of rows.
std::vector<Features> dense_and_sparse(Index rows, Index features, std::uint64_t seed) {
  return {random_matrix(rows, features, seed), random_sparse(rows, features, 0.3, seed)};
}

/// How far a statistic may be off: rounding of the GEMM form, in units of the rows' norms.
Matrix allowed_rounding(const Matrix& x, const Matrix& z) {
  const Vector a = x.rowwise().squaredNorm();
  const Vector b = z.rowwise().squaredNorm();
  return kDistance * (a * Eigen::RowVectorXd::Ones(z.rows()) + Vector::Ones(x.rows()) * b.transpose());
}

void expect_statistics(PairStatistic statistic, const Matrix& found, const Matrix& x, const Matrix& z) {
  const Matrix allowed = allowed_rounding(x, z);
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < z.rows(); ++j) {
      ASSERT_NEAR(found(i, j), plain_statistic(statistic, x, i, z, j), allowed(i, j))
          << x.rows() << " x " << z.rows() << " at " << i << "," << j;
    }
  }
}

/// A kernel value may be off by what the rounding of its statistic explains, and a few units in the last place.
void expect_kernel_values(const Kernel& kernel, const Matrix& found, const Matrix& x, const Matrix& z,
                          bool lower = false) {
  const Matrix allowed = allowed_rounding(x, z);
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < (lower ? i + 1 : z.rows()); ++j) {
      const double s = plain_statistic(kernel.statistic(), x, i, z, j);
      const double least = kernel.radial() ? std::max(0.0, s - allowed(i, j)) : s - allowed(i, j);
      const double slack = std::abs(kernel(s + allowed(i, j)) - kernel(least)) + kRounding * (1 + std::abs(kernel(s)));
      ASSERT_NEAR(found(i, j), kernel(s), slack)
          << kernel.name() << " " << x.rows() << " x " << z.rows() << " at " << i << "," << j;
    }
  }
}

#ifdef __x86_64__
TEST(CpuBackend, NewProcessorsAreNotTakenForOnesOf2004) {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || std::getenv("OPENBLAS_CORETYPE") != nullptr)
    GTEST_SKIP() << "nothing to tell OpenBLAS";
  if (manyone_openblas_get_corename == nullptr) GTEST_SKIP() << "the library has no OpenBLAS of its own";
  const auto backend = make_backend("cpu", 1);
  EXPECT_STRNE(manyone_openblas_get_corename(), "Prescott");
}
#endif

TEST_P(BackendPairs, StatisticsOfTwoSetsOfRowsAreTheFormula) {
  for (const Index n : kSizes) {
    for (const auto& [m, d] : {std::pair<Index, Index>{3, 5}, {129, 5}, {43, 38}, {43, 39}}) {
      for (const Features& x : dense_and_sparse(n, d, 1)) {
        for (const Features& z : dense_and_sparse(m, d, 2)) {
          for (const auto statistic : {PairStatistic::squared_distance, PairStatistic::inner_product}) {
            Framed out(n, m);
            backend().pair_statistics(statistic, x, z, out.view());
            expect_statistics(statistic, out.view(), x.dense_rows(0, n), z.dense_rows(0, m));
            EXPECT_TRUE(out.frame_untouched());
            if (statistic == PairStatistic::squared_distance) {
              EXPECT_GE(Matrix(out.view()).minCoeff(), 0);
            }
          }
        }
      }
    }
  }
}

TEST_P(BackendPairs, StatisticsOfOneSetOfRowsAreExactlySymmetricWithZeroDistanceToThemselves) {
  for (const Index n : kSizes) {
    for (const Features& x : {Features(random_matrix(n, 33, 3)), Features(random_matrix(n, 61, 3)),
                              Features(random_sparse(n, 33, 0.3, 3))}) {
      for (const auto statistic : {PairStatistic::squared_distance, PairStatistic::inner_product}) {
        Framed out(n, n);
        backend().pair_statistics(statistic, x, out.view(), Interrupt());
        const Matrix S = out.view();
        expect_statistics(statistic, S, x.dense_rows(0, n), x.dense_rows(0, n));
        EXPECT_TRUE(S == S.transpose()) << n;
        if (statistic == PairStatistic::squared_distance) {
          EXPECT_TRUE((S.diagonal().array() == 0).all()) << n;
          EXPECT_GE(S.minCoeff(), 0);
        }
        EXPECT_TRUE(out.frame_untouched());
      }
    }
  }
}

TEST_P(BackendPairs, EqualRowsFarFromTheOriginHaveNoNegativeDistance) {
  const Matrix row = Matrix::Constant(1, 7, 1234.5678);
  const Matrix x = row.replicate(20, 1);
  Matrix S(20, 20);
  backend().pair_statistics(PairStatistic::squared_distance, x, Features(Matrix(x)), S);
  EXPECT_EQ(S.cwiseAbs().maxCoeff(), 0);
}

TEST_P(BackendPairs, DistancesOfCloseRowsAreAccurateInThemselves) {
  Matrix x = random_matrix(40, 7, 91).array() + 10;
  Matrix z = x.array() + 1e-7;
  for (const bool sparse : {false, true}) {
    const auto rows = [&](const Matrix& m) { return sparse ? Features(SparseMatrix(m.sparseView())) : Features(m); };
    Matrix S(40, 40);
    backend().pair_statistics(PairStatistic::squared_distance, rows(x), rows(z), S);
    for (Index i = 0; i < 40; ++i) {
      const double expected = (x.row(i) - z.row(i)).squaredNorm();
      EXPECT_NEAR(S(i, i), expected, kRounding * expected);
    }
    const Kernel laplacian{&kLaplacian, 1e-6, 3, 1};
    Matrix out(40, 1);
    backend().expand(laplacian, rows(x), rows(z), Matrix(Matrix::Ones(40, 1)), Vector::Zero(1), out);
    for (Index i = 0; i < 40; ++i) {
      EXPECT_NEAR(out(i, 0), laplacian((x.row(i) - z.row(i)).squaredNorm()), kProduct);
    }
  }
}

TEST_P(BackendPairs, AnInterruptEndsAGramMatrix) {
  Interrupt stop;
  stop.request();
  const Features x(random_matrix(300, 3, 92));
  Matrix out(300, 300);
  EXPECT_THROW(backend().gram_lower({&kGaussian, 1, 3, 1}, x, out, stop), Interrupted);
  EXPECT_THROW(backend().pair_statistics(PairStatistic::squared_distance, x, out, stop), Interrupted);
}

INSTANTIATE_TEST_SUITE_P(All, BackendKernels, testing::ValuesIn(backend_names()), name_of_backend);

TEST_P(BackendKernels, ElementwiseMapIsTheKernelToAFewUnitsInTheLastPlace) {
  for (const Index n : kSizes) {
    const Matrix S = 60 * random_matrix(3, n, 4).cwiseAbs();
    for (const Kernel& kernel : vector_kernels()) {
      Framed out(3, n);
      backend().apply_kernel(kernel, S, out.view());
      for (Index i = 0; i < S.rows(); ++i) {
        for (Index j = 0; j < n; ++j) {
          const double expected = kernel(S(i, j));
          // The exponent itself is rounded, which the exponential multiplies by the exponent's size.
          const double slack = 8e-16 * expected * (1 + (kernel.radial() ? std::abs(std::log(expected)) : 1));
          ASSERT_NEAR(out.view()(i, j), expected, slack) << kernel.name() << " of " << S(i, j);
        }
      }
      EXPECT_TRUE(out.frame_untouched());
    }
  }
}

TEST_P(BackendKernels, TheExponentialIsExactToTwoUnitsWhereItsExponentIs) {
  const Matrix S = 80 * random_matrix(7, 129, 95).cwiseAbs();
  Matrix out(7, 129);
  backend().apply_kernel({&kGaussian, 0.25, 3, 1}, S, out);  // exp(-8 s), and 8 s is not rounded
  for (Index i = 0; i < S.rows(); ++i) {
    for (Index j = 0; j < S.cols(); ++j) {
      const double expected = static_cast<double>(std::exp(-8.0L * static_cast<long double>(S(i, j))));
      const double unit = std::nextafter(expected, 1) - expected;
      if (expected < 1e-300) continue;  // towards 0 values may be flushed
      ASSERT_NEAR(out(i, j), expected, 2 * unit) << S(i, j);
    }
  }
}

TEST_P(BackendKernels, MapInPlaceEqualsMapToAnotherMatrix) {
  for (const Kernel& kernel : vector_kernels()) {
    Matrix S = random_matrix(17, 129, 5).cwiseAbs();
    Matrix out(17, 129);
    backend().apply_kernel(kernel, S, out);
    backend().apply_kernel(kernel, S, S);
    EXPECT_TRUE(S == out);
  }
}

TEST_P(BackendKernels, MapAtTheEnds) {
  Matrix S{{0, 1e-300, 1e6, 1e300}};
  for (const auto kind : {&kGaussian, &kLaplacian}) {
    Matrix out(1, 4);
    backend().apply_kernel({kind, 0.5, 3, 1}, S, out);
    EXPECT_EQ(out(0, 0), 1);
    EXPECT_EQ(out(0, 1), 1);
    EXPECT_EQ(out(0, 2), 0);
    EXPECT_EQ(out(0, 3), 0);
  }
}

TEST_P(BackendKernels, PrecomputedKernelValuesPassUnchanged) {
  const Matrix S = random_matrix(5, 17, 6);
  Matrix out(5, 17);
  backend().apply_kernel({&kPrecomputed, 1, 3, 1}, S, out);
  EXPECT_TRUE(out == S);
}

TEST_P(BackendKernels, GramMatrixIsTheKernelOfAllPairsWithOnesOnTheDiagonal) {
  for (const Index n : kSizes) {
    for (const Features& x : dense_and_sparse(n, 5, 7)) {
      for (const Kernel& kernel : vector_kernels()) {
        Framed out(n, n);
        backend().gram_lower(kernel, x, out.view(), Interrupt());
        expect_kernel_values(kernel, out.view(), x.dense_rows(0, n), x.dense_rows(0, n), true);
        if (kernel.radial()) {
          EXPECT_TRUE((out.view().diagonal().array() == 1).all()) << n;
        }
        EXPECT_TRUE(out.frame_untouched());
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, BackendExpand, testing::ValuesIn(backend_names()), name_of_backend);

/// Rows, centres and outputs around every tile edge; not all combinations, each size with small partners.
struct ExpandSize {
  Index rows, centres, q;
};
std::vector<ExpandSize> expand_sizes() {
  std::vector<ExpandSize> out;
  for (const Index q : kColumns) {
    for (const Index n : kSizes) out.push_back({n, 17, q});
    for (const Index m : {Index{1}, Index{2}, Index{33}, Index{1023}, Index{1024}, Index{1025}})
      out.push_back({129, m, q});
  }
  return out;
}

TEST_P(BackendExpand, CentresOfOneOutputEachGiveTheSame) {
  const Kernel kernel{&kGaussian, 0.7, 3, 1};
  for (const Index m : {1, 7, 127, 600, 1300}) {
    const Features x(random_matrix(150, 4, 71));
    const Features z(random_matrix(m, 4, 72));
    Matrix A = Matrix::Zero(m, 5);
    for (Index i = 0; i < m; ++i)
      A(i, i * 4 / m + (i * 4 / m > 1 ? 1 : 0)) = 1 + static_cast<double>(i % 3);  // none for 2
    const Vector b = Vector::LinSpaced(5, -1, 1);
    const Matrix expected = (plain_gram(kernel, x.dense(), z.dense()) * A).rowwise() + b.transpose();
    Matrix out(150, 5);
    backend().expand(kernel, x, z, A, b, out);
    expect_close(out, expected, kProduct);
    A.row(m / 2).setZero();  // a row without an entry, and columns in another order
    A.col(0).swap(A.col(4));
    backend().expand(kernel, x, z, A, b, out);
    expect_close(out, (plain_gram(kernel, x.dense(), z.dense()) * A).rowwise() + b.transpose(), kProduct);
  }
}

TEST_P(BackendExpand, FewScatteredCoefficientsGiveTheSame) {
  for (const KernelEntry* kind : {&kGaussian, &kLaplacian, &kPolynomial}) {
    const Kernel kernel{kind, 0.7, 3, 1};
    for (const Index m : {30, 513, 1100}) {
      for (const Index n : {1, 9, 130, 200}) {
        const Features x(random_matrix(n, 4, 76));
        const Features z(random_matrix(m, 4, 77));
        Matrix A = Matrix::Zero(m, 21);
        for (Index i = 0; i < m; ++i) A(i, i * 7 % 20) = 1 + static_cast<double>(i % 3);  // none for the last
        const Vector b = Vector::LinSpaced(21, -1, 1);
        Matrix out(n, 21);
        backend().expand(kernel, x, z, A, b, out);
        expect_close(out, (plain_gram(kernel, x.dense(), z.dense()) * A).rowwise() + b.transpose(), kProduct);
        Matrix last(1, 21);  // a row on its own has the same outputs
        backend().expand(kernel, Features(Matrix(x.dense().bottomRows(1))), z, A, b, last);
        EXPECT_TRUE(last == out.bottomRows(1));
      }
    }
  }
}

/// Centres sorted by class, each with entries for some of the pairs of its class: what all-pairs machines have.
TEST_P(BackendExpand, CoefficientsOfPairsGiveTheSame) {
  const Kernel kernel{&kGaussian, 0.7, 3, 1};
  for (const Index classes : {3, 6, 12}) {
    for (const Index m : {20, 511, 513, 1100}) {
      const Features x(random_matrix(130, 4, 73));
      const Features z(random_matrix(m, 4, 74));
      const Matrix random = random_matrix(m, classes * classes, 75);
      const Index q = classes * (classes - 1) / 2;
      Matrix A = Matrix::Zero(m, q);
      for (Index i = 0; i < m; ++i) {
        const Index own = i * classes / m;
        Index column = 0;
        for (Index a = 0; a < classes; ++a) {
          for (Index b = a + 1; b < classes; ++b, ++column) {
            if ((a == own || b == own) && random(i, a * classes + b) > -0.5) A(i, column) = random(i, a * classes + b);
          }
        }
      }
      const Vector b = Vector::LinSpaced(q, -1, 1);
      Matrix out(130, q);
      backend().expand(kernel, x, z, A, b, out);
      expect_close(out, (plain_gram(kernel, x.dense(), z.dense()) * A).rowwise() + b.transpose(), kProduct);
    }
  }
}

TEST_P(BackendExpand, OutputsAreKernelTimesCoefficientsPlusBias) {
  const auto reference = make_backend("reference");
  for (const auto& [n, m, q] : expand_sizes()) {
    const Matrix A = random_matrix(m + 1, q + 3, 8);
    const Vector b = random_matrix(q, 1, 9).col(0);
    for (const Kernel& kernel : {Kernel{&kGaussian, 0.7, 3, 1}, Kernel{&kPolynomial, 1, 2, 1}}) {
      for (const Features& x : dense_and_sparse(n, 5, 10)) {
        for (const Features& z : dense_and_sparse(m, 5, 11)) {
          Framed out(n, q);
          backend().expand(kernel, x, z, A.block(1, 2, m, q), b, out.view());
          Matrix expected = plain_gram(kernel, x.dense_rows(0, n), z.dense_rows(0, m)) * A.block(1, 2, m, q);
          expected.rowwise() += b.transpose();
          expect_close(out.view(), expected, kProduct, fmt_size(n, m, q));
          Matrix oracle(n, q);
          reference->expand(kernel, x, z, A.block(1, 2, m, q), b, oracle);
          expect_close(out.view(), oracle, kProduct, fmt_size(n, m, q));
          EXPECT_TRUE(out.frame_untouched());
        }
      }
    }
  }
}

TEST_P(BackendExpand, EveryKernelAcrossATileOfCentres) {
  const Matrix x = random_matrix(130, 4, 12);
  const Matrix z = random_matrix(1025, 4, 13);
  const Matrix A = random_matrix(1025, 3, 14);
  for (const Kernel& kernel : vector_kernels()) {
    Matrix out(130, 3);
    backend().expand(kernel, x, z, A, Vector::Zero(3), out);
    expect_close(out, plain_gram(kernel, x, z) * A, kProduct, std::string(kernel.name()));
  }
}

INSTANTIATE_TEST_SUITE_P(All, BackendThreads, testing::ValuesIn(backend_names()), name_of_backend);

TEST_P(BackendThreads, EveryIndexRunsOnce) {
  std::vector<std::atomic<int>> runs(100);
  backend().parallel_for(runs.size(), [&](std::size_t i) { ++runs[i]; });
  for (const auto& count : runs) EXPECT_EQ(count, 1);
  EXPECT_GE(backend().threads(), 1);
  EXPECT_EQ(backend().name(), GetParam());
}

TEST_P(BackendThreads, AnExceptionInABodyArrivesAtTheCaller) {
  EXPECT_THROW(backend().parallel_for(10,
                                      [](std::size_t i) {
                                        if (i == 7) throw BackendError("seven");
                                      }),
               BackendError);
}

TEST(BackendRegistry, AnUnknownNameListsTheKnownOnes) {
  try {
    make_backend("abacus");
    FAIL();
  } catch (const ConfigError& error) {
    for (const auto& name : backend_names()) EXPECT_NE(std::string(error.what()).find(name), std::string::npos);
  }
}

/// All verbs of one backend on one problem. A narrow kernel fills the matrices with numbers at the lower end of double.
std::vector<Matrix> all_results(const Backend& backend, double sigma) {
  const Interrupt interrupt;
  const Index n = 385;
  const Features x = random_matrix(n, 5, 15);
  const Features sparse = random_sparse(n, 40, 0.1, 16);
  std::vector<Matrix> out;
  const auto fresh = [&](Index rows, Index cols) -> Matrix& { return out.emplace_back(Matrix::Zero(rows, cols)); };
  backend.pair_statistics(PairStatistic::squared_distance, x, fresh(n, n), Interrupt());
  backend.pair_statistics(PairStatistic::inner_product, sparse, sparse, fresh(n, n));
  for (const Kernel& kernel : vector_kernels()) backend.apply_kernel(kernel, Matrix(out[0]), fresh(n, n));
  Matrix K = Matrix::Zero(n, n);
  const Kernel gaussian{&kGaussian, sigma, 3, 1};
  backend.gram_lower(gaussian, x, K, Interrupt());
  K.triangularView<Eigen::StrictlyUpper>() = K.transpose();
  K.diagonal().array() += 0.1;
  out.push_back(K);
  const Matrix B = random_matrix(n, 33, 17);
  backend.expand(gaussian, x, Features(random_matrix(1025, 5, 18)), random_matrix(1025, 3, 19), Vector::Ones(3),
                 fresh(n, 3));
  backend.multiply(1, K, Transpose::yes, B, Transpose::no, 0, fresh(n, 33));
  Matrix squares = Matrix::Zero(33, 33);
  backend.add_squares(B, squares);
  out.push_back(squares.triangularView<Eigen::Lower>());
  Matrix L = K;
  EXPECT_TRUE(backend.cholesky(L, interrupt));
  L.triangularView<Eigen::StrictlyUpper>().setZero();
  out.push_back(L);
  out.push_back(B);
  backend.cholesky_solve(L, out.back());
  out.push_back(K);
  EXPECT_TRUE(backend.invert(out.back(), interrupt));
  FloatMatrix single = K.cast<float>();
  EXPECT_TRUE(backend.invert(single, interrupt));
  out.push_back(single.cast<double>());
  FloatMatrix product(n, 33);
  backend.multiply(1.0F, single, Transpose::no, FloatMatrix(B.cast<float>()), Transpose::no, 0.0F, product);
  out.push_back(product.cast<double>());
  return out;
}

TEST(BackendThreadCount, DoesNotChangeABitOfAnyResult) {
  for (const auto& name : backend_names()) {
    for (const double sigma : {0.7, 0.04}) {
      const auto one = all_results(*make_backend(name, 1), sigma);
      for (const int threads : {2, 3}) {
        const auto many = all_results(*make_backend(name, threads), sigma);
        for (std::size_t k = 0; k < one.size(); ++k) {
          EXPECT_TRUE(one[k] == many[k]) << name << ", " << threads << " threads, sigma " << sigma << ", result " << k;
        }
      }
    }
  }
}

TEST_P(BackendThreads, TheCallersOwnArithmeticKeepsItsDenormals) {
  Matrix A = Matrix::Identity(300, 300);
  ASSERT_TRUE(backend().invert(A, interrupt));
  volatile double smallest = std::numeric_limits<double>::min();
  EXPECT_GT(smallest / 2, 0);
}

}  // namespace
}  // namespace manyone::test
