// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands.hpp"
#include "cli/prediction.hpp"
#include "cli/result_output.hpp"
#include "manyone/base/errors.hpp"
#include "manyone/decoder/decoder.hpp"
#include "manyone/report/figures.hpp"
#include "manyone/report/text_table.hpp"

namespace manyone::cli {

namespace {

struct EvaluateCommand {
  RunOptions run;
  PredictionInput input;
  ResultOutput output;

  void execute() const {
    Program program(run);
    output.check(run);
    if (input.path != "-") program.listen_to_signals();
    const Classifier classifier = input.classifier();
    std::map<std::string_view, int> index;
    for (std::size_t c = 0; c < classifier.classes.size(); ++c) index[classifier.classes[c]] = static_cast<int>(c);
    MetricsCollector collector(static_cast<int>(classifier.classes.size()));
    CalibrationCollector calibration;
    Index dropped = 0;
    BlockOptions options;
    options.require_target = true;
    options.drop_missing = true;
    input.for_each_block(program, classifier, options, [&](const Block& block, const Matrix& scores) {
      std::vector<int> labels;
      for (const std::string& text : block.labels) {
        const auto known = index.find(text);
        if (known == index.end()) {
          throw InputError(Place{input.path}, fmt::format("row {}: class '{}' is not one the model knows ({})",
                                                          block.first_row + static_cast<Index>(labels.size()) + 1, text,
                                                          fmt::join(classifier.classes, ", ")));
        }
        labels.push_back(known->second);
      }
      const std::vector<int> predicted = argmax_classes(scores);
      collector.add(labels, predicted);
      calibration.add(labels, predicted, softmax(scores, classifier.temperature));
      dropped += block.dropped;
    });
    if (dropped > 0) program.observer().note(fmt::format("{} rows have missing values and were left out", dropped));
    const Metrics metrics = collector.result();
    Json document = judged_json(metrics, calibration.result(), classifier.classes);
    document["data"] = data_json(std::filesystem::path(input.path).filename().string(), metrics.rows,
                                 classifier.expansion.features(), 0);
    const Json recipe = model_json(classifier);
    for (const char* key : {"machine", "labelbook", "label_kernel", "decode", "kernel", "ridge", "cost", "bias",
                            "weights", "scale", "search", "classes"}) {
      if (recipe.contains(key)) document[key] = recipe[key];
    }
    document["model"] = input.model;
    output.write(program, run, document);
    program.say(metrics_text(metrics, classifier.classes));
  }
};

}  // namespace

void add_evaluate(Tool& app) {
  auto command = std::make_shared<EvaluateCommand>();
  CLI::App* sub = app.add_subcommand("evaluate", "Error, confusion matrix and per-class figures on a labelled table");
  command->input.declare(*sub);
  command->output.declare(*sub, app, false);
  command->run.declare(*sub);
  sub->footer("Example:\n  manyone evaluate iris.safetensors data/iris.csv");
  sub->callback([command] { command->execute(); });
}

}  // namespace manyone::cli
