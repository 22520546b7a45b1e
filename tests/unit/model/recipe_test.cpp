// SPDX-License-Identifier: Apache-2.0
#include "manyone/model/recipe.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "tests/tolerance.hpp"
#include "tests/unit/data/table_files.hpp"

namespace manyone::test {
namespace {

struct Refusal {
  std::string names;  ///< what the message must name
  std::function<void(Recipe&)> change;
};

const std::vector<Refusal>& refusals() {
  static const std::vector<Refusal> list = {
      {"machine 'oneslm'", [](Recipe& r) { r.machine = "oneslm"; }},
      {"sigma", [](Recipe& r) { r.sigma = 0; }},
      {"sigma", [](Recipe& r) { r.sigma = -1; }},
      {"sigma", [](Recipe& r) { r.sigma = NAN; }},
      {"sigma", [](Recipe& r) { r.sigma = INFINITY; }},
      {"ridge", [](Recipe& r) { r.ridge = 0; }},
      {"ridge", [](Recipe& r) { r.ridge = -0.5; }},
      {"--sigma", [](Recipe& r) { r.kernel = KernelKind::linear, r.sigma = 1; }},
      {"--sigma", [](Recipe& r) { r.kernel = KernelKind::precomputed, r.sigma = 1; }},
      {"degree", [](Recipe& r) { r.degree = 2; }},
      {"offset", [](Recipe& r) { r.kernel = KernelKind::laplacian, r.offset = 2; }},
      {"degree", [](Recipe& r) { r.kernel = KernelKind::polynomial, r.degree = 0; }},
      {"offset", [](Recipe& r) { r.kernel = KernelKind::polynomial, r.offset = -1; }},
      {"--scale", [](Recipe& r) { r.kernel = KernelKind::precomputed, r.scaling = ScalingKind::range; }},
      {"repeats", [](Recipe& r) { r.repeats = 0; }},
      {"repeats", [](Recipe& r) { r.repeats = 10001; }},
      {"repeats", [](Recipe& r) { r.repeats = 2, r.folds.count = 0; }},
      {"repeats",
       [](Recipe& r) {
         r.repeats = 2, r.folds.given = {0, 1};
       }},
      {"folds", [](Recipe& r) { r.folds.count = 1; }},
      {"folds", [](Recipe& r) { r.folds.count = -3; }},
      {"grid of sigma",
       [](Recipe& r) {
         r.sigma_range = {4, -4, 1};
       }},
      {"grid of sigma",
       [](Recipe& r) {
         r.sigma_range = {-100, 4, 1};
       }},
      {"grid of ridge",
       [](Recipe& r) {
         r.ridge_range = {-4, 4, 0};
       }},
      {"grid of ridge",
       [](Recipe& r) {
         r.ridge_range = {-4, NAN, 1};
       }},
      {"grid of ridge",
       [](Recipe& r) {
         r.ridge_range = {-4, 4, 1e-4};
       }},
  };
  return list;
}

TEST(Recipe, ValidateNamesWhatDoesNotGo) {
  for (const auto& [names, change] : refusals()) {
    Recipe recipe;
    change(recipe);
    EXPECT_THROW(recipe.validate(), ConfigError) << names;
    expect_contains(message_of([&] { recipe.validate(); }), names);
  }
}

TEST(Recipe, DefaultsAreValidAndTuned) {
  const Recipe recipe;
  EXPECT_NO_THROW(recipe.validate());
  EXPECT_TRUE(recipe.tuned());
}

TEST(Recipe, IsTunedWhileAParameterIsOpen) {
  Recipe recipe;
  recipe.ridge = 1;
  EXPECT_TRUE(recipe.tuned());
  recipe.sigma = 1;
  EXPECT_FALSE(recipe.tuned());
  recipe.sigma.reset();
  recipe.kernel = KernelKind::linear;  // has no sigma to tune
  EXPECT_FALSE(recipe.tuned());
}

TEST(Recipe, KernelTakesTheRecipesParametersAndTheTunedSigmaOtherwise) {
  Recipe recipe;
  EXPECT_EQ(recipe.kernel_at(0.3).sigma, 0.3);
  recipe.sigma = 2;
  EXPECT_EQ(recipe.kernel_at(0.3).sigma, 2);
  recipe = Recipe();
  recipe.kernel = KernelKind::polynomial;
  EXPECT_EQ(recipe.kernel_at(1).degree, 3);
  recipe.degree = 5;
  recipe.offset = 0.5;
  EXPECT_EQ(recipe.kernel_at(1).degree, 5);
  EXPECT_EQ(recipe.kernel_at(1).offset, 0.5);
}

TEST(LogRange, DefaultIsThePapersNineValues) {
  EXPECT_EQ(LogRange().values(), (std::vector<double>{1.0 / 16, 1.0 / 8, 0.25, 0.5, 1, 2, 4, 8, 16}));
}

TEST(LogRange, StepsThatAreNotExactKeepTheLastValue) {
  EXPECT_EQ((LogRange{0, 0.3, 0.1}).values().size(), 4U);
  EXPECT_EQ((LogRange{1, 1, 1}).values(), (std::vector<double>{2}));
}

TEST(RowWeights, BalancedGivesEveryClassTheSameTotal) {
  Recipe recipe;
  const std::vector<int> labels = {0, 0, 0, 1};
  EXPECT_EQ(row_weights(recipe, labels, 2).size(), 0);
  recipe.weights = WeightKind::balanced;
  const Vector w = row_weights(recipe, labels, 2);
  expect_close(w, Vector{{2.0 / 3, 2.0 / 3, 2.0 / 3, 2}}, kRounding);
}

TEST(RowWeights, GivenOnesAreCheckedRowByRow) {
  Recipe recipe;
  recipe.weights = WeightKind::given;
  const std::vector<int> labels = {0, 1};
  recipe.row_weights = {1, 2};
  EXPECT_EQ(row_weights(recipe, labels, 2)[1], 2);
  recipe.row_weights = {1};
  expect_contains(message_of([&] { row_weights(recipe, labels, 2); }), "each of the 2 rows, found 1");
  for (const double bad : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    recipe.row_weights = {1, bad};
    expect_contains(message_of([&] { row_weights(recipe, labels, 2); }), "row 2");
  }
}

}  // namespace
}  // namespace manyone::test
