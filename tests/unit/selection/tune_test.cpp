// SPDX-License-Identifier: Apache-2.0
#include "selection/tune.hpp"
#include "selection/shared_work.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "manyone/errors.hpp"
#include "selection/search.hpp"
#include "tests/problems.hpp"
#include "tests/tolerance.hpp"
#include "tests/unit/data/table_files.hpp"
#include "tests/unit/selection/observers.hpp"

namespace manyone::test {
namespace {

Recipe grid_recipe() {
  Recipe recipe;
  recipe.search = SearchKind::grid;
  return recipe;
}

Recipe small_grid() {
  Recipe recipe = grid_recipe();
  recipe.sigma_range = {-2, 1, 1};
  recipe.ridge_range = LogRange{-3, 0, 1};
  recipe.folds.count = 4;
  return recipe;
}

TEST(TuneGrid, SurfaceHasEveryCellOnceAndTheBestCannotBeToldFromItsMinimum) {
  const Runtime runtime;
  const Tuning tuning = tune(runtime.execution(), bundled("iris"), grid_recipe());
  std::set<std::pair<double, double>> cells;
  double least = 1;
  for (const Cell& cell : tuning.surface) {
    cells.insert({cell.at.sigma, cell.at.ridge});
    least = std::min(least, cell.error);
  }
  EXPECT_EQ(tuning.surface.size(), 81U);
  EXPECT_EQ(cells.size(), 81U);
  const Cell& best = chosen_cell(tuning.surface, 150);
  EXPECT_EQ(tuning.cv.error, best.error);
  EXPECT_LE(best.error, least + std::sqrt(least * (1 - least) / 150));
  EXPECT_EQ(tuning.best.sigma, best.at.sigma);
  EXPECT_EQ(tuning.best.ridge, best.at.ridge);
  EXPECT_EQ(tuning.cv.folds, 10);
  EXPECT_EQ(tuning.cv.rows, 150);
  EXPECT_FALSE(tuning.cv.std);
  EXPECT_FALSE(tuning.interrupted);
  EXPECT_GT(tuning.temperature, 0);
}

TEST(TuneAuto, ReachesTheGridsErrorWithFewerCells) {
  const Runtime runtime;
  for (const std::string name : {"iris", "wine", "glass"}) {
    const Dataset data = bundled(name);
    const Tuning grid = tune(runtime.execution(), data, grid_recipe());
    const Tuning quick = tune(runtime.execution(), data, {});
    // Cells within a standard error of each other are told apart by their loss, so the chosen errors may differ by one.
    const double noise = std::sqrt(grid.cv.error * (1 - grid.cv.error) / static_cast<double>(data.rows()));
    EXPECT_LE(quick.cv.error, grid.cv.error + std::max(0.005, noise / 2)) << name;
    EXPECT_LT(quick.surface.size(), grid.surface.size()) << name;
  }
}

TEST(TuneAuto, WorksForEveryKernel) {
  const Runtime runtime;
  const Dataset data = bundled("iris");
  for (const auto kernel : {&kGaussian, &kLaplacian, &kPolynomial}) {
    Recipe recipe;
    recipe.kernel = kernel;
    EXPECT_LE(tune(runtime.execution(), data, recipe).cv.error, 0.06) << kernel->name;
  }
  Recipe linear;
  linear.kernel = &kLinear;
  linear.bias = true;
  EXPECT_LE(tune(runtime.execution(), data, linear).cv.error,
            0.25);  // a linear least-squares machine masks the middle class
}

TEST(Tune, AFixedParameterIsHonouredBitForBit) {
  const Runtime runtime;
  const Dataset data = bundled("iris");
  for (const auto search : {SearchKind::automatic, SearchKind::grid}) {
    Recipe recipe;
    recipe.search = search;
    recipe.sigma = 0.3;
    EXPECT_EQ(tune(runtime.execution(), data, recipe).best.sigma, 0.3);
    recipe.sigma.reset();
    recipe.ridge = 0.7;
    const Tuning tuning = tune(runtime.execution(), data, recipe);
    EXPECT_EQ(tuning.best.ridge, 0.7);
    for (const Cell& cell : tuning.surface) EXPECT_EQ(cell.at.ridge, 0.7);
  }
}

TEST(TuneAuto, OnASubsetAFixedRidgeIsHonouredBitForBitAndTheSubsetIsNoted) {
  const Dataset data = clouds(3500, 3, 3, 0.5, 1);
  NoteCollector notes;
  const Runtime runtime(0, "cpu", &notes);
  Recipe recipe;
  recipe.ridge = 0.7;
  const Tuning tuning = tune(runtime.execution(), data, recipe);
  EXPECT_EQ(tuning.best.ridge, 0.7);
  EXPECT_LT(tuning.cv.rows, 3500);
  EXPECT_TRUE(notes.noted("subset"));
  EXPECT_TRUE(notes.noted("3500"));
}

TEST(TuneAuto, OnASubsetAFixedSigmaIsHonouredBitForBit) {
  const Dataset data = clouds(3500, 3, 3, 0.5, 2);
  const Runtime runtime;
  Recipe recipe;
  recipe.sigma = 0.3;
  const Tuning tuning = tune(runtime.execution(), data, recipe);
  EXPECT_EQ(tuning.best.sigma, 0.3);
  for (const Cell& cell : tuning.surface) EXPECT_EQ(cell.at.sigma, 0.3);
}

TEST(Tune, IsTheSameForEveryNumberOfThreads) {
  const Dataset data = bundled("glass");
  for (const auto search : {SearchKind::automatic, SearchKind::grid}) {
    Recipe recipe = small_grid();
    recipe.search = search;
    const Tuning one = tune(Runtime(1).execution(), data, recipe);
    for (const int threads : {2, 3}) {
      const Runtime runtime(threads);
      const Tuning many = tune(runtime.execution(), data, recipe);
      EXPECT_EQ(many.best.sigma, one.best.sigma);
      EXPECT_EQ(many.best.ridge, one.best.ridge);
      EXPECT_EQ(many.cv.error, one.cv.error);
      EXPECT_EQ(many.temperature, one.temperature);
      ASSERT_EQ(many.surface.size(), one.surface.size());
      for (std::size_t k = 0; k < one.surface.size(); ++k) EXPECT_EQ(many.surface[k].loss, one.surface[k].loss);
    }
  }
}

TEST(Tune, RepeatsGiveASpread) {
  const Runtime runtime;
  Recipe recipe = small_grid();
  recipe.repeats = 3;
  const Tuning tuning = tune(runtime.execution(), bundled("glass"), recipe);
  EXPECT_EQ(tuning.cv.repeats, 3);
  ASSERT_TRUE(tuning.cv.std);
  EXPECT_GT(*tuning.cv.std, 0);
}

/// The same cells, errors and choice, whoever computed them.
void expect_same(const Tuning& alone, const Tuning& shared) {
  EXPECT_EQ(alone.best, shared.best);
  EXPECT_EQ(alone.temperature, shared.temperature);
  ASSERT_EQ(alone.surface.size(), shared.surface.size());
  for (std::size_t k = 0; k < alone.surface.size(); ++k) {
    EXPECT_EQ(alone.surface[k].at, shared.surface[k].at);
    EXPECT_EQ(alone.surface[k].error, shared.surface[k].error);
  }
}

TEST(Tune, WorkSharedWithAMachineBeforeChangesNothingAndIsNotDoneAgain) {
  const Runtime runtime;
  const Dataset iris = bundled("iris");
  for (const auto& [before, after] : {std::pair{"onelsm", "ls-ecoc"}, {"svm-ovo", "svm-dag"}, {"ls-ecoc", "ls-ova"}}) {
    SCOPED_TRACE(after);
    for (const bool grid : {false, true}) {
      SharedWork shared(1e8);
      const DatasetRows table(iris);
      Recipe recipe = small_grid();
      if (!grid) recipe.search = SearchKind::automatic;
      recipe.machine = before;
      tune(runtime.execution(), resolve(runtime.execution(), recipe, table, {.shared = &shared}));
      const long own = shared.found();  // the chosen cell may be asked for again
      recipe.machine = after;
      const Tuning second = tune(runtime.execution(), resolve(runtime.execution(), recipe, table, {.shared = &shared}));
      EXPECT_GT(shared.found(), own + (grid ? 15 : 0));
      expect_same(tune(runtime.execution(), iris, recipe), second);
    }
  }
}

TEST(Tune, WorkIsNotSharedBetweenWeightsBiasesOrScalings) {
  const Runtime runtime;
  const Dataset iris = bundled("iris");
  SharedWork shared(1e8);
  const Recipe plain = small_grid();
  Recipe weighted = plain;
  weighted.weights = WeightKind::given;
  for (Index i = 0; i < iris.rows(); ++i) weighted.row_weights.push_back(i % 3 == 0 ? 4 : 1);
  Recipe with_bias = plain;
  with_bias.bias = true;
  Recipe standard = plain;
  standard.scaling = ScalingKind::standard;
  Recipe reseeded = plain;
  reseeded.seed = 5;
  long own = 0;
  for (const Recipe& recipe : {plain, weighted, with_bias, standard, reseeded}) {
    SharedWork alone(1e8);
    const DatasetRows table(iris);
    expect_same(tune(runtime.execution(), resolve(runtime.execution(), recipe, table, {.shared = &alone})),
                tune(runtime.execution(), resolve(runtime.execution(), recipe, table, {.shared = &shared})));
    own += alone.found();
  }
  EXPECT_EQ(shared.found(), own);
}

TEST(Tune, SaysWhenTheChosenCellWasJudgedByProgramsThatWereNotFinished) {
  for (const std::string machine : {"cs", "ww"}) {
    SCOPED_TRACE(machine);
    NoteCollector notes;
    const Runtime runtime(0, "cpu", &notes);
    Recipe recipe;
    recipe.machine = machine;
    recipe.sigma = 8;
    recipe.ridge = 1;
    EXPECT_EQ(tune(runtime.execution(), bundled("glass"), recipe).surface.front().unfinished, 0);
    EXPECT_FALSE(notes.noted("stopped at their limit"));
    recipe.ridge = 1e-9;
    EXPECT_GT(tune(runtime.execution(), bundled("glass"), recipe).surface.front().unfinished, 0);
    EXPECT_TRUE(notes.noted("stopped at their limit"));
  }
}

TEST(Tune, SeedChangesTheFolds) {
  const Runtime runtime;
  const Dataset data = bundled("glass");
  Recipe recipe = small_grid();
  const auto losses = [&] {
    std::vector<double> out;
    for (const Cell& cell : tune(runtime.execution(), data, recipe).surface) out.push_back(cell.loss);
    return out;
  };
  const auto first = losses();
  EXPECT_EQ(losses(), first);
  recipe.seed = 2;
  EXPECT_NE(losses(), first);
}

TEST(Tune, GivenFoldsAndLeaveOneOutAreUsed) {
  const Runtime runtime;
  const Dataset data = bundled("iris");
  Recipe recipe = small_grid();
  recipe.folds.given.resize(150);
  for (std::size_t i = 0; i < 150; ++i) recipe.folds.given[i] = static_cast<int>(i % 3);
  EXPECT_EQ(tune(runtime.execution(), data, recipe).cv.folds, 3);
  recipe = small_grid();
  recipe.folds.count = 0;
  const Tuning loo = tune(runtime.execution(), data, recipe);
  EXPECT_EQ(loo.cv.folds, 0);
  const double rows_wrong = loo.cv.error * 150;
  EXPECT_NEAR(rows_wrong, std::round(rows_wrong), kProduct);
}

TEST(Tune, APrecomputedGramGivesTheErrorOfItsKernel) {
  const Runtime runtime;
  const Dataset data = clouds(60, 2, 3, 0.5, 3);
  Recipe recipe = small_grid();
  recipe.scaling = ScalingKind::none;
  recipe.sigma = 0.7;
  const Tuning direct = tune(runtime.execution(), data, recipe);
  Dataset gram = data;
  gram.features = plain_gram({&kGaussian, 0.7, 3, 1}, data.features.dense(), data.features.dense());
  recipe.sigma.reset();
  recipe.scaling.reset();
  recipe.kernel = &kPrecomputed;
  const Tuning given = tune(runtime.execution(), gram, recipe);
  EXPECT_EQ(given.cv.error, direct.cv.error);
  EXPECT_EQ(given.best.ridge, direct.best.ridge);
}

TEST(Tune, AnInterruptInAGridGivesTheCellsFinishedSoFar) {
  StopAt observer(1);
  Runtime runtime(1, "cpu", &observer);
  observer.watch(runtime.interrupt());
  const Tuning tuning = tune(runtime.execution(), bundled("iris"), grid_recipe());
  EXPECT_TRUE(tuning.interrupted);
  EXPECT_GE(tuning.surface.size(), 1U);
  EXPECT_LT(tuning.surface.size(), 81U);
  EXPECT_EQ(tuning.cv.error, chosen_cell(tuning.surface, 150).error);
}

TEST(Tune, AnInterruptBeforeTheFirstCellThrows) {
  Runtime runtime(1);
  runtime.interrupt().request();
  EXPECT_THROW(tune(runtime.execution(), bundled("iris"), grid_recipe()), Interrupted);
}

TEST(Tune, TooLittleMemoryIsRefusedAndNamesTheNeed) {
  const Runtime runtime(1, "cpu", nullptr, MemoryBudget(100'000));
  const Dataset data = bundled("iris");
  Recipe recipe = grid_recipe();
  recipe.machine = "onelsm";
  const auto run = [&] { tune(runtime.execution(), data, recipe); };
  EXPECT_THROW(run(), MemoryError);
  expect_contains(message_of(run), "tuning on 150 rows");
  expect_contains(message_of(run), "needs");
}

TEST(Tune, NoSolvableCellIsAConfigErrorThatSaysWhatToDo) {
  const Runtime runtime(1);
  Dataset data = clouds(10, 2, 2, 0.3, 4);
  data.features = Matrix(-100 * Matrix::Identity(10, 10));
  Recipe recipe = small_grid();
  recipe.kernel = &kPrecomputed;
  const auto run = [&] { tune(runtime.execution(), data, recipe); };
  EXPECT_THROW(run(), ConfigError);
  expect_contains(message_of(run), "larger ridges");
}

TEST(Tune, MoreFoldsThanRowsIsAConfigError) {
  const Runtime runtime(1);
  EXPECT_THROW(tune(runtime.execution(), clouds(8, 2, 2, 0.3, 5), grid_recipe()), ConfigError);
}

}  // namespace
}  // namespace manyone::test
