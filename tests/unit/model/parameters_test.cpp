// SPDX-License-Identifier: Apache-2.0
#include "model/parameters.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "manyone/errors.hpp"
#include "tests/unit/data/table_files.hpp"
#include "tests/unit/model/parameter_examples.hpp"

namespace manyone::test {
namespace {

using Fields = std::map<std::string, std::string>;

template <class T>
std::string shown(const std::optional<T>& value) {
  return value ? fmt::format("{}", *value) : "none";
}
std::string shown(const Matrix& m) {
  return fmt::format("{} x {}: {}", m.rows(), m.cols(), fmt::join(m.data(), m.data() + m.size(), " "));
}
std::string shown(const LogRange& range) { return fmt::format("{}:{}:{}", range.low, range.high, range.step); }

/// What stands in each field. Does not compile when a field is new: give it a parameter.
Fields fields_of(const Recipe& recipe) {
  const auto& [machine, labelbook, codewords, label_kernel, decode, code_length, kernel, sigma, degree, offset, ridge,
               bias, solver, reduction, seconds, decode_cost, priors, scale_per_fold, scaling, weights, row_weights,
               folds, tune_rows, pass_folds, repeats, seed, search, sigma_range, ridge_range] = recipe;
  const auto& [solver_kind, accuracy, learning] = solver;
  const auto& [centres, reduce_kind, penalty, centres_from_all] = reduction;
  const auto& [fold_count, stratified, given_folds, groups] = folds;
  const auto number = [](auto kind) { return std::to_string(static_cast<int>(kind)); };
  return {{"machine", machine},
          {"labelbook", labelbook},
          {"label_kernel", label_kernel.said},
          {"codewords", shown(codewords)},
          {"label_kernel.gram", shown(label_kernel.gram)},
          {"decode", std::string(decode == nullptr ? "" : decode->name)},
          {"code_length", shown(code_length)},
          {"kernel", std::string(kernel->name)},
          {"sigma", shown(sigma)},
          {"degree", shown(degree)},
          {"offset", shown(offset)},
          {"ridge", shown(ridge)},
          {"bias", number(bias)},
          {"solver.kind", number(solver_kind)},
          {"solver.accuracy", shown(accuracy)},
          {"solver.learning", number(learning)},
          {"reduction.centres", centres.said},
          {"reduction.centres.rows", shown(centres.rows)},
          {"reduction.kind", reduce_kind ? number(*reduce_kind) : "none"},
          {"reduction.penalty", penalty ? number(*penalty) : "none"},
          {"reduction.centres_from_all", number(centres_from_all)},
          {"seconds", shown(seconds)},
          {"decode_cost", shown(decode_cost)},
          {"priors", priors.said},
          {"priors.numbers", shown(Matrix(priors.numbers))},
          {"scale_per_fold", number(scale_per_fold)},
          {"scaling", scaling ? number(*scaling) : "none"},
          {"weights", number(weights)},
          {"row_weights", fmt::format("{}", row_weights)},
          {"folds.count", number(fold_count)},
          {"folds.stratified", number(stratified)},
          {"folds.given", fmt::format("{}", given_folds)},
          {"folds.groups", fmt::format("{}", groups)},
          {"tune_rows", std::to_string(tune_rows)},
          {"pass_folds", number(pass_folds)},
          {"repeats", number(repeats)},
          {"seed", std::to_string(seed)},
          {"search", number(search)},
          {"sigma_range", shown(sigma_range)},
          {"ridge_range", ridge_range ? shown(*ridge_range) : "none"}};
}

/// Names of the fields in which two recipes differ.
std::set<std::string> differences(const Recipe& a, const Recipe& b) {
  std::set<std::string> out;
  const Fields of_a = fields_of(a);
  for (const auto& [name, value] : fields_of(b)) {
    if (of_a.at(name) != value) out.insert(name);
  }
  return out;
}

TEST(Parameters, SetEveryFieldOfARecipe) {
  std::set<std::string> reached;
  for (const Parameter& parameter : parameters()) {
    if (parameter.set == nullptr) continue;
    Recipe recipe;
    parameter.set(recipe, example_of(parameter), kExampleRows);
    const auto changed = differences(Recipe(), recipe);
    EXPECT_FALSE(changed.empty()) << parameter.name;
    reached.insert(changed.begin(), changed.end());
  }
  Recipe given;
  find_parameter("folds")->set(given, std::vector<int>{0, 1, 0, 1, 0, 1}, kExampleRows);
  EXPECT_EQ(differences(Recipe(), given), std::set<std::string>{"folds.given"});
  reached.insert("folds.given");
  for (const auto& [name, value] : fields_of(Recipe())) {
    if (name == "tune_rows") continue;  // how far a search looks is no choice of users
    EXPECT_TRUE(reached.contains(name)) << name;
  }
}

TEST(Parameters, AreReadFromARecipeAsTheyWereWritten) {
  for (const Parameter& parameter : parameters()) {
    if (parameter.get == nullptr) continue;
    Recipe written;
    parameter.set(written, example_of(parameter), kExampleRows);
    Recipe again;
    parameter.set(again, parameter.get(written), kExampleRows);
    EXPECT_EQ(differences(written, again), std::set<std::string>()) << parameter.name;
    parameter.set(again, {}, 1000);
    EXPECT_LE(differences(Recipe(), again).size(), parameter.name == "grid" ? 1U : 0U) << parameter.name;
  }
}

TEST(Parameters, AreNamedOnceInSmallLettersWithUnderscores) {
  std::set<std::string_view> names;
  for (const Parameter& parameter : parameters()) {
    EXPECT_TRUE(names.insert(parameter.name).second) << parameter.name;
    EXPECT_EQ(parameter.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string_view::npos)
        << parameter.name;
    EXPECT_EQ(find_parameter(parameter.name), &parameter);
    EXPECT_FALSE(parameter.text.empty() || parameter.group.empty()) << parameter.name;
    if (!parameter.stands_for.empty()) {
      EXPECT_NE(find_parameter(parameter.stands_for), nullptr);
    }
  }
  EXPECT_EQ(find_parameter("gamma"), nullptr);
}

TEST(Parameters, TakeEveryWordThatTheyList) {
  for (const Parameter& parameter : parameters()) {
    if (parameter.type != ParameterType::text || parameter.set == nullptr) continue;
    for (const std::string_view word : words_of(parameter)) {
      Recipe recipe;
      parameter.set(recipe, std::string(word), kExampleRows);
      const auto back = parameter.get(recipe);
      const auto* text = std::get_if<std::string>(&back);
      ASSERT_NE(text, nullptr) << parameter.name << " " << word;
      EXPECT_TRUE(text->starts_with(word)) << parameter.name << " " << *text;
    }
  }
}

TEST(Parameters, ListEveryWordOfTheRegistries) {
  for (const ReduceInfo& info : reductions()) EXPECT_TRUE(find_parameter("reduce")->takes_word(info.name)) << info.name;
  for (const DecoderEntry* entry : decoders()) {
    const std::string_view head = entry->name.substr(0, entry->name.find(':'));
    EXPECT_TRUE(find_parameter("decode")->takes_word(head)) << entry->name;
  }
}

TEST(Parameters, StandardsAreWhatARecipeHasWithoutThem) {
  for (const Parameter& parameter : parameters()) {
    if (parameter.set == nullptr || parameter.standard.empty()) continue;
    Recipe recipe;
    parameter.set(recipe, value_from_word(parameter, std::string(parameter.standard)), kExampleRows);
    EXPECT_EQ(differences(Recipe(), recipe), std::set<std::string>()) << parameter.name;
  }
}

TEST(Parameters, BelongToSomeMachineAndSomeKernelWhoseTraitsSaySo) {
  for (const Parameter& parameter : parameters()) {
    if (parameter.of_machine != nullptr) {
      EXPECT_TRUE(std::ranges::any_of(machines(), parameter.of_machine)) << parameter.name;
      EXPECT_FALSE(std::ranges::all_of(machines(), parameter.of_machine)) << parameter.name;
    }
    if (parameter.of_kernel != nullptr) {
      const auto has = [&](const KernelEntry* entry) { return parameter.of_kernel(*entry); };
      EXPECT_TRUE(std::ranges::any_of(kernels(), has)) << parameter.name;
      EXPECT_FALSE(std::ranges::all_of(kernels(), has)) << parameter.name;
    }
  }
}

TEST(Parameters, AWordForAFileIsItsNumbers) {
  const std::string path = testing::TempDir() + "numbers.csv";
  std::ofstream(path) << "2,1\n1,2\n";
  for (const char* name : {"labelbook", "label_kernel", "centers"}) {
    const auto value = value_from_word(*find_parameter(name), path);
    ASSERT_TRUE(std::holds_alternative<NamedNumbers>(value)) << name;
    EXPECT_EQ(std::get<NamedNumbers>(value).name, path);
    EXPECT_EQ(std::get<NamedNumbers>(value).numbers, (Matrix{{2, 1}, {1, 2}}));
  }
  EXPECT_TRUE(std::holds_alternative<std::string>(value_from_word(*find_parameter("reduce"), path)));
  std::filesystem::remove(path);
}

TEST(Choices, AreUnderstoodOnce) {
  EXPECT_EQ(CentreChoice("12").count->of(100), 12);
  EXPECT_EQ(CentreChoice("5%").count->of(100), 5);
  EXPECT_NO_THROW(CentreChoice().validate());
  for (const char* wrong : {"0", "-3", "0%", "101%", "x%", "nowhere.csv"}) {
    EXPECT_FALSE(CentreChoice(wrong).count) << wrong;
    expect_contains(message_of([&] { CentreChoice(wrong).validate(); }), "centers must be");
  }
  EXPECT_TRUE(LabelKernel().linear());
  EXPECT_EQ(LabelKernel("gaussian:2").width, 2);
  EXPECT_FALSE(LabelKernel("gaussian:wide").width);
  EXPECT_TRUE(ClassPriors().uniform());
  EXPECT_TRUE(ClassPriors("data").of_rows());
}

Setting said(std::string_view name, ParameterValue value) { return {find_parameter(name), std::move(value)}; }

std::string refusal(const std::vector<Setting>& settings, Index rows = 100) {
  return message_of([&] { recipe_from_settings(settings, rows); });
}

TEST(Parameters, NumbersOutOfTheirRangesAreRefusedWithTheRange) {
  expect_contains(refusal({said("sigma", 0.0)}), "sigma must be a number above 0 or auto, found 0");
  expect_contains(refusal({said("lambda", HUGE_VAL)}), "lambda must be a number above 0, found inf");
  expect_contains(refusal({said("accuracy", 1.0)}), "accuracy must be a number from 1e-12 to less than 1, found 1");
  expect_contains(refusal({said("repeats", std::int64_t{10001})}), "repeats must be 1 to 10000, found 10001");
  expect_contains(refusal({said("seed", std::int64_t{-1})}), "seed must be 0 or more, found -1");
  expect_contains(message_of([] { value_from_word(*find_parameter("ridge"), "much"); }),
                  "ridge must be a number above 0 or auto, found 'much'");
}

TEST(Parameters, WhatIsSaidOfNothingIsRefused) {
  const Setting grid = said("grid", std::vector<GridAxis>{{"sigma", {}}});
  expect_contains(refusal({said("sigma", 1.0), said("ridge", 1.0), said("search", "grid")}), "nothing to search");
  expect_contains(refusal({grid, said("search", "greedy")}), "greedy has no ranges");
  expect_contains(refusal({grid, said("sigma", 1.0)}), "sigma is given, so it cannot be in grid");
  expect_contains(refusal({grid, said("kernel", "linear")}), "linear kernel has no sigma");
  expect_contains(refusal({said("grid", std::vector<GridAxis>{{"width", {}}})}), "grid has axes sigma and ridge");
  expect_contains(refusal({said("ridge", 1.0), said("cost", 1.0)}), "cost is 1/ridge; give one of them");
  expect_contains(refusal({said("folds", std::int64_t{1})}), "folds must be 2 or more, or loo, found 1");
  expect_contains(refusal({said("folds", std::int64_t{101})}), "folds=101 needs as many rows, found 100");
  expect_contains(refusal({said("folds", std::vector<int>{0, 1})}), "an entry for each of the 100 rows, found 2");
  expect_contains(refusal({said("folds", "loo"), said("stratify", true)}), "stratify needs random folds");
}

TEST(Parameters, GroupsStayTogetherInAsManyFoldsAsThereAre) {
  const std::vector<int> groups = {0, 0, 1, 1, 2, 2};
  EXPECT_EQ(recipe_from_settings(std::vector{said("groups", groups)}, 6).folds.count, 3);
  const Recipe each = recipe_from_settings(std::vector{said("groups", groups), said("folds", "loo")}, 6);
  EXPECT_EQ(each.folds.given, groups);
  EXPECT_TRUE(each.folds.groups.empty());
  expect_contains(refusal({said("groups", groups), said("folds", std::int64_t{4})}, 6),
                  "folds=4 needs as many groups, found 3");
}

}  // namespace
}  // namespace manyone::test
