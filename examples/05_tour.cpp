// SPDX-License-Identifier: Apache-2.0
//
// The program behind docs/cpp.md, whose pieces are taken from here word for word:
//     05_tour data/wine.csv wine.safetensors
#include <cstdio>
#include <thread>

#include <manyone/manyone.hpp>

static void train_and_save(const std::string& file, const std::string& model) {
  manyone::Table table = manyone::Table::read(file);
  manyone::FitResult result = manyone::fit(table);

  const manyone::Classifier& classifier = result.classifier;
  std::printf("%s: sigma %.3g, ridge %.3g, error %.1f %% in %d-fold cross-validation\n", classifier.machine().c_str(),
              *classifier.sigma(), classifier.ridge(), 100 * classifier.error()->error, classifier.error()->folds);
  classifier.save(model);
}

static void predict(const std::string& model, const double* numbers, std::int64_t n) {
  const manyone::Classifier classifier = manyone::Classifier::load(model);
  const manyone::MatrixView rows(numbers, n, classifier.features());
  const std::vector<int> classes = classifier.predict(rows);
  const manyone::Matrix probabilities = classifier.probabilities(rows);
  for (std::int64_t i = 0; i < n; ++i) {
    const int c = classes[i];
    std::printf("class %s, probability %.2f\n", classifier.classes()[c].c_str(), probabilities(i, c));
  }
}

static manyone::Recipe own_choices() {
  manyone::Recipe recipe;
  recipe.machine = "svm-ovo";  // any name that `manyone machines` lists
  recipe.kernel = "laplacian";
  recipe.ridge = 0.1;  // given, so not tuned; sigma is not given, so it is
  recipe.weights = "balanced";
  recipe.folds = 5;
  recipe.repeats = 2;
  recipe.search = "grid";
  recipe.sigma_range = {-3, 3, 1};  // 2^-3 ... 2^3
  recipe.validate();                // throws manyone::ConfigError if choices do not go together
  return recipe;
}

static void tune_only(const manyone::Table& table) {
  const manyone::Search search = manyone::tune(table, own_choices()).search;
  for (const manyone::Cell& cell : search.tried) {
    std::printf("sigma %-6g error %.1f %%\n", cell.sigma, 100 * cell.error);
  }
  std::printf("best: sigma %g\n", search.sigma);
}

/// Progress goes where the program wants it; the library itself never prints.
class Progress : public manyone::Observer {
 public:
  void note(const manyone::Words& message) override { std::printf("note: %s\n", message.text().c_str()); }
};

static void stop_from_another_thread(const manyone::Table& table) {
  Progress progress;
  std::stop_source source;
  const manyone::Run run{.threads = 2, .observer = &progress, .stop = source.get_token()};
  std::jthread impatient([&source] { source.request_stop(); });
  impatient.join();
  try {
    manyone::fit(table, {}, run);
  } catch (const manyone::Interrupted&) {
    std::printf("stopped\n");
  }
}

static void numbers_in_memory() {
  const manyone::Matrix x{{0, 0}, {0, 1}, {1, 0}, {5, 5}, {5, 6}, {6, 5}};
  const manyone::Table table = manyone::Table::of(x, {"near", "near", "near", "far", "far", "far"});
  const manyone::Classifier classifier = manyone::fit(table, {.sigma = 1.0, .ridge = 0.1}).classifier;
  std::printf("%s\n", classifier.classes()[classifier.predict(manyone::Matrix{{4.5, 5.5}})[0]].c_str());
}

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: 05_tour TABLE MODEL\n");
    return 2;
  }
  try {
    train_and_save(argv[1], argv[2]);
    const manyone::Table table = manyone::Table::read(argv[1]);
    predict(argv[2], table.numbers(0, 2).data(), 2);
    tune_only(table);
    stop_from_another_thread(table);
    numbers_in_memory();
  } catch (const manyone::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());  // what was expected, what was found, where, what to do
    return static_cast<int>(error.exit_code());
  }
}
