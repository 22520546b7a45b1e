// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/numbers.hpp"
#include "cli/commands.hpp"
#include "cli/result_output.hpp"
#include "cli/summary.hpp"
#include "cli/training_table.hpp"
#include "manyone/errors.hpp"
#include "model/majority.hpp"
#include "result/text_table.hpp"
#include "selection/tune.hpp"

namespace manyone::cli {

namespace {

struct TuneCommand {
  RunOptions run;
  TableOptions table;
  RecipeOptions recipe;
  ResultOutput output;

  void execute() const {
    const Stopwatch total;
    Program program(run);
    output.check(run);
    const Execution execution = program.execution();
    const TrainingTable training(table, recipe, execution);
    const RowSource& rows = training.rows();
    Timing timing{total.seconds(), 0};
    const Plan plan = recipe.plan(execution, rows);
    const Recipe& choices = plan.recipe;
    program.listen_to_signals();
    program.say(table_line(rows));
    note_dropped(program, rows);
    const Tuning tuning = tune(execution, plan);
    timing.total = total.seconds();
    Json document = tuning_json(rows, choices, tuning, timing);
    if (output.wanted(run)) document["data"] = training.json();
    output.write(program, run, document);
    if (!tuning.surface.empty())
      program.show(surface_text(tuning.surface, chosen_cell(tuning.surface, tuning.surface_rows), choices.has_sigma(),
                                program.in_colour()));
    program.say(fmt::format("{}{}\n{}\n{}\n{} in all", tuning.interrupted ? "best so far: " : "",
                            parameter_line(choices.machine, choices.kernel_at(tuning.best.sigma), tuning.best.ridge),
                            error_line(tuning), majority_line(majority_error(rows.class_counts())),
                            format_seconds(timing.total)));
    std::fflush(stdout);
    if (tuning.interrupted) throw Interrupted();
  }
};

}  // namespace

void add_tune(Tool& app) {
  auto command = std::make_shared<TuneCommand>();
  CLI::App* sub = app.add_subcommand("tune", "Search only: the error of every cell, no model");
  command->table.declare(*sub);
  command->output.declare(*sub, app, false);
  command->recipe.declare(*sub);
  command->run.declare(*sub);
  sub->footer(
      "Example:\n  manyone tune data/iris.csv --search grid --repeats 10\n  manyone tune train.csv --grid "
      "sigma=-3:2:0.5,ridge=-10:0 --json");
  sub->callback([command] { command->execute(); });
}

}  // namespace manyone::cli
