// SPDX-License-Identifier: Apache-2.0
//
// From a table to a tuned, tested and saved model:
//     01_fit_and_predict data/digits.train.csv data/digits.test.csv digits.safetensors
#include <cstdio>

#include <manyone/manyone.hpp>

int main(int argc, char** argv) try {
  if (argc != 4) {
    std::fprintf(stderr, "usage: 01_fit_and_predict TRAIN.csv TEST.csv MODEL\n");
    return 2;
  }
  const manyone::Table train = manyone::Table::read(argv[1]);

  // An empty recipe: Gaussian kernel, sigma and ridge chosen by cross-validation.
  const manyone::Classifier found = manyone::fit(train).classifier;
  std::printf("chosen: sigma %.3g, ridge %.3g, cross-validation error %.2f %%\n", *found.sigma(), found.ridge(),
              100 * found.error()->error);
  const manyone::Evaluation test = found.evaluate(argv[2]);  // block by block: memory does not grow with the file
  std::printf("test error: %.2f %% of %ld rows\n", 100 * test.error, static_cast<long>(test.rows));

  found.save(argv[3]);
  const manyone::Classifier model = manyone::Classifier::load(argv[3]);
  const manyone::Matrix probabilities = model.probabilities(train.numbers(0, 1));
  std::printf("the first training row:");
  for (std::size_t c = 0; c < model.classes().size(); ++c) {
    std::printf(" %s=%.3f", model.classes()[c].c_str(), probabilities.row(0)[c]);
  }
  std::printf("\n");
} catch (const manyone::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return static_cast<int>(error.exit_code());
}
