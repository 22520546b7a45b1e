// SPDX-License-Identifier: Apache-2.0
#include "manyone/model/recipe.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>

#include "manyone/data/number_table.hpp"
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
      {"--sigma", [](Recipe& r) { r.kernel = &kLinear, r.sigma = 1; }},
      {"--sigma", [](Recipe& r) { r.kernel = &kPrecomputed, r.sigma = 1; }},
      {"degree", [](Recipe& r) { r.degree = 2; }},
      {"offset", [](Recipe& r) { r.kernel = &kLaplacian, r.offset = 2; }},
      {"degree", [](Recipe& r) { r.kernel = &kPolynomial, r.degree = 0; }},
      {"offset", [](Recipe& r) { r.kernel = &kPolynomial, r.offset = -1; }},
      {"--scale", [](Recipe& r) { r.kernel = &kPrecomputed, r.scaling = ScalingKind::range; }},
      {"--solver", [](Recipe& r) { r.machine = "vo-lssvm", r.solver.kind = SolverKind::iterative; }},
      {"--accuracy", [](Recipe& r) { r.solver.accuracy = 0; }},
      {"--scale-per-fold", [](Recipe& r) { r.kernel = &kPrecomputed, r.scale_per_fold = true; }},
      {"--scale-per-fold", [](Recipe& r) { r.scaling = ScalingKind::none, r.scale_per_fold = true; }},
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
         r.ridge_range = LogRange{-4, 4, 0};
       }},
      {"grid of ridge",
       [](Recipe& r) {
         r.ridge_range = LogRange{-4, NAN, 1};
       }},
      {"grid of ridge",
       [](Recipe& r) {
         r.ridge_range = LogRange{-4, 4, 1e-4};
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
  recipe.kernel = &kLinear;  // has no sigma to tune
  EXPECT_FALSE(recipe.tuned());
}

TEST(Recipe, KernelTakesTheRecipesParametersAndTheTunedSigmaOtherwise) {
  Recipe recipe;
  EXPECT_EQ(recipe.kernel_at(0.3).sigma, 0.3);
  recipe.sigma = 2;
  EXPECT_EQ(recipe.kernel_at(0.3).sigma, 2);
  recipe = Recipe();
  recipe.kernel = &kPolynomial;
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

/// Why a machine with these choices cannot be had for three classes.
std::string machine_refusal(const std::function<void(Recipe&)>& change) {
  Recipe recipe;
  change(recipe);
  const std::vector<int> labels = {0, 1, 2, 0, 1, 2};
  return message_of([&] { decoder_of(recipe, *machine_of(recipe, labels, 3)); });
}

TEST(Machines, ChoicesThatDoNotGoTogetherAreRefusedWithWhatDoes) {
  const auto vo_with_bias = [](const std::string& book) {
    return machine_refusal([&](Recipe& r) { r.machine = "vo-lssvm", r.bias = true, r.labelbook = book; });
  };
  expect_contains(vo_with_bias("indicator"), "codewords that sum to 0");
  expect_contains(vo_with_bias("pm1"), "mincorr, alignment or consistency");
  for (const std::string machine : {"svm-ovo", "svm-dag", "sbc-single", "sbc-kernel"}) {
    expect_contains(machine_refusal([&](Recipe& r) { r.machine = machine, r.bias = true; }), "has a bias in any case");
  }
  for (const std::string machine : {"vo-rls-beta", "vo-rls-f", "ls-ovo", "ls-ecoc", "sbc-ls"}) {
    expect_contains(machine_refusal([&](Recipe& r) { r.machine = machine, r.bias = true; }), "has no bias term");
  }
  for (const std::string machine : {"ls-ovo", "ls-ecoc"}) {
    expect_contains(machine_refusal([&](Recipe& r) { r.machine = machine, r.label_kernel = "gaussian:1"; }),
                    "takes no --label-kernel");
  }
  expect_contains(machine_refusal([](Recipe& r) { r.machine = "ls-ovo", r.labelbook = "indicator"; }),
                  "leave --labelbook out");
  expect_contains(machine_refusal([](Recipe& r) { r.machine = "ls-ecoc", r.labelbook = "alignment"; }),
                  "entries -1, 0 and 1");
  expect_contains(machine_refusal([](Recipe& r) { r.labelbook = "exhaustive"; }), "different lengths");
  expect_contains(machine_refusal([](Recipe& r) { r.machine = "ls-ecoc", r.labelbook = "exhaustive"; }),
                  "columns without one of them");
  expect_contains(machine_refusal([](Recipe& r) { r.decode = &decoder_from_name("hamming"); }), "use --decode argmax");
  expect_contains(machine_refusal([](Recipe& r) { r.machine = "ls-ecoc", r.decode = &kArgmax; }), "hamming or loss");
  expect_contains(machine_refusal([](Recipe& r) { r.label_kernel = "gaussian:0"; }), "width above 0");
  expect_contains(machine_refusal([](Recipe& r) { r.label_kernel = "gausian:1"; }), "linear, gaussian:S or a CSV file");
}

TEST(Machines, ALabelGramFileIsCheckedAndUsed) {
  const auto with_file = [](const std::string& text) {
    const std::string path = testing::TempDir() + "label-gram.csv";
    std::ofstream(path) << text;
    return LabelKernel(path, read_number_table(path));
  };
  const auto refusal = [&](const std::string& text) {
    return machine_refusal([&](Recipe& r) { r.label_kernel = with_file(text); });
  };
  expect_contains(refusal("1,0\n0,1\n"), "3 x 3 matrix");
  expect_contains(refusal("1,0,0.5\n0,1,0\n0.4,0,1\n"), "not symmetric");
  expect_contains(refusal("1,2,0\n2,1,0\n0,0,1\n"), "smallest eigenvalue is -1");
  Recipe recipe;
  recipe.label_kernel = with_file("2,1,0\n1,2,0\n0,0,2\n");
  const LabelSpace space = label_space(recipe, std::vector<int>{0, 1, 2}, 3);
  EXPECT_TRUE(space.own_kernel);
  EXPECT_EQ(space.gamma(0, 1), 1);
}

}  // namespace
}  // namespace manyone::test
