// SPDX-License-Identifier: Apache-2.0
//
// What comes through the door is what the library does, to the bit.
#include <gtest/gtest.h>

#include "door/inside.hpp"
#include "manyone/fit.hpp"
#include "selection/fit.hpp"
#include "tests/problems.hpp"

namespace manyone::test {
namespace {

const std::string kWine = std::string(MANYONE_SOURCE) + "/data/wine.csv";

TEST(Door, FitsTheModelThatTheLibraryFits) {
  const Runtime runtime;
  for (const char* machine : {"auto", "svm-ovo", "msvr"}) {
    const abi_0::FitResult found = abi_0::fit(abi_0::Table::read(kWine), abi_0::Recipe{.machine = machine});
    Recipe recipe;
    recipe.machine = machine;
    const Fit expected = fit(runtime.execution(), read_dataset(kWine, {}), recipe);
    EXPECT_EQ(found.classifier.bytes(), expected.classifier.bytes()) << machine;
  }
}

TEST(Door, TriesWhatTheLibraryTries) {
  const Runtime runtime;
  const abi_0::TuneResult found =
      abi_0::tune(abi_0::Table::read(kWine), abi_0::Recipe{.repeats = 2}, {}, {.nested = true});
  Recipe recipe;
  recipe.repeats = 2;
  const Tuning expected = tune(runtime.execution(), read_dataset(kWine, {}), recipe, {.nested = true, .journal = {}});
  ASSERT_EQ(found.search.tried.size(), expected.surface.size());
  for (std::size_t i = 0; i < expected.surface.size(); ++i) {
    EXPECT_EQ(found.search.tried[i].sigma, expected.surface[i].at.sigma);
    EXPECT_EQ(found.search.tried[i].ridge, expected.surface[i].at.ridge);
    EXPECT_EQ(found.search.tried[i].error, expected.surface[i].error);
    EXPECT_EQ(found.search.tried[i].std, expected.surface[i].std);
    EXPECT_EQ(found.search.tried[i].solved, expected.surface[i].solved);
  }
  EXPECT_EQ(found.search.sigma, expected.best.sigma);
  EXPECT_EQ(found.search.ridge, expected.best.ridge);
  EXPECT_EQ(found.search.searched_rows, expected.surface_rows);
  EXPECT_EQ(found.search.error.error, expected.cv.error);
  EXPECT_EQ(found.search.error.std, expected.cv.std);
  EXPECT_EQ(found.search.error.majority_error, expected.cv.majority_error);
  EXPECT_EQ(found.search.nested_error, expected.nested->error);
  EXPECT_FALSE(found.search.stopped);
}

TEST(Door, PredictsInBlocksWhatTheLibraryPredictsAtOnce) {
  const Dataset data = clouds(9000, 3, 3, 0.3, 7);  // more rows than a block has
  const Runtime runtime;
  const std::vector<Index> few = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  std::vector<std::string> labels;
  for (const Index row : few) labels.push_back(data.classes[static_cast<std::size_t>(data.labels[row])]);
  const Matrix& rows = data.features.dense();
  const auto model = std::make_shared<const abi_0::Classifier::Inside>(abi_0::Classifier::Inside{
      train(runtime.execution(), make_dataset(rows(few, Eigen::all), labels), Recipe{}, 0.5, 0.1)});
  const abi_0::Classifier classifier(model);
  const abi_0::MatrixView view(rows.data(), rows.rows(), rows.cols());
  const Matrix expected = model->model.scores(runtime.backend(), rows);
  const abi_0::Matrix scores = classifier.scores(view);
  EXPECT_EQ(Eigen::Map<const Matrix>(scores.data(), scores.rows(), scores.columns()), expected);
  EXPECT_EQ(classifier.predict(view), model->model.predict(runtime.backend(), rows));
  const abi_0::Matrix p = classifier.probabilities(view);
  EXPECT_EQ(Eigen::Map<const Matrix>(p.data(), p.rows(), p.columns()),
            model->model.probabilities(runtime.backend(), rows));
}

TEST(Door, ReadsATableAsTheLibraryDoes) {
  const abi_0::ReadOptions said{{"csv", true, false}, "class", "fold", {"a"}, {"b"}, true, "drop"};
  const auto& [format, target, fold_column, nominal, ignore, keep_identifiers, header, decimal_comma, missing, memory] =
      door::for_library(said, abi_0::Run{.memory = 1000});
  EXPECT_EQ(format, TableFormat::csv);
  EXPECT_EQ(target, "class");
  EXPECT_EQ(fold_column, "fold");
  EXPECT_EQ(nominal, std::vector<std::string>{"a"});
  EXPECT_EQ(ignore, std::vector<std::string>{"b"});
  EXPECT_TRUE(keep_identifiers);
  EXPECT_EQ(header, true);
  EXPECT_EQ(decimal_comma, false);
  EXPECT_EQ(missing, MissingPolicy::drop);
  EXPECT_EQ(memory.bytes(), 1000U);
}

TEST(Door, SaysHowSureAHeldOutErrorIs) {
  CvSummary held_out{.folds = 5, .repeats = 2, .error = 0.25, .std = 0.1, .rows = 100, .train_rows = 400};
  held_out.kind = EstimateKind::held_out;
  held_out.majority_error = 0.5;
  const abi_0::Estimate found = door::for_program(held_out);
  EXPECT_EQ(found.kind, "held-out");
  EXPECT_EQ(found.folds, 5);
  EXPECT_EQ(found.repeats, 2);
  EXPECT_EQ(found.std, 0.1);
  EXPECT_EQ(found.rows, 100);
  EXPECT_EQ(found.trained_rows, 400);
  EXPECT_EQ(found.majority_error, 0.5);
  ASSERT_TRUE(found.interval);
  EXPECT_LT(found.interval->low, 0.25);
  EXPECT_GT(found.interval->high, 0.25);
  held_out.kind = EstimateKind::cross_validation;
  EXPECT_FALSE(door::for_program(held_out).interval);
}

}  // namespace
}  // namespace manyone::test
