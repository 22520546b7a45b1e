// SPDX-License-Identifier: Apache-2.0
#include "selection/kernel_rows.hpp"

#include <gtest/gtest.h>

#include "backend/runtime.hpp"
#include "decoder/decoder.hpp"
#include "labelbook/labelbook.hpp"
#include "manyone/errors.hpp"
#include "tests/machines.hpp"
#include "tests/problems.hpp"
#include "tests/tolerance.hpp"

namespace manyone::test {
namespace {

CellData cells_of(const Dataset& data, PairStatistic statistic = PairStatistic::squared_distance) {
  CellData out;
  out.labels = data.labels;
  out.classes = data.class_count();
  out.statistics.resize(data.rows(), data.rows());
  make_backend("reference")->pair_statistics(statistic, data.features, out.statistics, Interrupt());
  return out;
}

Cell cell(double error, double loss = 0, double ridge = 1, double sigma = 1) {
  Cell out{{sigma, ridge}};
  out.error = error;
  out.loss = loss;
  out.solved = true;
  return out;
}

TEST(Cell, SmallerErrorThenSmallerLossThenTheSmootherCellIsBetter) {
  EXPECT_TRUE(cell(0.1, 9).better_than(cell(0.2, 1)));
  EXPECT_TRUE(cell(0.1, 1).better_than(cell(0.1, 2)));
  EXPECT_TRUE(cell(0.1, 1, 4).better_than(cell(0.1, 1, 2)));
  EXPECT_TRUE(cell(0.1, 1, 2, 4).better_than(cell(0.1, 1, 2, 2)));
  EXPECT_FALSE(cell(0.1).better_than(cell(0.1)));
  EXPECT_TRUE(cell(1).better_than(Cell{{1, 1}})) << "a cell that could not be solved is the worst";
}

TEST(FoldMeanError, IsTheMeanOfFoldsNotOfRows) {
  // Fold 0: one row, wrong. Fold 1: three rows, all right.
  const Folds folds{2, {0, 1, 1, 1}};
  EXPECT_DOUBLE_EQ(fold_mean_error(std::vector<int>{1, 0, 0, 0}, std::vector<int>{0, 0, 0, 0}, folds), 0.5);
}

TEST(FoldMeanError, EmptyFoldsDoNotCount) {
  EXPECT_DOUBLE_EQ(fold_mean_error(std::vector<int>{1, 0}, std::vector<int>{0, 0}, {5, {0, 4}}), 0.5);
}

TEST(CellData, PartTakesRowsOfEverything) {
  CellData data = cells_of(clouds(6, 2, 2, 0.3, 1));
  data.weights = Vector{{1, 2, 3, 4, 5, 6}};
  const CellData part = data.part({4, 1});
  EXPECT_EQ(part.statistics(0, 1), data.statistics(4, 1));
  EXPECT_EQ(part.statistics(1, 1), 0);
  EXPECT_EQ(part.labels, (std::vector<int>{data.labels[4], data.labels[1]}));
  EXPECT_TRUE(part.weights == (Vector{{5, 2}}));
  EXPECT_EQ(part.classes, 2);
}

class Scoring : public testing::Test {
 protected:
  Scoring() : runtime_(2), execution_(runtime_.execution()), data_(cells_of(clouds(60, 3, 3, 0.5, 2))) {}

  Folds folds(int count, int repeat = 0) const {
    FoldPlan plan;
    plan.count = count;
    return make_folds(plan, data_.labels, 1, repeat);
  }
  MachineScorer scorer(const Recipe& recipe, std::vector<Folds> partitions) const {
    return {execution_, data_, recipe, std::move(partitions)};
  }

  Runtime runtime_;
  Execution execution_;
  CellData data_;
};

TEST_F(Scoring, EveryCellIsScoredAndReportedOnce) {
  const Recipe recipe;
  std::vector<CellParameters> cells;
  for (const double sigma : LogRange().values()) cells.push_back({sigma, 0.5});
  std::vector<double> reported;
  const auto scored = scorer(recipe, {folds(5)})->score(cells, [&](const Cell& c) { reported.push_back(c.at.sigma); });
  ASSERT_EQ(scored.size(), cells.size());
  for (std::size_t k = 0; k < cells.size(); ++k) {
    EXPECT_TRUE(scored[k].solved);
    EXPECT_EQ(scored[k].at.sigma, cells[k].sigma) << "cells come back in their order";
  }
  std::sort(reported.begin(), reported.end());
  EXPECT_EQ(reported, LogRange().values());
}

TEST_F(Scoring, ErrorIsThatOfTheHeldOutScores) {
  const Recipe recipe;
  const Folds partition = folds(7);
  MachineScorer one = scorer(recipe, {partition});
  const CellParameters at{0.5, 0.25};
  const Cell scored = one->score(std::vector{at}, [](const Cell&) {})[0];
  EXPECT_DOUBLE_EQ(scored.error, fold_mean_error(argmax_classes(one->heldout_at(at).first()), data_.labels, partition));
  EXPECT_FALSE(scored.std);
}

TEST_F(Scoring, RepeatsGiveTheMeanAndTheSpreadOfTheirErrors) {
  const Recipe recipe;
  const std::vector at = {CellParameters{0.25, 0.25}};
  const auto ignore = [](const Cell&) {};
  const double first = scorer(recipe, {folds(5, 0)})->score(at, ignore)[0].error;
  const double second = scorer(recipe, {folds(5, 1)})->score(at, ignore)[0].error;
  const Cell both = scorer(recipe, {folds(5, 0), folds(5, 1)})->score(at, ignore)[0];
  EXPECT_NEAR(both.error, (first + second) / 2, kRounding);
  ASSERT_TRUE(both.std);
  EXPECT_NEAR(*both.std, std::abs(first - second) / std::sqrt(2), kRounding);
}

TEST_F(Scoring, EveryBookHasTheSameError) {  // Theorem 5 in cross-validation
  const std::vector at = {CellParameters{0.5, 0.25}};
  const auto error_with = [&](const std::string& book) {
    Recipe recipe;
    recipe.labelbook = book;
    return scorer(recipe, {folds(5)})->score(at, [](const Cell&) {})[0].error;
  };
  for (const LabelbookInfo& info : labelbooks())
    EXPECT_EQ(error_with(std::string(info.name)), error_with("indicator")) << info.name;
}

TEST_F(Scoring, ACellThatCannotBeSolvedDoesNotHarmTheOthers) {
  Recipe recipe;
  recipe.kernel = &kPrecomputed;
  data_.statistics = -Matrix::Identity(60, 60);  // K + ridge I is positive definite only for ridge > 1
  MachineScorer one = scorer(recipe, {folds(5)});
  const auto scored = one->score(std::vector<CellParameters>{{1, 0.5}, {1, 2}}, [](const Cell&) {});
  EXPECT_FALSE(scored[0].solved);
  EXPECT_EQ(scored[0].error, 1);
  EXPECT_TRUE(scored[1].solved);
  EXPECT_THROW(one->heldout_at({1, 0.5}), ConfigError);
}

TEST_F(Scoring, AnInterruptKeepsWhatIsFinished) {
  const Recipe recipe;
  runtime_.interrupt().request();
  const auto scored =
      scorer(recipe, {folds(5)})->score(std::vector<CellParameters>{{1, 1}, {2, 1}}, [](const Cell&) {});
  ASSERT_EQ(scored.size(), 2U);
  for (const Cell& c : scored) EXPECT_FALSE(c.solved);
}

TEST_F(Scoring, LittleMemoryMakesItSlowerNotDifferent) {
  const Recipe recipe;
  const std::vector<CellParameters> cells = {{0.5, 1}, {1, 1}, {2, 1}};
  const auto ignore = [](const Cell&) {};
  const auto roomy = scorer(recipe, {folds(5)})->score(cells, ignore);
  const double least = KernelRows::bytes_needed(*machine_of(recipe, data_.labels, 3), data_);
  const Runtime small(2, "cpu", nullptr, MemoryBudget(static_cast<std::uint64_t>(least)));
  const Execution execution = small.execution();
  const auto tight = MachineScorer(execution, data_, recipe, {folds(5)})->score(cells, ignore);
  for (std::size_t k = 0; k < cells.size(); ++k) {
    EXPECT_EQ(tight[k].error, roomy[k].error);
    EXPECT_EQ(tight[k].loss, roomy[k].loss);
  }
}

}  // namespace
}  // namespace manyone::test
