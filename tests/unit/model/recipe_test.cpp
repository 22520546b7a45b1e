// SPDX-License-Identifier: Apache-2.0
#include "model/recipe.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>

#include "data/number_table.hpp"
#include "model/model.hpp"
#include "tests/complaints.hpp"
#include "tests/tolerance.hpp"
#include "tests/unit/data/table_files.hpp"

namespace manyone::test {
namespace {

struct Refusal {
  std::string parameter;  ///< at fault
  std::string remedy;     ///< some of its words
  std::function<void(Recipe&)> change;
};

const std::vector<Refusal>& refusals() {
  static const std::vector<Refusal> list = {
      {"machine", "machines are onelsm", [](Recipe& r) { r.machine = "oneslm"; }},
      {"sigma", "leave it out", [](Recipe& r) { r.sigma = 0; }},
      {"sigma", "leave it out", [](Recipe& r) { r.sigma = -1; }},
      {"sigma", "leave it out", [](Recipe& r) { r.sigma = NAN; }},
      {"sigma", "leave it out", [](Recipe& r) { r.sigma = INFINITY; }},
      {"sigma", "leave it out", [](Recipe& r) { r.sigma = 1e200; }},
      {"ridge", "leave it out", [](Recipe& r) { r.ridge = 0; }},
      {"ridge", "leave it out", [](Recipe& r) { r.ridge = -0.5; }},
      {"ridge", "leave it out", [](Recipe& r) { r.ridge = 1e-300; }},
      {"sigma", "leave sigma out", [](Recipe& r) { r.kernel = &kLinear, r.sigma = 1; }},
      {"sigma", "leave sigma out", [](Recipe& r) { r.kernel = &kPrecomputed, r.sigma = 1; }},
      {"degree", "kernel=polynomial", [](Recipe& r) { r.degree = 2; }},
      {"offset", "kernel=polynomial", [](Recipe& r) { r.kernel = &kLaplacian, r.offset = 2; }},
      {"degree", "usual", [](Recipe& r) { r.kernel = &kPolynomial, r.degree = 0; }},
      {"offset", "usual", [](Recipe& r) { r.kernel = &kPolynomial, r.offset = -1; }},
      {"scale", "scale=none", [](Recipe& r) { r.kernel = &kPrecomputed, r.scaling = ScalingKind::range; }},
      {"bias", "leave bias out", [](Recipe& r) { r.machine = "ls-ovo", r.bias = true; }},
      {"solver", "leave it out", [](Recipe& r) { r.machine = "vo-lssvm", r.solver.kind = SolverKind::iterative; }},
      {"accuracy", "usual", [](Recipe& r) { r.solver.accuracy = 0; }},
      {"accuracy", "leave it out", [](Recipe& r) { r.machine = "ls-ova", r.solver.accuracy = 0.1; }},
      {"mkl", "leave it out", [](Recipe& r) { r.solver.learning = LabelLearning::simplex; }},
      {"centers", "least-squares machine", [](Recipe& r) { r.machine = "svm-ovo", r.reduction.centres = "5"; }},
      {"centers", "say how many", [](Recipe& r) { r.reduction.kind = ReduceKind::random; }},
      {"centers", "use another kernel", [](Recipe& r) { r.kernel = &kPrecomputed, r.reduction.centres = "5"; }},
      {"priors", "leave it out", [](Recipe& r) { r.priors = "data"; }},
      {"label_kernel", "labelbook", [](Recipe& r) { r.machine = "msvr", r.label_kernel = "gaussian:1"; }},
      {"scale_per_fold", "leave it out", [](Recipe& r) { r.machine = "msvr", r.scale_per_fold = true; }},
      {"penalty", "leave penalty=rkhs out",
       [](Recipe& r) {
         r.machine = "msvr", r.reduction.kind = ReduceKind::pca, r.reduction.penalty = PenaltyKind::rkhs;
       }},
      {"solver", "leave them out", [](Recipe& r) { r.reduction.centres = "5", r.solver.kind = SolverKind::direct; }},
      {"scale_per_fold", "leave it out", [](Recipe& r) { r.kernel = &kPrecomputed, r.scale_per_fold = true; }},
      {"scale_per_fold", "scale=none", [](Recipe& r) { r.scaling = ScalingKind::none, r.scale_per_fold = true; }},
      {"repeats", "leave it out", [](Recipe& r) { r.repeats = 0; }},
      {"repeats", "leave it out", [](Recipe& r) { r.repeats = 10001; }},
      {"repeats", "leave repeats out", [](Recipe& r) { r.repeats = 2, r.folds.count = 0; }},
      {"repeats", "leave repeats out",
       [](Recipe& r) {
         r.repeats = 2, r.folds.given = {0, 1};
       }},
      {"groups", "leave groups out",
       [](Recipe& r) {
         r.folds.given = {0, 1}, r.folds.groups = {0, 1};
       }},
      {"folds", "usual", [](Recipe& r) { r.folds.count = 1; }},
      {"folds", "usual", [](Recipe& r) { r.folds.count = -3; }},
      {"pass_folds", "usual", [](Recipe& r) { r.pass_folds = 1; }},
      {"grid", "-60..60",
       [](Recipe& r) {
         r.sigma_range = {4, -4, 1};
       }},
      {"grid", "-60..60",
       [](Recipe& r) {
         r.sigma_range = {-100, 4, 1};
       }},
      {"grid", "-60..60",
       [](Recipe& r) {
         r.ridge_range = LogRange{-4, 4, 0};
       }},
      {"grid", "-60..60",
       [](Recipe& r) {
         r.ridge_range = LogRange{-4, NAN, 1};
       }},
      {"grid", "larger step",
       [](Recipe& r) {
         r.ridge_range = LogRange{-4, 4, 1e-4};
       }},
  };
  return list;
}

TEST(Recipe, ValidateNamesTheParameterAtFaultAndWhatToDo) {
  for (const auto& [parameter, remedy, change] : refusals()) {
    Recipe recipe;
    change(recipe);
    expect_complaint([&] { recipe.validate(); }, Fault::usage, parameter, remedy);
  }
}

TEST(Recipe, NamesOfChoicesThatAreNoneAreRefusedWithTheList) {
  expect_complaint([] { search_from_name("random"); }, Fault::usage, "search", "halving");
  expect_complaint([] { scaling_from_name("log"); }, Fault::usage, "scale", "maxabs");
  expect_complaint([] { reduce_from_name("k-means"); }, Fault::usage, "reduce", "kmeans");
  expect_complaint([] { penalty_from_name("l1"); }, Fault::usage, "penalty", "rkhs");
  expect_complaint([] { decoder_choice("max"); }, Fault::usage, "decode", "argmax");
  expect_complaint([] { decoder_choice("ssvm:x"); }, Fault::usage, "decode", "leave the cost out");
  expect_complaint([] { estimate_from_name("guess"); }, Fault::usage, "estimate", "held-out");
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
                    "takes no label_kernel");
  }
  expect_contains(machine_refusal([](Recipe& r) { r.machine = "ls-ovo", r.labelbook = "indicator"; }),
                  "leave labelbook out");
  expect_contains(machine_refusal([](Recipe& r) { r.machine = "ls-ecoc", r.labelbook = "alignment"; }),
                  "entries -1, 0 and 1");
  expect_contains(machine_refusal([](Recipe& r) { r.labelbook = "exhaustive"; }), "different lengths");
  expect_contains(machine_refusal([](Recipe& r) { r.machine = "ls-ecoc", r.labelbook = "exhaustive"; }),
                  "columns without one of them");
  expect_contains(machine_refusal([](Recipe& r) { r.decode = &decoder_from_name("hamming"); }), "use decode=argmax");
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
