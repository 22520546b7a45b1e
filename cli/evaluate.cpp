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
    program.listen_to_signals();
    const Classifier classifier = input.classifier();
    std::map<std::string_view, int> index;
    for (std::size_t c = 0; c < classifier.classes.size(); ++c) index[classifier.classes[c]] = static_cast<int>(c);
    MetricsCollector collector(static_cast<int>(classifier.classes.size()));
    CalibrationCollector calibration;
    Index dropped = 0;
    BlockOptions options;
    options.require_target = true;
    options.drop_missing = true;
    const auto judge = [&](const Block& block, const Matrix& scores, std::vector<int> predicted) {
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
      dropped += block.dropped;
      Matrix probabilities = softmax(scores, classifier.temperature);
      std::size_t kept = 0;  // rows without a class leave
      for (std::size_t i = 0; i < predicted.size(); ++i) {
        if (predicted[i] < 0) continue;
        labels[kept] = labels[i];
        predicted[kept] = predicted[i];
        probabilities.row(static_cast<Index>(kept)) = probabilities.row(static_cast<Index>(i));
        ++kept;
      }
      labels.resize(kept);
      predicted.resize(kept);
      probabilities.conservativeResize(static_cast<Index>(kept), Eigen::NoChange);
      collector.add(labels, predicted);
      calibration.add(labels, predicted, probabilities);
    };
    const Index without_class = input.for_each_block(program, classifier, options, judge);
    if (dropped > 0) program.observer().note(fmt::format("{} rows have missing values and were left out", dropped));
    const Metrics metrics = collector.result();
    if (metrics.rows == 0 && without_class > 0)
      throw InputError(Place{input.path}, "no row has finite scores, so there is no error to state; check its values");
    Json document = judged_json(metrics, calibration.result(), classifier.classes);
    document["data"] = data_json(std::filesystem::path(input.path).filename().string(), metrics.rows,
                                 classifier.expansion.features(), 0);
    if (without_class > 0) document["without_class"] = without_class;
    const Json recipe = model_json(classifier);
    for (const char* key : {"machine", "labelbook", "label_kernel", "decode", "kernel", "ridge", "cost", "bias",
                            "weights", "scale", "search", "classes"}) {
      if (recipe.contains(key)) document[key] = recipe[key];
    }
    document["model"] = input.model;
    output.write(program, run, document);
    program.say(metrics_text(metrics, classifier.classes));
    if (without_class > 0) {
      program.say(fmt::format("{} of {} rows have no finite scores; the figures are about the others", without_class,
                              metrics.rows + without_class));
    }
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
