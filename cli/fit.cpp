// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "cli/commands.hpp"
#include "cli/named_files.hpp"
#include "cli/result_output.hpp"
#include "cli/summary.hpp"
#include "cli/training_table.hpp"
#include "manyone/errors.hpp"
#include "model/majority.hpp"
#include "result/figures.hpp"
#include "result/text_table.hpp"
#include "selection/fit.hpp"

namespace manyone::cli {

namespace {

struct FitCommand {
  RunOptions run;
  TableOptions table;
  RecipeOptions recipe;
  ResultOutput output;
  std::string model;

  Json document(const Program& program, const TrainingTable& training, const Recipe& choices, const Fit& result,
                const Timing& timing) const {
    if (!run.json && output.report.empty()) return {};
    Json out = fit_json(training.rows(), choices, result, model, timing);
    out["data"] = training.json();
    if (!result.tuning) return out;
    const std::vector<std::string>& classes = training.rows().classes();
    out["held_out"] = held_out_json(result.tuning->held_out, result.classifier.temperature, classes);
    if (!output.wants_figures() || out["held_out"].is_null()) return out;
    Json figures;
    figures["projection"] = projection_json(result.tuning->held_out, static_cast<Index>(classes.size()));
    if (training.whole() != nullptr) {
      figures["regions"] = regions_json(program.backend(), result.classifier, *training.whole());
    }
    out["held_out"]["figures"] = std::move(figures);
    return out;
  }

  void execute() const {
    const Stopwatch total;
    Program program(run);
    output.check(run);
    if (run.json && is_standard_output(model))
      throw ConfigError("--json writes to standard output; give -o a file for the model");
    const Execution execution = program.execution();
    const TrainingTable training(table, recipe, execution);
    const RowSource& rows = training.rows();
    Timing timing{total.seconds(), 0};
    const Plan plan = recipe.plan(execution, rows);
    if (!plan.searches()) recipe.refuse_what_searches_have(execution.observer);
    program.listen_to_signals();
    program.say(table_line(rows));
    note_dropped(program, rows);
    const Fit result = fit(execution, plan, WhenInterrupted::keep_best);
    result.classifier.save(model);
    timing.total = total.seconds();
    if (output.wanted(run)) output.write(program, run, document(program, training, plan.recipe, result, timing));
    const Model& c = result.classifier;
    program.say(parameter_line(c.machine, c.expansion.kernel, c.ridge));
    if (result.tuning) {
      program.say(error_line(*result.tuning));
      program.say(majority_line(majority_error(rows.class_counts())));
    } else {
      program.say(
          "all parameters were given: nothing was tuned, so the error is not known (manyone tune estimates it)");
    }
    std::error_code error;  // a pipe has no size
    const auto bytes = std::filesystem::file_size(model, error);
    program.say(fmt::format("model written to {}{}, {} in all", model,
                            error ? "" : fmt::format(" ({})", format_bytes(bytes)), format_seconds(timing.total)));
    if (result.tuning && result.tuning->interrupted) {
      std::fflush(stdout);
      throw Interrupted();
    }
  }
};

}  // namespace

void add_fit(Tool& app) {
  auto command = std::make_shared<FitCommand>();
  CLI::App* sub = app.add_subcommand("fit", "Tune (what is not given) and train a model");
  command->table.declare(*sub);
  writes_file(sub->add_option("-o,--output", command->model, "Model file to write")->type_name("FILE")->required());
  command->output.declare(*sub, app, true);
  command->recipe.declare(*sub);
  command->run.declare(*sub);
  sub->footer(
      "Example:\n  manyone fit data/iris.csv -o iris.safetensors\n  manyone fit train.csv --sigma 0.5 --ridge 0.01 -o "
      "m.safetensors");
  sub->callback([command] { command->execute(); });
}

}  // namespace manyone::cli
