// SPDX-License-Identifier: Apache-2.0
//
// What a program says at the door is what the library hears.
#include "manyone/recipe.hpp"

#include <gtest/gtest.h>

#include "door/inside.hpp"
#include "machine/msvr.hpp"
#include "manyone/errors.hpp"

namespace manyone::test {
namespace {

TEST(DoorRecipe, OfDefaultsIsTheLibrarysOwn) {
  const Recipe expected;
  const Recipe found = door::for_library(abi_0::Recipe(), 100);
  EXPECT_EQ(found.machine, expected.machine);
  EXPECT_EQ(found.labelbook, expected.labelbook);
  EXPECT_EQ(found.label_kernel.said, expected.label_kernel.said);
  EXPECT_EQ(found.codewords.size() + found.label_kernel.gram.size() + found.priors.numbers.size(), 0);
  EXPECT_EQ(found.decode, expected.decode);
  EXPECT_EQ(found.kernel, expected.kernel);
  EXPECT_FALSE(found.code_length || found.sigma || found.degree || found.offset || found.ridge || found.seconds);
  EXPECT_FALSE(found.decode_cost || found.scaling || found.ridge_range || found.bias || found.scale_per_fold);
  EXPECT_EQ(found.solver.kind, expected.solver.kind);
  EXPECT_EQ(found.solver.accuracy, expected.solver.accuracy);
  EXPECT_EQ(found.solver.learning, expected.solver.learning);
  EXPECT_EQ(found.reduction.centres.said, expected.reduction.centres.said);
  EXPECT_FALSE(found.reduction.kind || found.reduction.penalty || found.reduction.centres_from_all);
  EXPECT_EQ(found.priors.said, expected.priors.said);
  EXPECT_EQ(found.weights, expected.weights);
  EXPECT_EQ(found.folds.count, expected.folds.count);
  EXPECT_EQ(found.folds.stratified, expected.folds.stratified);
  EXPECT_EQ(found.pass_folds, expected.pass_folds);
  EXPECT_EQ(found.repeats, expected.repeats);
  EXPECT_EQ(found.seed, expected.seed);
  EXPECT_EQ(found.search, expected.search);
  EXPECT_EQ(found.sigma_range.values(), expected.sigma_range.values());
}

TEST(DoorRecipe, CarriesEveryField) {
  const abi_0::Matrix numbers{{1, 2}, {3, 4}};
  // A field that is added to either recipe does not compile here until it is carried, and looked at below.
  const abi_0::Recipe said{"svm-ovo",
                           "laplacian",
                           0.5,
                           2,
                           0.25,
                           0.125,
                           true,
                           "book",
                           numbers,
                           "gaussian:2",
                           numbers,
                           7,
                           "loss:hinge",
                           "data",
                           {0.5, 0.5},
                           "cg",
                           1e-4,
                           "simplex",  //
                           "12",
                           "kmeans",
                           "identity",
                           "all",
                           30.0,  //
                           "standard",
                           true,
                           "uniform",
                           {1, 2, 3, 4},  //
                           {},
                           false,
                           {0, 1, 2, 0},
                           {},
                           5,
                           6,
                           "auto",
                           {},
                           {}};
  const auto& [machine, labelbook, codewords, label_kernel, decode, code_length, kernel, sigma, degree, offset, ridge,
               bias, solver, reduction, seconds, decode_cost, priors, scale_per_fold, scaling, weights, row_weights,
               folds, tune_rows, pass_folds, repeats, seed, search, sigma_range, ridge_range] =
      door::for_library(said, 4);
  EXPECT_EQ(machine, "svm-ovo");
  EXPECT_EQ(kernel, &kLaplacian);
  EXPECT_EQ(sigma, 0.5);
  EXPECT_EQ(degree, 2);
  EXPECT_EQ(offset, 0.25);
  EXPECT_EQ(ridge, 0.125);
  EXPECT_TRUE(bias);
  EXPECT_EQ(labelbook, "book");
  EXPECT_EQ(codewords, (Matrix{{1, 2}, {3, 4}}));
  EXPECT_EQ(label_kernel.said, "gaussian:2");
  EXPECT_EQ(label_kernel.gram, (Matrix{{1, 2}, {3, 4}}));
  EXPECT_EQ(code_length, 7);
  EXPECT_EQ(decode, &decoder_from_name("loss:hinge"));
  EXPECT_FALSE(decode_cost);
  EXPECT_EQ(priors.said, "data");
  EXPECT_EQ(priors.numbers, (Vector{{0.5, 0.5}}));
  EXPECT_EQ(solver.kind, SolverKind::iterative);
  EXPECT_EQ(solver.accuracy, 1e-4);
  EXPECT_EQ(solver.learning, LabelLearning::simplex);
  EXPECT_EQ(reduction.centres.said, "12");
  EXPECT_EQ(reduction.kind, ReduceKind::kmeans);
  EXPECT_EQ(reduction.penalty, PenaltyKind::identity);
  EXPECT_TRUE(reduction.centres_from_all);
  EXPECT_EQ(seconds, 30);
  EXPECT_EQ(scaling, ScalingKind::standard);
  EXPECT_TRUE(scale_per_fold);
  EXPECT_EQ(weights, WeightKind::given);
  EXPECT_EQ(row_weights, (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(folds.given, (std::vector<int>{0, 1, 2, 0}));
  EXPECT_EQ(pass_folds, Recipe().pass_folds);
  EXPECT_EQ(tune_rows, Recipe().tune_rows);  // no choice of a program's
  EXPECT_EQ(repeats, 5);
  EXPECT_EQ(seed, 6U);
  EXPECT_EQ(search, SearchKind::automatic);
  EXPECT_EQ(sigma_range, LogRange());
  EXPECT_FALSE(ridge_range);
}

TEST(DoorRecipe, CarriesWhatOneRecipeCannotSayTogether) {
  const Recipe design = door::for_library(abi_0::Recipe{.folds = 4,
                                                        .groups = {3, 2, 1, 0},
                                                        .search = "design",
                                                        .sigma_range = abi_0::LogRange{-1, 2, 0.5},
                                                        .ridge_range = abi_0::LogRange{-3, 4, 2}},
                                          4);
  EXPECT_EQ(design.search, SearchKind::design);
  EXPECT_EQ(design.sigma_range, (LogRange{-1, 2, 0.5}));
  EXPECT_EQ(design.ridge_range, (LogRange{-3, 4, 2}));
  EXPECT_EQ(design.folds.groups, (std::vector<int>{3, 2, 1, 0}));
  EXPECT_EQ(design.folds.count, 4);
  EXPECT_EQ(design.pass_folds, 4);
  EXPECT_TRUE(door::for_library(abi_0::Recipe{.stratify = true}, 20).folds.stratified);
  EXPECT_EQ(door::for_library(abi_0::Recipe{.weights = "balanced"}, 20).weights, WeightKind::balanced);
  EXPECT_EQ(door::for_library(abi_0::Recipe{.decode = "ssvm:3"}, 20).decode_cost, 3);
  EXPECT_EQ(door::for_library(abi_0::Recipe{.solver = "direct"}, 20).solver.kind, SolverKind::direct);
}

TEST(DoorRecipe, CallsNumbersInThePlaceOfANameGiven) {
  const abi_0::Matrix numbers{{1, 2}, {3, 4}};
  const Recipe found =
      door::for_library(abi_0::Recipe{.codewords = numbers, .label_gram = numbers, .class_priors = {0.5, 0.5}}, 20);
  EXPECT_EQ(found.labelbook, "given");
  EXPECT_EQ(found.label_kernel.said, "given");
  EXPECT_EQ(found.priors.said, "given");
}

TEST(DoorRecipe, HasNoMoreFoldsThanThereAreRowsOrGroupsUnlessTheyAreAskedFor) {
  EXPECT_EQ(door::for_library(abi_0::Recipe(), 6).folds.count, 6);
  EXPECT_EQ(door::for_library(abi_0::Recipe{.groups = {0, 1, 2, 0, 1, 2}}, 6).folds.count, 3);
  EXPECT_THROW(door::for_library(abi_0::Recipe{.folds = 8}, 6), ConfigError);
}

TEST(DoorRecipe, LeavesGroupsOutOneByOne) {
  const FoldPlan folds = door::for_library(abi_0::Recipe{.folds = 0, .groups = {0, 1, 2, 0}}, 4).folds;
  EXPECT_EQ(folds.given, (std::vector<int>{0, 1, 2, 0}));
  EXPECT_TRUE(folds.groups.empty());
}

TEST(DoorRecipe, NamesTheParameterOfAValueThatCannotBeUsed) {
  const auto refused = [](const abi_0::Recipe& recipe, const std::string& word) {
    try {
      door::for_library(recipe, 4);
    } catch (const ConfigError& error) {
      return std::string(error.what()).find(word) != std::string::npos;
    }
    return false;
  };
  EXPECT_TRUE(refused({.kernel = "gausian"}, "gaussian"));
  EXPECT_TRUE(refused({.solver = "gc"}, "solver"));
  EXPECT_TRUE(refused({.mkl = "new"}, "mkl"));
  EXPECT_TRUE(refused({.centers_from = "rows"}, "centers_from"));
  EXPECT_TRUE(refused({.weights = "equal"}, "weights"));
  EXPECT_TRUE(refused({.weights = "balanced", .row_weights = {1, 1, 1, 1}}, "row_weights"));
  EXPECT_TRUE(refused({.given_folds = {0, 1}}, "folds"));
  EXPECT_TRUE(refused({.groups = {0, -1, 1, 2}}, "groups"));
  EXPECT_TRUE(refused({.stratify = true, .given_folds = {0, 1, 0, 1}}, "stratify"));
}

}  // namespace
}  // namespace manyone::test
