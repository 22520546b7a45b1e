// SPDX-License-Identifier: Apache-2.0
//
// From a table to a tuned, tested and saved model:
//     01_fit_and_predict data/digits.train.csv data/digits.test.csv digits.safetensors
#include <algorithm>
#include <cstdio>

#include <manyone/manyone.hpp>

/// Error on a labelled table, read block by block: memory does not grow with the file.
static manyone::Metrics evaluate(const manyone::Classifier& model, const manyone::Backend& backend,
                                 const std::string& path) {
  manyone::MetricsCollector collector(static_cast<int>(model.classes.size()));
  manyone::BlockReader reader(path, model.schema, {.require_target = true});
  manyone::Block block;
  while (reader.next(block)) {
    std::vector<int> labels;
    for (const std::string& label : block.labels) {
      const auto found = std::find(model.classes.begin(), model.classes.end(), label);
      if (found == model.classes.end()) throw manyone::InputError("class '" + label + "' is not one the model knows");
      labels.push_back(static_cast<int>(found - model.classes.begin()));
    }
    collector.add(labels, model.predict(backend, block.features));
  }
  return collector.result();
}

int main(int argc, char** argv) try {
  if (argc != 4) {
    std::fprintf(stderr, "usage: 01_fit_and_predict TRAIN.csv TEST.csv MODEL\n");
    return 2;
  }
  const manyone::Runtime runtime;  // all cores of this process
  const manyone::Dataset train = manyone::read_dataset(argv[1], {});

  const manyone::Recipe recipe;  // empty: Gaussian kernel, sigma and ridge chosen by cross-validation
  const manyone::Fit fit = manyone::fit(runtime.execution(), train, recipe);
  std::printf("chosen: sigma %.3g, ridge %.3g, cross-validation error %.2f %%\n", fit.classifier.expansion.kernel.sigma,
              fit.classifier.ridge, 100 * fit.classifier.cv->error);
  const manyone::Metrics metrics = evaluate(fit.classifier, runtime.backend(), argv[2]);
  std::printf("test error: %.2f %% of %ld rows\n", 100 * metrics.error, metrics.rows);

  fit.classifier.save(argv[3]);
  const manyone::Classifier model = manyone::Classifier::load(argv[3]);
  const manyone::Matrix probabilities = model.probabilities(runtime.backend(), train.features.dense_rows(0, 1));
  std::printf("the first training row:");
  for (std::size_t c = 0; c < model.classes.size(); ++c) {
    std::printf(" %s=%.3f", model.classes[c].c_str(), probabilities(0, static_cast<manyone::Index>(c)));
  }
  std::printf("\n");
} catch (const manyone::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return static_cast<int>(error.exit_code());
}
