// SPDX-License-Identifier: Apache-2.0
#include "selection/fit.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "decoder/decoder.hpp"
#include "manyone/errors.hpp"
#include "tests/problems.hpp"
#include "tests/tolerance.hpp"
#include "tests/unit/data/table_files.hpp"
#include "tests/unit/selection/observers.hpp"

namespace manyone::test {
namespace {

std::string saved_bytes(const Model& model) {
  const std::string path = testing::TempDir() + "manyone-fit-" + std::to_string(getpid()) + ".safetensors";
  model.save(path);
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::filesystem::remove(path);
  return bytes;
}

TEST(Fit, LeavesOutNothingThatTuningFound) {
  const Runtime runtime;
  const Dataset data = bundled("wine");
  const Fit result = fit(runtime.execution(), data, {});
  ASSERT_TRUE(result.tuning);
  const Model& model = result.classifier;
  EXPECT_EQ(model.expansion.kernel.sigma, result.tuning->best.sigma);
  EXPECT_EQ(model.ridge, result.tuning->best.ridge);
  EXPECT_EQ(model.temperature, result.tuning->temperature);
  ASSERT_TRUE(model.cv);
  EXPECT_EQ(model.cv->error, result.tuning->cv.error);
  EXPECT_EQ(model.search, "auto");
  EXPECT_LE(model.cv->error, 0.05);
}

TEST(Fit, IsTheModelOfTheChosenParameters) {  // although the search has it already
  const Runtime runtime;
  const Execution execution = runtime.execution();
  const Dataset data = bundled("glass");
  for (const bool bias : {false, true}) {
    for (const auto& [machine, book] : {std::pair{"onelsm", "indicator"}, {"onelsm", "consistency"}, {"ls-ova", ""}}) {
      Recipe recipe;
      recipe.machine = machine;
      if (*book != 0) recipe.labelbook = book;
      recipe.bias = bias;
      recipe.weights = WeightKind::balanced;
      const Tuning tuning = tune(execution, data, recipe);
      ASSERT_TRUE(tuning.solution);
      const Model found = fit(execution, data, recipe).classifier;
      const Model trained = train(execution, data, recipe, tuning.best.sigma, tuning.best.ridge);
      EXPECT_EQ(found.ridge, trained.ridge);
      expect_close(found.expansion.coefficients, trained.expansion.coefficients, kSolution);
      expect_close(found.expansion.bias, trained.expansion.bias, kSolution);
    }
  }
}

TEST(Fit, FactorisesWhereAnInverseIsNotGoodEnoughOrASolverIsAskedFor) {
  const Runtime runtime;
  const Dataset data = bundled("glass");
  Recipe recipe;
  recipe.ridge = 1e-6;
  EXPECT_FALSE(tune(runtime.execution(), data, recipe).solution);
  recipe.ridge = 1e-3;
  EXPECT_TRUE(tune(runtime.execution(), data, recipe).solution);
  recipe.solver.kind = SolverKind::iterative;
  EXPECT_FALSE(tune(runtime.execution(), data, recipe).solution);
}

TEST(Fit, FixedParametersNeedNoSearchAndStillCalibrate) {
  const Runtime runtime;
  const Dataset data = bundled("iris");
  Recipe recipe;
  recipe.sigma = 0.5;
  recipe.ridge = 0.25;
  const Fit result = fit(runtime.execution(), data, recipe);
  EXPECT_FALSE(result.tuning);
  EXPECT_FALSE(result.classifier.cv);
  EXPECT_EQ(result.classifier.search, "fixed");
  EXPECT_EQ(result.classifier.ridge, 0.25);
  EXPECT_NE(result.classifier.temperature, 1);
}

TEST(Fit, ProbabilitiesArgmaxIsThePredictionOnEveryTable) {
  const Runtime runtime;
  for (const std::string name : {"iris", "wine", "glass"}) {
    const Dataset data = bundled(name);
    const Model model = fit(runtime.execution(), data, {}).classifier;
    EXPECT_EQ(argmax_classes(model.probabilities(runtime.backend(), data.features)),
              model.predict(runtime.backend(), data.features))
        << name;
  }
}

TEST(Fit, NumberOfThreadsDoesNotChangeAByteOfTheModel) {
  const Dataset data = bundled("glass");
  std::string expected;
  for (const int threads : {1, 2, 3}) {
    const Runtime runtime(threads);
    const std::string bytes = saved_bytes(fit(runtime.execution(), data, {}).classifier);
    if (expected.empty()) expected = bytes;
    EXPECT_TRUE(bytes == expected) << threads << " threads";
  }
}

TEST(Fit, AClassWithASingleRowIsTrainedAndNoted) {
  Dataset data = clouds(31, 2, 3, 0.2, 1);
  Matrix x(32, 2);
  x << data.features.dense(), 10, 10;
  std::vector<std::string> labels;
  for (const int label : data.labels) labels.push_back(data.classes[static_cast<std::size_t>(label)]);
  labels.push_back("lonely");
  NoteCollector notes;
  const Runtime runtime(1, "cpu", &notes);
  const Model model = fit(runtime.execution(), make_dataset(x, labels), {}).classifier;
  EXPECT_TRUE(notes.noted("'lonely' has a single row"));
  EXPECT_EQ(notes.notes.size(), 1U);
  EXPECT_EQ(model.classes.at(static_cast<std::size_t>(model.predict(runtime.backend(), Matrix{{10, 10}})[0])),
            "lonely");
}

TEST(Fit, TooLittleMemoryIsRefusedBeforeAnythingIsTuned) {
  class NothingBegins : public Observer {
   public:
    void begin(std::string_view, double) override { ADD_FAILURE() << "work began"; }
  } observer;
  const Runtime runtime(1, "cpu", &observer, MemoryBudget(100'000));
  const Dataset data = bundled("iris");
  Recipe recipe;
  recipe.machine = "onelsm";
  const auto run = [&] { fit(runtime.execution(), data, recipe); };
  EXPECT_THROW(run(), MemoryError);
  expect_contains(message_of(run), "onelsm on 150 rows needs");
}

TEST(Fit, AnInterruptIsPassedOn) {
  StopAt observer(1);
  Runtime runtime(1, "cpu", &observer);
  observer.watch(runtime.interrupt());
  Recipe recipe;
  recipe.search = SearchKind::grid;
  EXPECT_THROW(fit(runtime.execution(), bundled("iris"), recipe), Interrupted);
}

TEST(Fit, AnInvalidRecipeIsRefusedFirst) {
  const Runtime runtime(1);
  Recipe recipe;
  recipe.ridge = -1;
  EXPECT_THROW(fit(runtime.execution(), bundled("iris"), recipe), ConfigError);
}

TEST(Fit, NestedAlsoEstimatesFixedParameters) {
  const Runtime runtime;
  Recipe recipe;
  recipe.sigma = 0.5;
  recipe.ridge = 0.25;
  const Fit result = fit(runtime.execution(), bundled("iris"), recipe, {.nested = true});
  ASSERT_TRUE(result.tuning && result.tuning->nested);
  EXPECT_NEAR(result.tuning->nested->error, result.tuning->cv.error, 1e-12);
}

TEST(Fit, BorrowedRowsGiveTheSameModel) {
  const Dataset own = bundled("iris");
  Dataset data = own;
  data.features = Features::borrowed(own.features.dense().data(), own.rows(), own.features.features());
  const Runtime runtime;
  for (const char* machine : {"onelsm", "msvr", "svm-ovo"}) {
    Recipe recipe;
    recipe.machine = machine;
    recipe.sigma = 1;
    const Model expected = fit(runtime.execution(), own, recipe).classifier;
    const Model found = fit(runtime.execution(), data, recipe).classifier;
    EXPECT_EQ(found.bytes(), expected.bytes()) << machine;
    EXPECT_EQ(found.scores(runtime.backend(), data.features), expected.scores(runtime.backend(), own.features))
        << machine;
  }
}

}  // namespace
}  // namespace manyone::test
