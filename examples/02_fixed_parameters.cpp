// SPDX-License-Identifier: Apache-2.0
//
// Numbers that are already in memory, fixed parameters, class weights, and progress in the program's own words:
//     02_fixed_parameters
#include <cstdio>

#include <manyone/manyone.hpp>

/// Progress goes where the program wants it; the library itself never prints.
class Progress : public manyone::Observer {
 public:
  void begin(std::string_view task, double) override {
    std::printf("%.*s ...\n", static_cast<int>(task.size()), task.data());
  }
  void end() override { std::printf("... done\n"); }
  void note(const manyone::Words& message) override { std::printf("note: %s\n", message.text().c_str()); }
};

int main() try {
  // Twelve points of a plane: many in the middle, a few around, one far away.
  const double x[12][2] = {{0, 0},      {0.1, 0}, {0, 0.1}, {-0.1, 0}, {0, -0.1}, {0.1, 0.1},
                           {-0.1, 0.1}, {1, 0},   {0, 1},   {-1, 0},   {0, -1},   {5, 5}};
  const std::vector<std::string> labels = {"inside", "inside", "inside", "inside", "inside", "inside",
                                           "inside", "around", "around", "around", "around", "far"};
  const manyone::Table table = manyone::Table::of({&x[0][0], 12, 2}, labels);

  manyone::Recipe recipe;
  recipe.sigma = 0.2;  // in the scale of the features after scaling to [-1, 1]
  recipe.ridge = 0.01;
  recipe.weights = "balanced";  // every class weighs the same, however many rows it has

  Progress progress;
  const manyone::Run run{.threads = 1, .observer = &progress};
  const manyone::Classifier model = manyone::fit(table, recipe, run).classifier;

  const manyone::Matrix queries{{0.05, 0.05}, {0.9, 0.1}, {4.5, 5}};
  for (const int c : model.predict(queries)) std::printf("%s\n", model.classes()[c].c_str());

  // The same recipe under leave-one-out, with progress.
  recipe.folds = 0;
  std::printf("leave-one-out error: %.1f %%\n", 100 * manyone::tune(table, recipe, run).search.error.error);
} catch (const manyone::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return static_cast<int>(error.exit_code());
}
