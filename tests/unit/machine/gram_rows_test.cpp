// SPDX-License-Identifier: Apache-2.0
//
// Rows of a kernel matrix that is never made: the same values whatever is kept, and the same machine.
#include "machine/gram_rows.hpp"

#include <gtest/gtest.h>

#include "machine/svm_ecoc.hpp"
#include "tests/problems.hpp"
#include "tests/tolerance.hpp"

namespace manyone::test {
namespace {

constexpr Index kRows = 150;

class GramRowsTest : public testing::Test {
 protected:
  std::unique_ptr<Backend> backend_ = make_backend("cpu", 2);
  Observer silent_;
  Interrupt never_;
  Execution execution_{*backend_, MemoryBudget(), silent_, never_};
  Kernel kernel_{&kGaussian, 0.7, 3, 1};
};

void expect_rows_of(GramRows& form, const Matrix& K, const std::vector<Index>& active) {
  for (const Index place : {Index{0}, static_cast<Index>(active.size()) / 2, static_cast<Index>(active.size()) - 1}) {
    const double* row = form.row(place, 0);
    for (std::size_t k = 0; k < active.size(); ++k)
      ASSERT_NEAR(row[k], K(active[static_cast<std::size_t>(place)], active[k]), 1e-12) << place << ' ' << k;
  }
}

std::vector<Index> every(Index step) {
  std::vector<Index> out;
  for (Index i = 0; i < kRows; i += step) out.push_back(i);
  return out;
}

TEST_F(GramRowsTest, RowsAreThoseOfTheMatrixWhateverIsKept) {
  const Features dense(random_matrix(kRows, 40, 5));
  const Features sparse(random_sparse(kRows, 40, 0.2, 6));
  for (const Features* features : {&dense, &sparse}) {
    const FeatureGram gram(execution_, kernel_, *features);
    const Matrix K = gram.full();
    for (const double bytes : {1e3, 1e5, 1e9}) {
      const auto part = gram.part(every(1));
      GramRows form(*part, bytes);
      EXPECT_EQ(form.size(), kRows);
      for (Index i = 0; i < kRows; ++i) ASSERT_NEAR(form.diagonal(i), K(i, i), 1e-14);
      for (Index i = 0; i < kRows; ++i) form.row(i, static_cast<int>(i % 2));  // more than the smallest store holds
      expect_rows_of(form, K, every(1));
      const std::vector<Index> some = {3, 9, 60, 120, 149};
      EXPECT_FALSE(bytes < 1e4 && form.at_hand(1)) << "the oldest rows went";
      form.fetch(some);
      for (const Index step : {3, 6, 1, 50}) {
        form.keep(every(step));
        expect_rows_of(form, K, every(step));
      }
      form.keep(every(1));
      Vector s = Vector::Zero(kRows);
      s(some) = Vector::LinSpaced(5, -1, 1);
      expect_close(form.times(s), Vector(K * s), 1e-12);
    }
  }
}

TEST_F(GramRowsTest, APrecomputedKernelIsLookedUp) {
  const Features features(random_matrix(kRows, 3, 7));
  const Features K(FeatureGram(execution_, kernel_, features).full());
  Kernel kernel;
  kernel.entry = &kPrecomputed;
  const FeatureGram given(execution_, kernel, K);
  GramRows form(given, 1e5);
  expect_rows_of(form, K.dense(), every(1));
  form.keep(every(4));
  expect_rows_of(form, K.dense(), every(4));
  const Vector s = Vector::LinSpaced(kRows, -1, 1);
  expect_close(form.times(s), Vector(K.dense() * s), 1e-12);
}

TEST_F(GramRowsTest, AMachineIsTheSameAsWithTheWholeMatrix) {
  const Features features(random_matrix(kRows, 12, 8));
  const FeatureGram gram(execution_, kernel_, features);
  const Matrix K = gram.full();
  Vector t(kRows);
  for (Index i = 0; i < kRows; ++i) t[i] = features.dense()(i, 0) + 0.3 * features.dense()(i, 1) > 0 ? 1 : -1;
  const Vector upper = Vector::Constant(kRows, 20);
  DenseForm whole(K);
  Vector first = Vector::Zero(kRows);
  const auto expected = solve_binary_svm(never_, whole, t, upper, true, {1e-9, 0}, first);
  GramRows rows(gram, 1e3);
  Vector second = Vector::Zero(kRows);
  const auto found = solve_binary_svm(never_, rows, t, upper, true, {1e-9, 0}, second);
  EXPECT_TRUE(found.converged);
  EXPECT_NEAR(found.objective, expected.objective, 1e-8);
  EXPECT_NEAR(found.b, expected.b, 1e-6);
}

}  // namespace
}  // namespace manyone::test
