// SPDX-License-Identifier: Apache-2.0
#include "selection/large_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "decoder/decoder.hpp"
#include "selection/fit.hpp"
#include "tests/problems.hpp"
#include "tests/tolerance.hpp"
#include "tests/unit/selection/observers.hpp"

namespace manyone::test {
namespace {

/// A search on few rows, so that a table of some hundreds is a large one.
Recipe on_few_rows(const std::string& machine = "onelsm") {
  Recipe recipe;
  recipe.machine = machine;
  recipe.tune_rows = 150;
  return recipe;
}

/// Rows in the plane, whose class is the colour of a chessboard: the more rows, the narrower the best kernel.
Dataset chessboard(Index rows, std::uint64_t seed) {
  Random random(seed, 1);
  Matrix x(rows, 2);
  std::vector<std::string> names;
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < 2; ++j) x(i, j) = 8 * random.uniform();
    const int square = static_cast<int>(x(i, 0)) + static_cast<int>(x(i, 1));
    names.emplace_back(square % 2 == 0 ? "black" : "white");
  }
  return make_dataset(std::move(x), names);
}

Dataset rows_of(const Dataset& data, const std::vector<Index>& rows) {
  Dataset out = data;
  out.features = data.features.select(rows);
  out.labels.clear();
  for (const Index row : rows) out.labels.push_back(data.labels[static_cast<std::size_t>(row)]);
  return out;
}

/// Error on the rows `test` of a model trained on the others.
double error_without(const Execution& execution, const Dataset& data, const Recipe& recipe, const CellParameters& at,
                     const std::vector<Index>& test) {
  const std::set<Index> left_out(test.begin(), test.end());
  std::vector<Index> train;
  for (Index i = 0; i < data.rows(); ++i) {
    if (!left_out.contains(i)) train.push_back(i);
  }
  Recipe as_whole = recipe;
  as_whole.scaling = ScalingKind::none;  // the scaling of the table stays
  const Model model = manyone::train(execution, rows_of(data, train), as_whole, at.sigma, at.ridge);
  const Dataset rest = rows_of(data, test);
  const std::vector<int> found = model.predict(execution.backend, rest.features);
  double wrong = 0;
  for (std::size_t i = 0; i < found.size(); ++i) wrong += found[i] != rest.labels[i];
  return wrong / static_cast<double>(found.size());
}

Dataset scaled(Dataset data) {
  Scaling::fit(ScalingKind::range, data.features).apply(data.features);
  return data;
}

TEST(LargeTable, TheStatedErrorIsThatOfModelsTrainedOnNearlyAllRows) {
  const Dataset data = scaled(clouds(600, 3, 4, 0.8, 5));
  const Runtime runtime;
  for (const std::string machine : {"onelsm", "ls-ovo", "vo-lssvm", "ls-ecoc", "svm-ovo"}) {
    const Recipe recipe = on_few_rows(machine);
    const Tuning tuning = tune(runtime.execution(), data, recipe);
    EXPECT_EQ(tuning.cv.kind, EstimateKind::held_out) << machine;
    EXPECT_EQ(tuning.cv.train_rows, 540) << machine;
    EXPECT_EQ(tuning.cv.rows, std::ssize(tuning.held_out.rows)) << machine;
    EXPECT_LT(tuning.surface_rows, 150) << machine;
    EXPECT_FALSE(tuning.checks.empty()) << machine;
    EXPECT_EQ(tuning.checks.back().rows, 600) << machine;
    double wrong = 0;
    const Index each = 60;
    for (Index first = 0; first < tuning.cv.rows; first += each) {
      const std::vector<Index> block(tuning.held_out.rows.begin() + first, tuning.held_out.rows.begin() + first + each);
      wrong += error_without(runtime.execution(), data, recipe, tuning.best, block) * static_cast<double>(each);
    }
    EXPECT_NEAR(tuning.cv.error, wrong / static_cast<double>(tuning.cv.rows), 1e-12) << machine;
  }
}

TEST(LargeTable, WidthsOfASubsetAreCorrected) {
  const Dataset data = chessboard(3000, 1);
  const Dataset test = chessboard(3000, 2);
  const Runtime runtime;
  const Recipe recipe = on_few_rows();
  const Fit found = fit(runtime.execution(), data, recipe);
  const CellParameters on_subset = chosen_cell(found.tuning->surface, found.tuning->surface_rows).at;
  const double carried = on_subset.ridge * 3000 / static_cast<double>(found.tuning->surface_rows);
  const auto error_of = [&](const Model& model) {
    const auto predicted = model.predict(runtime.execution().backend, test.features);
    return fold_mean_error(predicted, test.labels, {1, std::vector<int>(3000, 0)});
  };
  const double error = error_of(found.classifier);
  const double noise = std::sqrt(error * (1 - error) / static_cast<double>(found.tuning->cv.rows));
  EXPECT_LE(error, error_of(train(runtime.execution(), data, recipe, on_subset.sigma, carried)) + noise);
  EXPECT_NEAR(found.tuning->cv.error, error, 4 * noise);
}

TEST(LargeTable, OnAllOfManyRowsTheRidgeGoesOnAsItWent) {  // only widths are looked at there
  const Dataset data = chessboard(6400, 3);
  const Runtime runtime;
  const Tuning tuning = tune(runtime.execution(), data, on_few_rows());
  const auto& checks = tuning.checks;
  ASSERT_GE(checks.size(), 3U);
  const auto chosen = [&](const HalvingRound& round) { return chosen_cell(round.cells, round.rows / 10).at.ridge; };
  const double before = chosen(checks[checks.size() - 3]);
  const double half = chosen(checks[checks.size() - 2]);
  const double octaves = std::log2(static_cast<double>(checks[checks.size() - 2].rows) /
                                   static_cast<double>(checks[checks.size() - 3].rows));
  const double moved = half * std::exp2(0.5 * std::log2(half / before) / octaves *
                                        std::log2(6400. / static_cast<double>(checks[checks.size() - 2].rows)));
  EXPECT_NE(half, moved);
  for (const Cell& cell : checks.back().cells) EXPECT_NEAR(cell.at.ridge, moved, 1e-9 * moved);
}

TEST(LargeTable, TheModelIsTheOneThatTrainingGives) {
  const Dataset data = clouds(700, 3, 3, 0.6, 7);
  const Runtime runtime;
  for (const bool bias : {false, true}) {
    Recipe recipe = on_few_rows();
    recipe.bias = bias;
    const Fit found = fit(runtime.execution(), data, recipe);
    const CellParameters at = found.tuning->best;
    const Model trained = train(runtime.execution(), data, recipe, at.sigma, at.ridge);
    expect_close(found.classifier.expansion.coefficients, trained.expansion.coefficients, kSolution);
    EXPECT_EQ(found.classifier.trained_rows, 700);
  }
}

TEST(LargeTable, GivenParametersAndGroupsAreHonoured) {
  const Dataset data = clouds(600, 3, 3, 0.8, 9);
  const Runtime runtime;
  Recipe recipe = on_few_rows();
  recipe.sigma = 0.4;
  for (Index i = 0; i < 600; ++i) recipe.folds.given.push_back(static_cast<int>(i / 30));  // groups of 30 rows
  const Tuning tuning = tune(runtime.execution(), data, recipe);
  EXPECT_EQ(tuning.best.sigma, 0.4);
  std::map<int, int> judged;
  for (const Index row : tuning.held_out.rows) ++judged[recipe.folds.given[static_cast<std::size_t>(row)]];
  for (const auto& [group, count] : judged) EXPECT_EQ(count, 30) << "group " << group << " was torn apart";
  recipe.sigma.reset();
  recipe.ridge = 0.3;
  EXPECT_EQ(tune(runtime.execution(), data, recipe).best.ridge, 0.3);
}

TEST(LargeTable, WithoutRoomTheErrorIsThatOfTheSubset) {
  const Dataset data = clouds(1500, 3, 3, 0.6, 3);
  NoteCollector notes;
  const Runtime runtime(0, "cpu", &notes, MemoryBudget(10'000'000));
  const Tuning tuning = tune(runtime.execution(), data, on_few_rows());
  EXPECT_EQ(tuning.cv.kind, EstimateKind::subset);
  EXPECT_LT(tuning.cv.rows, 150);
}

TEST(BlocksOf, AreWholeFoldsOfATenthOfTheRowsAndNeverAllFolds) {
  const auto shares = [](int folds, Index rows, std::size_t most) {
    Folds of{folds, {}};
    for (Index i = 0; i < rows; ++i) of.fold_of_row.push_back(static_cast<int>(i) % folds);
    std::vector<std::size_t> out;
    std::set<Index> seen;
    for (const auto& block : blocks_of(of, most, 1)) {
      out.push_back(block.size());
      seen.insert(block.begin(), block.end());
      std::set<int> touched;
      for (const Index i : block) touched.insert(of.fold_of_row[static_cast<std::size_t>(i)]);
      EXPECT_EQ(static_cast<Index>(block.size()), std::ssize(touched) * rows / folds);
    }
    EXPECT_LT(std::ssize(seen), rows);
    return out;
  };
  using Sizes = std::vector<std::size_t>;
  EXPECT_EQ(shares(10, 1000, 3), (Sizes{100, 100, 100}));
  EXPECT_EQ(shares(10, 1000, 1), (Sizes{100}));
  EXPECT_EQ(shares(100, 1000, 3), (Sizes{100, 100, 100}));
  EXPECT_EQ(shares(5, 1000, 3), (Sizes{200, 200}));
  EXPECT_EQ(shares(2, 1000, 3), (Sizes{500}));
}

}  // namespace
}  // namespace manyone::test
