// SPDX-License-Identifier: Apache-2.0
//
// Every way to screen a cell gives the outputs of refits, closely enough for a choice, and the same labels.
#include <gtest/gtest.h>

#include "decoder/decoder.hpp"
#include "solve/clusters.hpp"
#include "solve/low_rank.hpp"
#include "solve/screening.hpp"
#include "tests/tolerance.hpp"
#include "tests/unit/solve/refit.hpp"

namespace manyone::test {
namespace {

/// 700 rows in five clouds; a wide kernel has few directions, a narrow one few neighbours.
Problem problem_with(double sigma, double ridge, bool bias, bool weights) {
  constexpr Index n = 700;
  const Dataset data = clouds(n, 3, 5, 0.4, 51);
  const Matrix x = data.features.dense_rows(0, n);
  Problem problem;
  problem.ridge = {ridge, {}, bias};
  if (weights) problem.ridge.weights = random_matrix(n, 1, 52).col(0).array() + 1.5;
  problem.K = plain_gram({&kGaussian, sigma, 3, 1}, x, x);
  problem.T = Matrix::Zero(n, 5);
  for (Index i = 0; i < n; ++i) problem.T(i, data.labels[static_cast<std::size_t>(i)]) = 1;
  problem.folds = make_folds({.count = 10, .stratified = false, .given = {}}, data.labels, 1, 0);
  return problem;
}

Screened screened(const Backend& backend, const Problem& problem) {
  Matrix K = problem.K;
  SingleRidgeInverse scratch;
  auto out = screened_outputs(backend, Interrupt(), problem.ridge, K, problem.T, std::span(&problem.ridge.ridge, 1),
                              std::span(&problem.folds, 1), scratch);
  EXPECT_TRUE(K == problem.K) << "K must come back as it was";
  return out.front();
}

int different_rows(const Matrix& a, const Matrix& b) {
  const auto first = argmax_classes(a);
  const auto second = argmax_classes(b);
  int different = 0;
  for (std::size_t i = 0; i < first.size(); ++i) different += first[i] != second[i] ? 1 : 0;
  return different;
}

struct Width {
  double sigma;
  ScreeningPath path;
  double off;  ///< largest difference of an output
};

class Screening : public testing::TestWithParam<Width> {};

TEST_P(Screening, TakesTheFittingPathAndAgreesWithRefits) {
  const auto backend = make_backend("cpu", 1);
  for (const bool bias : {false, true}) {
    for (const bool weights : {false, true}) {
      for (const double ridge : {0.0625, 1.0}) {
        const Problem problem = problem_with(GetParam().sigma, ridge, bias, weights);
        const Screened found = screened(*backend, problem);
        ASSERT_TRUE(found.solved);
        EXPECT_EQ(found.path, GetParam().path) << bias << weights << ridge;
        const Matrix expected = refit(problem);
        EXPECT_LE((found.outputs.front() - expected).cwiseAbs().maxCoeff(), GetParam().off) << bias << weights << ridge;
        EXPECT_LE(different_rows(found.outputs.front(), expected), 1) << bias << weights << ridge;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Screening,
                         testing::Values(Width{4, ScreeningPath::low_rank, 1e-3},
                                         Width{0.2, ScreeningPath::single, 1e-4},
                                         Width{0.002, ScreeningPath::clusters, 1e-6}),
                         [](const auto& test) {
                           return test.index == 0 ? "Wide" : test.index == 1 ? "Middle" : "Narrow";
                         });

// SPEC section 10: at narrow kernels outputs are tiny and still decide; labels are those of refits.
TEST(Screening, TinyOutputsOfANarrowKernelKeepTheirOrder) {
  const auto backend = make_backend("cpu", 1);
  const Problem problem = problem_with(0.005, 0.125, false, false);
  const Screened found = screened(*backend, problem);
  EXPECT_EQ(found.path, ScreeningPath::clusters);
  EXPECT_LT(found.outputs.front().rowwise().maxCoeff().minCoeff(), 1e-15);
  EXPECT_EQ(different_rows(found.outputs.front(), refit(problem)), 0);
}

// To the bit: a resumed search asks for other cells together, and gives the same numbers.
TEST(Screening, CellsThatAreScoredTogetherAreScoredAsAlone) {
  const auto backend = make_backend("cpu", 1);
  Problem problem = problem_with(1.5, 1, false, true);
  const std::vector<double> ridges = {0.0625, 0.001, 16};  // some by low rank, some not
  SingleRidgeInverse scratch;
  const auto together = screened_outputs(*backend, Interrupt(), problem.ridge, problem.K, problem.T, ridges,
                                         std::span(&problem.folds, 1), scratch);
  for (std::size_t k = 0; k < ridges.size(); ++k) {
    problem.ridge.ridge = ridges[k];
    const Screened alone = screened(*backend, problem);
    EXPECT_EQ(together[k].path, alone.path);
    EXPECT_TRUE(together[k].outputs.front() == alone.outputs.front());
  }
}

TEST(LowRank, ItsColumnsLeaveWhatTheySay) {
  const auto backend = make_backend("cpu", 1);
  const Problem problem = problem_with(4, 1, false, false);
  const std::vector<double> remainders = {1, 1e-2, 1e-4};
  const LowRank factor(*backend, Interrupt(), problem.K, remainders, 512);
  Index last = 0;
  for (std::size_t k = 0; k < remainders.size(); ++k) {
    const double remainder = remainders[k];
    const Index m = factor.columns_for(k);
    ASSERT_GT(m, 0);
    EXPECT_GE(m, last);
    last = m;
    const Matrix Z = factor.Z().leftCols(m);
    const Matrix rest = problem.K - Z * Z.transpose();
    EXPECT_LE(rest.trace(), remainder * (1 + 1e-9));
    EXPECT_LE(rest.cwiseAbs().maxCoeff(), remainder);
  }
}

TEST(LowRank, GivesUpEarlyOnANarrowKernel) {
  const auto backend = make_backend("cpu", 1);
  const Problem problem = problem_with(0.05, 1, false, false);
  const double remainder = 1e-3;
  const LowRank factor(*backend, Interrupt(), problem.K, std::span(&remainder, 1), 512);
  EXPECT_EQ(factor.columns_for(0), 0);
  EXPECT_LE(factor.steps().back(), 128);
}

TEST(LowRank, EqualRowsCountOnce) {
  const auto backend = make_backend("cpu", 1);
  const Matrix K = Matrix::Ones(200, 200);
  const double remainder = 1e-9;
  const LowRank factor(*backend, Interrupt(), K, std::span(&remainder, 1), 128);
  EXPECT_EQ(factor.columns_for(0), 1);
}

TEST(Clusters, AreRowsJoinedByChains) {
  Matrix K = Matrix::Identity(40, 40);
  const auto join = [&](Index i, Index j, double value) { K(i, j) = K(j, i) = value; };
  join(3, 30, 0.5);
  join(30, 7, 1e-5);
  join(8, 9, 1e-12);  // too small to join
  const Interrupt interrupt;
  NearRows near(K, interrupt);
  const auto clusters = small_clusters(near, 40);
  ASSERT_EQ(clusters.size(), 38U);
  const auto found = std::find_if(clusters.begin(), clusters.end(), [](const auto& rows) { return rows.size() > 1; });
  EXPECT_EQ(*found, (std::vector<Index>{3, 7, 30}));
}

TEST(Clusters, ThereAreNoneInAWideKernel) {
  const Problem problem = problem_with(1, 1, false, false);
  const Interrupt interrupt;
  NearRows near(problem.K, interrupt);
  EXPECT_TRUE(small_clusters(near, problem.K.rows()).empty());
}

}  // namespace
}  // namespace manyone::test
