// SPDX-License-Identifier: Apache-2.0
#include "selection/plan.hpp"

#include <gtest/gtest.h>

#include "backend/runtime.hpp"
#include "base/progress.hpp"
#include "manyone/errors.hpp"
#include "tests/complaints.hpp"
#include "tests/problems.hpp"
#include "tests/unit/data/table_files.hpp"

namespace manyone::test {
namespace {

class Notes : public Observer {
 public:
  void note(const Words& message) override { text += message.text(); }
  std::string text;
};

TEST(Plan, ASmallTableIsTrainedOnItsWholeKernelMatrix) {
  const Runtime runtime(1);
  const Dataset data = clouds(60, 2, 3, 0.4, 1);
  const DatasetRows rows(data);
  const Plan plan = resolve(runtime.execution(), {}, rows);
  EXPECT_EQ(plan.recipe.machine, "onelsm");
  EXPECT_FALSE(plan.recipe.reduced());
  EXPECT_TRUE(plan.searches());
}

TEST(Plan, ATableTooLargeForItsKernelMatrixGetsCentresAndANote) {
  Notes notes;
  const Runtime runtime(1, "cpu", &notes, MemoryBudget(2'000'000));
  const Dataset data = clouds(2000, 2, 3, 0.4, 1);  // a matrix of 32 MB
  const DatasetRows rows(data);
  const Plan plan = resolve(runtime.execution(), {}, rows);
  EXPECT_EQ(plan.recipe.machine, "msvr");
  EXPECT_TRUE(plan.recipe.reduced());
  expect_contains(notes.text, "machine=onelsm takes the whole kernel matrix");
}

TEST(Plan, WhatOnlyOneFamilyHasChoosesIt) {
  const Runtime runtime(1, "cpu", nullptr, MemoryBudget(2'000'000));
  const Dataset data = clouds(2000, 2, 3, 0.4, 1);
  const DatasetRows rows(data);
  Recipe with_bias;
  with_bias.bias = true;
  EXPECT_EQ(resolve(runtime.execution(), with_bias, rows).recipe.machine, "onelsm");
  Recipe with_centres;
  with_centres.reduction.centres = "5%";
  EXPECT_EQ(resolve(runtime.execution(), with_centres, rows).recipe.machine, "msvr");
}

TEST(Plan, TimeChoosesTheNumberOfCentresAndNothingElse) {
  const Runtime runtime(1);
  const Dataset data = clouds(500, 2, 3, 0.4, 1);
  const DatasetRows rows(data);
  const auto with = [](std::string machine, std::string centres, double seconds) {
    Recipe recipe;
    recipe.machine = std::move(machine);
    recipe.reduction.centres = std::move(centres);
    recipe.seconds = seconds;
    return recipe;
  };
  EXPECT_FALSE(resolve(runtime.execution(), with("msvr", "", 100), rows).recipe.reduction.centres.empty());
  for (const Recipe& recipe : {with("msvr", "", 0), with("msvr", "10", 1), with("onelsm", "", 1)})
    expect_complaint([&] { resolve(runtime.execution(), recipe, rows); }, Fault::usage, "time", "leave it out");
}

TEST(Plan, ANestedSearchNeedsThreeFolds) {
  const Runtime runtime(1);
  const Dataset data = clouds(6, 2, 2, 0.4, 1);
  const DatasetRows rows(data);
  Recipe recipe;
  recipe.folds.given = {0, 1, 0, 1, 0, 1};
  EXPECT_NO_THROW(resolve(runtime.execution(), recipe, rows));
  expect_complaint([&] { resolve(runtime.execution(), recipe, rows, {.nested = true}); }, Fault::usage, "nested",
                   "give more");
}

}  // namespace
}  // namespace manyone::test
