// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands.hpp"
#include "cli/prediction.hpp"
#include "cli/result_output.hpp"
#include "data/records/cell.hpp"
#include "decoder/decoder.hpp"
#include "manyone/errors.hpp"
#include "result/figures.hpp"
#include "result/text_table.hpp"

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
    const Model classifier = input.classifier();
    const ClassIndex classes(classifier.classes);
    MetricsCollector collector(static_cast<int>(classifier.classes.size()));
    CalibrationCollector calibration;
    Index dropped = 0;
    std::map<std::string, long> unknown;  // rows of each class that the model does not know
    BlockOptions options;
    options.require_target = true;
    const auto judge = [&](const Block& block, const Matrix& scores, const std::vector<int>& all_predicted) {
      std::vector<int> labels;
      std::vector<int> predicted;
      std::vector<Index> judged;
      for (std::size_t i = 0; i < block.labels.size(); ++i) {
        const auto known = classes.find(block.labels[i]);
        if (!known) {
          ++unknown[block.labels[i]];
        } else if (all_predicted[i] < 0) {
          collector.add_unanswered(*known);
        } else {
          labels.push_back(*known);
          predicted.push_back(all_predicted[i]);
          judged.push_back(static_cast<Index>(i));
        }
      }
      dropped += std::ssize(block.dropped);
      const Matrix probabilities = softmax(scores, classifier.temperature);
      collector.add(labels, predicted);
      calibration.add(labels, predicted, probabilities(judged, Eigen::all));
    };
    const Index without_class = input.for_each_block(program, classifier, options, judge);
    long unknown_rows = 0;
    for (const auto& [name, rows] : unknown) unknown_rows += rows;
    collector.add_unknown(unknown_rows, static_cast<int>(unknown.size()));
    if (unknown_rows > 0) {
      program.observer().note(
          fmt::format("{} {} of {} that the model does not know ({}{}) and {} as wrong; it knows {}", unknown_rows,
                      unknown_rows == 1 ? "row is" : "rows are", unknown.size() == 1 ? "a class" : "classes",
                      shown(unknown.begin()->first), unknown.size() == 1 ? "" : " and others",
                      unknown_rows == 1 ? "counts" : "count", fmt::join(classifier.classes, ", ")));
    }
    if (dropped > 0)
      program.observer().note(fmt::format("{} missing values and {} left out",
                                          dropped == 1 ? "1 row has" : fmt::format("{} rows have", dropped),
                                          dropped == 1 ? "was" : "were"));
    const Metrics metrics = collector.result();
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
      program.say(fmt::format("{} of {} rows have no finite scores, get no class and count as wrong", without_class,
                              metrics.rows));
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
