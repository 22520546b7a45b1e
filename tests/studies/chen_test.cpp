// SPDX-License-Identifier: Apache-2.0
#include "studies/chen.hpp"

#include <gtest/gtest.h>

#include "backend/runtime.hpp"
#include "selection/fit.hpp"
#include "studies/code_lengths.hpp"
#include "studies/coded_regression.hpp"
#include "studies/stage_times.hpp"
#include "tests/problems.hpp"

namespace manyone::test {
namespace {

using Names = std::vector<std::string>;

const PublishedRow& row_of(const PublishedTable& table, const std::string& choice) {
  for (const PublishedRow& row : table.rows) {
    if (row.choice() == choice) return row;
  }
  throw std::runtime_error("no such row");
}

/// Every third row of iris is for testing.
FoundSet iris_in_two(std::size_t set) {
  const Dataset iris = bundled("iris");
  FoundSet out{set, iris, iris};
  std::array<std::vector<Index>, 2> rows;
  for (Index i = 0; i < iris.rows(); ++i) rows[i % 3 == 0 ? 1 : 0].push_back(i);
  for (std::size_t part = 0; part < 2; ++part) {
    Dataset& data = part == 0 ? out.data : *out.test;
    data.features = iris.features.select(rows[part]);
    data.labels.clear();
    for (const Index row : rows[part]) data.labels.push_back(iris.labels[static_cast<std::size_t>(row)]);
  }
  return out;
}

TEST(RecipeAtSetting, HasTheParametersOfThePaper) {
  const PublishedTable& table = published_table("chen-table3");
  const Recipe flda = recipe_at_setting(table, row_of(table, "flda"), 4);
  EXPECT_EQ(table.sets[4].name, "segment");
  EXPECT_NEAR(1 / (2 * *flda.sigma * *flda.sigma), 0.0525, 1e-12);
  EXPECT_EQ(*flda.ridge, 1e-6);
  EXPECT_EQ(flda.reduction.centres.said, "30%");
  EXPECT_EQ(flda.decode, &decoder_from_name("flda"));
  const Recipe ssvm = recipe_at_setting(table, row_of(table, "ssvm"), 1);
  EXPECT_NEAR(*ssvm.decode_cost * *ssvm.ridge, 1, 1e-12) << "the cost of the planes is that of the regression";
  const Recipe standard = recipe_at_setting(table, row_of(table, "libsvm-default"), 1);
  EXPECT_NEAR(1 / (2 * *standard.sigma * *standard.sigma), 1.0 / 4, 1e-12) << "1 / features of iris";
  EXPECT_EQ(*standard.ridge, 1);
  EXPECT_EQ(standard.reduction.centres.said, "");
}

TEST(CodedRegression, IsWhatFitMakesOfTheRecipe) {
  const PublishedTable& table = published_table("chen-table3");
  const FoundSet found = iris_in_two(1);
  const Runtime runtime(1);
  const Execution execution = runtime.execution();
  for (const char* book : {"indicator", "balanced", "optimal"}) {
    Recipe recipe = recipe_at_setting(table, row_of(table, "flda"), 1);
    recipe.labelbook = book;
    const CodedRegression regression(execution, found.data, recipe);
    const Matrix code = regression.code(book);
    const Matrix ours = regression.discriminant(code).scores(regression.outputs(found.test->features) * code);
    const Matrix theirs = fit(execution, found.data, recipe).classifier.scores(execution.backend, found.test->features);
    EXPECT_LT((ours - theirs).norm(), 1e-8 * theirs.norm()) << book;
  }
}

TEST(ReproduceSettings, AverageOverFoldsOrTestRows) {
  const PublishedTable& table = published_table("chen-table3");
  const ReproduceChoice choice = choose_part(table, Names{"flda", "libsvm"}, Names{"iris"});
  const std::vector<FoundSet> whole = {{1, bundled("iris")}};
  const Runtime runtime(1);
  const Reproduction folds = reproduce_settings(runtime.execution(), choice, whole, 2, 1);
  ASSERT_EQ(folds.cells.size(), 2U);
  for (const ReproducedCell& cell : folds.cells) {
    ASSERT_TRUE(cell.ours);
    EXPECT_EQ(cell.ours->errors.size(), 2U);
    EXPECT_LT(cell.ours->mean(), 0.06);
  }
  EXPECT_NE(errors_text(folds).find("within 2 sd"), std::string::npos);
  const std::vector<FoundSet> parts = {iris_in_two(1)};
  EXPECT_EQ(reproduce_settings(runtime.execution(), choice, parts, 2, 1).cells[0].ours->errors.size(), 1U);
}

TEST(ReproduceSettings, AnInterruptLeavesCellsEmpty) {
  const ReproduceChoice choice = choose_part(published_table("chen-table3"), Names{"flda"}, Names{"iris"});
  const std::vector<FoundSet> found = {{1, bundled("iris")}};
  Runtime runtime(1);
  runtime.interrupt().request();
  const Reproduction result = reproduce_settings(runtime.execution(), choice, found, 1, 1);
  EXPECT_TRUE(result.interrupted);
  EXPECT_FALSE(result.cells[0].ours);
}

TEST(CodeLengths, AllCodesAreEquivalentAtFullLength) {
  const ReproduceChoice choice = choose_part(published_table("chen-figures"), {}, Names{"pendigits"});
  const std::vector<FoundSet> found = {iris_in_two(0)};
  const Runtime runtime(1);
  const CodeFigures figures = reproduce_code_lengths(runtime.execution(), choice, found, 3, 1);
  ASSERT_EQ(figures.sets.size(), 1U);
  const CodeLengths& one = figures.sets[0];
  ASSERT_EQ(one.runs.size(), 4U);
  EXPECT_EQ(one.runs[3].errors.size(), 3U);
  for (const CodeRun& run : one.runs) {
    for (const auto& replicate : run.errors) {
      ASSERT_EQ(replicate.size(), 2U);
      EXPECT_EQ(replicate[1], one.runs[0].errors[0][1]) << run.row->name;
    }
  }
  ASSERT_EQ(one.views.size(), 2U);
  EXPECT_EQ(one.views[0].points.rows(), 3 * kViewRows);
  const Json codes = code_lengths_json(figures)["figures"]["code_lengths"][0]["codes"];
  EXPECT_FALSE(codes[0].contains("runs")) << "drawn once";
  const Json random = codes[3];
  ASSERT_EQ(random["runs"].size(), 3U);
  double sum = 0;
  for (const Json& run : random["runs"]) sum += run[0].get<double>();
  EXPECT_NEAR(random["errors"][0].get<double>(), sum / 3, 1e-12);
}

TEST(StageTimes, RatiosAreToLibsvm) {
  const PublishedTable& table = published_table("chen-tables4-5");
  StageTimes times;
  times.table = &table;
  times.cells = {{&row_of(table, "flda"), 1, LibsvmTimes{0.5, 0.1, 0.02}, {}},
                 {&row_of(table, "libsvm"), 1, LibsvmTimes{0.25, 0.2, 0.03}, LibsvmTimes{2, 0.4, 0.03}}};
  times.tools = true;
  EXPECT_EQ(times.unit(1)->train, 2);
  const Json json = stages_json(times);
  EXPECT_EQ(json["cells"][0]["ratio"]["training"]["ours"], 0.25);
  EXPECT_NEAR(json["cells"][0]["ratio"]["training"]["published"].get<double>(), 0.60 / 2.64, 1e-12);
  EXPECT_NE(stages_text(times).find("LIBSVM (UD), svm-predict"), std::string::npos);
  times.cells[1].tools.reset();
  EXPECT_EQ(times.unit(1), nullptr) << "the tools are there but failed";
  times.tools = false;
  EXPECT_EQ(times.unit(1)->train, 0.25);
}

}  // namespace
}  // namespace manyone::test
