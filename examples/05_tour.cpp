// SPDX-License-Identifier: Apache-2.0
//
// The program behind docs/cpp.md, whose pieces are taken from here word for word:
//     05_tour data/wine.csv wine.safetensors
#include <cstdio>
#include <thread>

#include <manyone/manyone.hpp>

static void train_and_save(const std::string& table, const std::string& file) {
  manyone::Runtime runtime;  // all cores of this process
  manyone::Dataset data = manyone::read_dataset(table, {});
  manyone::Fit result = manyone::fit(runtime.execution(), data, manyone::Recipe{});

  const manyone::Classifier& model = result.classifier;
  std::printf("%s: sigma %.3g, ridge %.3g, error %.1f %% in %d-fold cross-validation\n", model.machine.c_str(),
              model.expansion.kernel.sigma, model.ridge, 100 * model.cv->error, model.cv->folds);
  model.save(file);
}

static void predict(const std::string& file, const manyone::Matrix& rows) {
  const manyone::Runtime runtime(1);  // one thread
  const manyone::Classifier model = manyone::Classifier::load(file);
  const std::vector<int> classes = model.predict(runtime.backend(), rows);
  const manyone::Matrix probabilities = model.probabilities(runtime.backend(), rows);
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const int c = classes[i];
    std::printf("class %s, probability %.2f\n", model.classes[c].c_str(), probabilities(i, c));
  }
}

static manyone::Recipe own_choices() {
  manyone::Recipe recipe;
  recipe.machine = "svm-ovo";  // any name that `manyone machines` lists
  recipe.kernel = &manyone::kLaplacian;
  recipe.ridge = 0.1;  // given, so not tuned; sigma is not given, so it is
  recipe.weights = manyone::WeightKind::balanced;
  recipe.folds.count = 5;
  recipe.repeats = 2;
  recipe.search = manyone::SearchKind::grid;
  recipe.sigma_range = {-3, 3, 1};  // 2^-3 ... 2^3
  recipe.validate();                // throws manyone::ConfigError if choices do not go together
  return recipe;
}

static void tune_only(const manyone::Dataset& data) {
  const manyone::Runtime runtime;
  const manyone::Tuning tuning = manyone::tune(runtime.execution(), data, own_choices());
  for (const manyone::Cell& cell : tuning.surface) {
    std::printf("sigma %-6g error %.1f %%\n", cell.at.sigma, 100 * cell.error);
  }
  std::printf("best: sigma %g\n", tuning.best.sigma);
}

/// Progress goes where the program wants it; the library itself never prints.
class Progress : public manyone::Observer {
 public:
  void note(const manyone::Words& message) override { std::printf("note: %s\n", message.text().c_str()); }
};

static void stop_from_another_thread(const manyone::Dataset& data) {
  Progress progress;
  manyone::Runtime runtime(0, "cpu", &progress);
  std::jthread impatient([&runtime] { runtime.interrupt().request(); });
  impatient.join();
  try {
    manyone::fit(runtime.execution(), data, manyone::Recipe{});
  } catch (const manyone::Interrupted&) {
    std::printf("stopped\n");
  }
}

static void numbers_in_memory() {
  const manyone::Matrix x{{0, 0}, {0, 1}, {1, 0}, {5, 5}, {5, 6}, {6, 5}};
  const manyone::Dataset data = manyone::make_dataset(x, {"near", "near", "near", "far", "far", "far"});
  const manyone::Runtime runtime;
  const manyone::Classifier model = manyone::train(runtime.execution(), data, manyone::Recipe{}, 1.0, 0.1);
  std::printf("%s\n", model.classes[model.predict(runtime.backend(), manyone::Matrix{{4.5, 5.5}})[0]].c_str());
}

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: 05_tour TABLE MODEL\n");
    return 2;
  }
  try {
    train_and_save(argv[1], argv[2]);
    const manyone::Dataset data = manyone::read_dataset(argv[1], {});
    predict(argv[2], data.features.dense_rows(0, 2));
    tune_only(data);
    stop_from_another_thread(data);
    numbers_in_memory();
  } catch (const manyone::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());  // what was expected, what was found, where, what to do
    return static_cast<int>(error.exit_code());
  }
}
