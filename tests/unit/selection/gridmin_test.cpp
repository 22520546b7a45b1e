// SPDX-License-Identifier: Apache-2.0
#include "selection/gridmin.hpp"

#include <gtest/gtest.h>

#include "backend/runtime.hpp"
#include "manyone/errors.hpp"
#include "selection/tune.hpp"
#include "tests/problems.hpp"
#include "tests/tolerance.hpp"

namespace manyone::test {
namespace {

Cell solved_cell(std::vector<double> errors) {
  Cell out;
  out.solved = true;
  out.errors = std::move(errors);
  return out;
}

TEST(GridMinimum, IsTakenInEachPartitionOnItsOwn) {
  const std::vector<Cell> surface = {solved_cell({0.3, 0.1, 0.4}), Cell{}, solved_cell({0.2, 0.5, 0.4})};
  const GridMinimum minimum = grid_minimum(surface);
  EXPECT_EQ(minimum.errors, (std::vector<double>{0.2, 0.1, 0.4}));
  EXPECT_DOUBLE_EQ(minimum.mean(), 0.7 / 3);
  EXPECT_EQ(minimum.best(), 0.1);
  EXPECT_EQ(minimum.worst(), 0.4);
}

TEST(GridMinimum, NeedsASolvedCell) { EXPECT_THROW(grid_minimum(std::vector<Cell>(3)), ConfigError); }

/// Rows already scaled, so that training on a part does not scale it anew.
Dataset scaled_iris() {
  Dataset iris = bundled("iris");
  Scaling::fit(ScalingKind::range, iris.features).apply(iris.features);
  return iris;
}

Dataset rows_of(const Dataset& data, const Folds& folds, int fold, bool inside) {
  std::vector<Index> rows;
  for (Index i = 0; i < data.rows(); ++i) {
    if ((folds.fold_of_row[static_cast<std::size_t>(i)] == fold) == inside) rows.push_back(i);
  }
  Dataset out = data;
  out.features = data.features.select(rows);
  out.labels.clear();
  for (const Index row : rows) out.labels.push_back(data.labels[static_cast<std::size_t>(row)]);
  return out;
}

/// A model trained anew for each fold.
double direct_error(const Execution& execution, const Dataset& data, const Recipe& recipe, const Folds& folds,
                    double sigma, double ridge) {
  double sum = 0;
  for (int fold = 0; fold < folds.count; ++fold) {
    const Dataset test = rows_of(data, folds, fold, true);
    const Model model = train(execution, rows_of(data, folds, fold, false), recipe, sigma, ridge);
    const auto predicted = model.predict(execution.backend, test.features);
    double wrong = 0;
    for (std::size_t i = 0; i < predicted.size(); ++i) wrong += predicted[i] != test.labels[i] ? 1 : 0;
    sum += wrong / static_cast<double>(predicted.size());
  }
  return sum / folds.count;
}

TEST(GridMinimum, EqualsTrainingAnewForEveryFoldOnIris) {
  const Dataset iris = scaled_iris();
  const Runtime runtime(1);
  for (const char* machine : {"onelsm", "vo-lssvm", "ls-ovo"}) {
    Recipe recipe;
    recipe.machine = machine;
    if (recipe.machine == "vo-lssvm") recipe.labelbook = "alignment";
    recipe.scaling = ScalingKind::none;
    recipe.search = SearchKind::grid;
    recipe.sigma_range = {-2, 0, 1};
    recipe.ridge_range = LogRange{-3, 1, 2};
    recipe.folds.count = 5;
    recipe.repeats = 2;
    const GridMinimum minimum = grid_minimum(tune(runtime.execution(), iris, recipe).surface);
    ASSERT_EQ(minimum.errors.size(), 2U);
    for (int repeat = 0; repeat < recipe.repeats; ++repeat) {
      const Folds folds = make_folds(recipe.folds, iris.labels, recipe.seed, repeat);
      double smallest = 1;
      for (const double sigma : recipe.sigma_range.values()) {
        for (const double ridge : recipe.ridge_range->values())
          smallest = std::min(smallest, direct_error(runtime.execution(), iris, recipe, folds, sigma, ridge));
      }
      EXPECT_DOUBLE_EQ(minimum.errors[static_cast<std::size_t>(repeat)], smallest) << machine;
    }
  }
}

}  // namespace
}  // namespace manyone::test
