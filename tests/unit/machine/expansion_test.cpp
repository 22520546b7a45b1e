// SPDX-License-Identifier: Apache-2.0
#include "machine/expansion.hpp"

#include <gtest/gtest.h>

#include "backend/runtime.hpp"
#include "machine/registry.hpp"
#include "tests/problems.hpp"
#include "tests/tolerance.hpp"
#include "tests/unit/data/table_files.hpp"

namespace manyone::test {
namespace {

/// f(x) = 2 x'z1 + 0 x'z2 + 3 x'z3 + (10, 20), first output; the second has the negative coefficients.
Expansion linear_expansion() {
  Expansion e;
  e.kernel = {&kLinear, 1, 3, 1};
  e.centres = Matrix{{1, 0}, {5, 5}, {0, 1}};
  e.coefficients = Matrix{{2, -2}, {0, 0}, {3, -3}};
  e.bias = Vector{{10, 20}};
  return e;
}

TEST(Expansion, ByHand) {
  for (const auto& name : backend_names()) {
    const Matrix f = linear_expansion().evaluate(*make_backend(name), Matrix{{1, 1}, {0, 2}});
    EXPECT_TRUE(f == (Matrix{{15, 15}, {16, 14}})) << name;
  }
}

TEST(Expansion, CentresWithoutCoefficientsAreDroppedAndChangeNothing) {
  Expansion e = linear_expansion();
  e.arrange_centres(std::vector<int>(static_cast<std::size_t>(e.coefficients.rows()), 0));
  EXPECT_TRUE(e.centres.dense() == (Matrix{{1, 0}, {0, 1}}));
  EXPECT_TRUE(e.coefficients == (Matrix{{2, -2}, {3, -3}}));
  EXPECT_TRUE(e.evaluate(*make_backend("cpu"), Matrix{{1, 1}}) == (Matrix{{15, 15}}));
}

TEST(Expansion, PrecomputedColumnsAreNeverDropped) {
  Expansion e = linear_expansion();
  e.kernel.entry = &kPrecomputed;
  e.centres = Features();
  e.arrange_centres(std::vector<int>(static_cast<std::size_t>(e.coefficients.rows()), 0));
  EXPECT_EQ(e.features(), 3);
  EXPECT_TRUE(e.evaluate(*make_backend("cpu"), Matrix{{1, 7, 1}}) == (Matrix{{15, 15}}));
}

TEST(Expansion, AnotherNumberOfFeaturesIsAnInputErrorThatNamesBoth) {
  const auto evaluate = [] { linear_expansion().evaluate(*make_backend("cpu"), Matrix{{1, 2, 3}}); };
  EXPECT_THROW(evaluate(), InputError);
  expect_contains(message_of(evaluate), "expected 2 features, found 3");
}

TEST(Expansion, NoRowsGiveNoOutputs) {
  EXPECT_EQ(linear_expansion().evaluate(*make_backend("cpu"), Matrix(0, 2)).rows(), 0);
}

TEST(Expansion, CentresOfAClassSideBySideChangeNoOutput) {
  const Runtime runtime(1);
  Expansion e{{&kGaussian, 0.5, 3, 1}, random_matrix(9, 2, 1), Matrix::Zero(9, 3), Vector::Zero(3)};
  std::vector<int> labels;
  for (Index i = 0; i < 9; ++i) {
    labels.push_back(static_cast<int>((i * 5) % 3));
    e.coefficients(i, labels.back()) = 1 + static_cast<double>(i);
  }
  const Matrix queries = random_matrix(4, 2, 2);
  const Matrix before = e.evaluate(runtime.backend(), queries);
  e.arrange_centres(labels);
  for (Index i = 1; i < 9; ++i) {
    Index above = 0;
    Index here = 0;
    e.coefficients.row(i - 1).maxCoeff(&above);
    e.coefficients.row(i).maxCoeff(&here);
    EXPECT_LE(above, here);
  }
  expect_close(e.evaluate(runtime.backend(), queries), before, kProduct);
}

}  // namespace
}  // namespace manyone::test
