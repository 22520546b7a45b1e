// SPDX-License-Identifier: Apache-2.0
#include "selection/nested.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "selection/tune.hpp"
#include "tests/machines.hpp"
#include "tests/problems.hpp"
#include "tests/tolerance.hpp"
#include "tests/unit/selection/observers.hpp"

namespace manyone::test {
namespace {

class Nested : public testing::Test {
 protected:
  Nested() : execution_(runtime_.execution()) {
    const Dataset data = clouds(60, 3, 3, 0.5, 1);
    data_.labels = data.labels;
    data_.classes = 3;
    data_.statistics.resize(60, 60);
    runtime_.backend().pair_statistics(PairStatistic::squared_distance, data.features, data_.statistics, Interrupt());
    FoldPlan plan;
    plan.count = 6;
    outer_ = make_folds(plan, data_.labels, 1, 0);
  }

  NestedEstimate estimated(const Recipe& recipe, const ChooseCell& choose) const {
    const auto machine = machine_of(recipe, data_.labels, 3);
    const Decoder decoder = decoder_of(recipe, *machine);
    return nested_estimate(execution_, KernelRows(execution_, {recipe, *machine, decoder}, data_), outer_, choose);
  }

  Runtime runtime_;
  Execution execution_;
  CellData data_;
  Folds outer_;
};

TEST_F(Nested, WithNothingToChooseItIsPlainCrossValidation) {
  for (const auto& info : machines()) {
    if (info.on_kernel == nullptr) continue;
    Recipe recipe;
    recipe.machine = info.name;
    recipe.bias = info.name == "onelsm";
    const CellParameters at{0.5, 0.25};
    const auto fixed = [&](TuningRows&, const std::vector<Index>&) { return at; };
    MachineScorer scorer(execution_, data_, recipe, {outer_});
    const NestedEstimate estimate = estimated(recipe, fixed);
    EXPECT_NEAR(estimate.error, scorer->score(std::vector{at}, [](const Cell&) {})[0].error, kRounding);
    EXPECT_EQ(estimate.folds, 6);
    EXPECT_EQ(estimate.chosen.size(), 6U);
  }
}

TEST_F(Nested, TheSearchNeverSeesTheRowsItIsTestedOn) {
  int fold = 0;
  const auto choose = [&](const TuningRows& part, const std::vector<Index>& rows) {
    const auto test_rows = outer_.rows()[static_cast<std::size_t>(fold++)];
    EXPECT_EQ(part.rows() + std::ssize(test_rows), 60);
    EXPECT_EQ(part.rows(), std::ssize(rows));
    for (const Index row : test_rows) EXPECT_EQ(std::count(rows.begin(), rows.end(), row), 0);
    for (std::size_t i = 0; i < rows.size(); ++i)
      EXPECT_EQ(part.labels()[i], data_.labels[static_cast<std::size_t>(rows[i])]);
    return CellParameters{0.5, 1};
  };
  estimated({}, choose);
  EXPECT_EQ(fold, 6);
}

TEST_F(Nested, StopsWhenInterrupted) {
  runtime_.interrupt().request();
  const auto choose = [](const TuningRows&, const std::vector<Index>&) { return CellParameters{}; };
  EXPECT_THROW(estimated({}, choose), Interrupted);
}

TEST(TuneNested, IsDeterministicAndUsesTheFolds) {
  const Runtime runtime;
  const Dataset data = bundled("iris");
  for (const auto search : {SearchKind::automatic, SearchKind::grid}) {
    Recipe recipe;
    recipe.search = search;
    recipe.folds.count = 5;
    recipe.sigma_range = {-2, 1, 1};
    recipe.ridge_range = recipe.sigma_range;
    const Tuning first = tune(runtime.execution(), data, recipe, {.nested = true});
    const Tuning second = tune(runtime.execution(), data, recipe, {.nested = true});
    ASSERT_TRUE(first.nested && second.nested);
    EXPECT_EQ(first.nested->folds, 5);
    EXPECT_EQ(first.nested->chosen.size(), 5U);
    EXPECT_EQ(first.nested->error, second.nested->error);
    EXPECT_LE(first.nested->error, 0.1);
    EXPECT_EQ(first.cv.error, tune(runtime.execution(), data, recipe).cv.error) << "the plain estimate does not change";
  }
}

}  // namespace
}  // namespace manyone::test
