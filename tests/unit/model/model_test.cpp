// SPDX-License-Identifier: Apache-2.0
#include "model/model.hpp"

#include <gtest/gtest.h>

#include "backend/runtime.hpp"
#include "decoder/decoder.hpp"
#include "tests/problems.hpp"
#include "tests/tolerance.hpp"
#include "tests/unit/data/table_files.hpp"

namespace manyone::test {
namespace {

TEST(Train, PredictsRowsInTheirOwnScale) {
  // Two well separated classes; one feature is a thousand times larger than the other.
  const Dataset data = make_dataset(Matrix{{0, 1000}, {1, 1000}, {0, 9000}, {1, 9000}}, {"low", "low", "high", "high"});
  const Runtime runtime(1);
  const Model model = train(runtime.execution(), data, {}, 1, 0.1);
  EXPECT_EQ(model.predict(runtime.backend(), Matrix{{0.5, 8000}, {0.5, 2000}}), (std::vector<int>{0, 1}));
  EXPECT_EQ(model.classes, (std::vector<std::string>{"high", "low"}));
  EXPECT_EQ(model.trained_rows, 4);
  EXPECT_EQ(model.scaling.kind, ScalingKind::range);
}

TEST(Train, ClassOrderIsWhatScoresAndProbabilitiesFollow) {
  const Dataset data = bundled("iris");
  const Runtime runtime(1);
  const Model model = train(runtime.execution(), data, {}, 0.5, 0.25);
  const Matrix p = model.probabilities(runtime.backend(), data.features);
  EXPECT_EQ(argmax_classes(p), model.predict(runtime.backend(), data.features));
  EXPECT_EQ(argmax_classes(model.scores(runtime.backend(), data.features)),
            model.predict(runtime.backend(), data.features));
  EXPECT_NEAR((p.rowwise().sum().array() - 1).abs().maxCoeff(), 0, kRounding);
}

/// Far from all centres a narrow kernel gives scores that a softmax cannot tell apart.
TEST(Train, ProbabilitiesAgreeWithPredictionsWhereScoresAreTiny) {
  const Dataset data = bundled("wine");
  const Runtime runtime(1);
  Model model = train(runtime.execution(), data, {}, std::exp2(-4), 1);
  model.temperature = 1;
  Matrix between = data.features.dense();
  between.bottomRows(between.rows() - 1) =
      0.5 * (data.features.dense().bottomRows(between.rows() - 1) + data.features.dense().topRows(between.rows() - 1));
  EXPECT_EQ(argmax_classes(model.probabilities(runtime.backend(), between)), model.predict(runtime.backend(), between));
}

TEST(Train, BookChangesScoresButNotPredictions) {
  const Dataset data = bundled("glass");
  const Runtime runtime(1);
  Recipe recipe;
  const auto expected = train(runtime.execution(), data, recipe, 0.5, 0.25).predict(runtime.backend(), data.features);
  for (const LabelbookInfo& info : labelbooks()) {
    recipe.labelbook = info.name;
    const Model model = train(runtime.execution(), data, recipe, 0.5, 0.25);
    EXPECT_EQ(model.predict(runtime.backend(), data.features), expected) << info.name;
  }
}

TEST(Train, ScalingFollowsTheRowsUnlessTheRecipeSays) {
  Recipe recipe;
  const Features dense = Matrix{{1, 2}};
  const Features sparse = random_sparse(3, 3, 0.5, 1);
  EXPECT_EQ(scaling_for(recipe, dense.sparse()), ScalingKind::range);
  EXPECT_EQ(scaling_for(recipe, sparse.sparse()), ScalingKind::maxabs);
  recipe.scaling = ScalingKind::standard;
  EXPECT_EQ(scaling_for(recipe, dense.sparse()), ScalingKind::standard);
  recipe = Recipe();
  recipe.kernel = &kPrecomputed;
  EXPECT_EQ(scaling_for(recipe, dense.sparse()), ScalingKind::none);
}

TEST(Train, AnotherNumberOfFeaturesIsAnInputError) {
  const Runtime runtime(1);
  const Model model = train(runtime.execution(), bundled("iris"), {}, 1, 1);
  EXPECT_THROW(model.predict(runtime.backend(), Matrix{{1, 2, 3}}), InputError);
}

TEST(CheckGram, NotSquareNamesBothNumbers) {
  EXPECT_THROW(check_gram(Matrix(Matrix::Ones(2, 3)), "gram.csv"), InputError);
  const std::string message = message_of([] { check_gram(Matrix(Matrix::Ones(2, 3)), "gram.csv"); });
  expect_contains(message, "gram.csv");
  expect_contains(message, "2 rows and 3 columns");
}

TEST(CheckGram, NotSymmetricNamesTheEntry) {
  const Matrix gram{{1, 0.5}, {0.4, 1}};
  EXPECT_THROW(check_gram(gram, "gram.csv"), InputError);
  expect_contains(message_of([&] { check_gram(gram, "gram.csv"); }), "entry (2, 1) is 0.4 but (1, 2) is 0.5");
  EXPECT_NO_THROW(check_gram(Matrix{{1, 0.5}, {0.5 + 1e-12, 1}}, "gram.csv"));
}

TEST(Train, APrecomputedKernelPredictsFromKernelValues) {
  const Matrix x = random_matrix(30, 2, 2);
  const Kernel kernel = vector_kernels()[0];
  std::vector<std::string> labels;
  for (Index i = 0; i < 30; ++i) labels.push_back(x(i, 0) > 0 ? "right" : "left");
  const Runtime runtime(1);
  Recipe recipe;
  recipe.kernel = &kPrecomputed;
  const Model model = train(runtime.execution(), make_dataset(plain_gram(kernel, x, x), labels), recipe, 1, 0.1);
  const auto predicted = model.predict(runtime.backend(), plain_gram(kernel, Matrix{{0.8, 0}, {-0.8, 0}}, x));
  EXPECT_EQ(predicted, (std::vector<int>{1, 0}));
}

}  // namespace
}  // namespace manyone::test
