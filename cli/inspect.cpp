// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <fmt/format.h>

#include "base/names.hpp"
#include "base/numbers.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/summary.hpp"
#include "model/model.hpp"
#include "result/text_table.hpp"

namespace manyone::cli {

namespace {

constexpr std::size_t kShownNames = 12;

std::string model_text(const Model& model, const std::string& path) {
  const Expansion& e = model.expansion;
  std::string out = fmt::format("{} ({})\n", path, format_bytes(std::filesystem::file_size(path)));
  const auto line = [&](std::string_view name, const std::string& value) {
    out += fmt::format("{:<12}{}\n", name, value);
  };
  line("machine", fmt::format("{}{}, {} labelbook, {} weights", model.machine, model.bias ? " with bias" : "",
                              model.labelbook, model.weights));
  line("decoder", std::string(model.decoder.entry->name) +
                      (model.label_kernel == "linear" ? "" : fmt::format(", label kernel {}", model.label_kernel)));
  line("parameters", parameter_line(model.machine, e.kernel, model.ridge) +
                         (model.search == "fixed" ? " (given)" : fmt::format(" (tuned, {} search)", model.search)));
  line("scaling", std::string(name_of(model.scaling.kind)));
  line("trained on", fmt::format("{} rows, {} features", model.trained_rows, e.features()));
  line("centres",
       fmt::format("{}{}, {} outputs", e.coefficients.rows(), e.centres.sparse() ? " (sparse)" : "", e.outputs()));
  line("classes", fmt::format("{}: {}", model.classes.size(), shortened(model.classes, kShownNames)));
  line("features", shortened(model.schema.feature_names(), kShownNames));
  if (model.cv) {
    if (model.cv->kind == EstimateKind::cross_validation) {
      line("cv error", fmt::format("{} ({}, {} repeat{}, {} rows)", percent(model.cv->error),
                                   model.cv->folds == 0 ? "leave-one-out" : fmt::format("{} folds", model.cv->folds),
                                   model.cv->repeats, model.cv->repeats == 1 ? "" : "s", model.cv->rows));
    } else {
      line("estimate", estimate_text(*model.cv));
    }
    if (model.cv->majority_error) line("", majority_line(*model.cv->majority_error));
  }
  line("temperature", fmt::format("{:.4g}", model.temperature));
  return out;
}

struct InspectCommand {
  RunOptions run;
  std::string model;

  void execute() const {
    const Program program(run);
    const Model classifier = Model::load(model);
    if (run.json) program.print(model_json(classifier));
    program.say(model_text(classifier, model));
  }
};

}  // namespace

void add_inspect(Tool& app) {
  auto command = std::make_shared<InspectCommand>();
  CLI::App* sub = app.add_subcommand("inspect", "What is in a model file");
  sub->add_option("MODEL", command->model, "Model file")->type_name("FILE")->required();
  command->run.declare(*sub);
  sub->footer("Example:\n  manyone inspect iris.safetensors");
  sub->callback([command] { command->execute(); });
}

}  // namespace manyone::cli
