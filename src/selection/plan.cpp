// SPDX-License-Identifier: Apache-2.0
#include "selection/plan.hpp"

#include <utility>

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "base/worded.hpp"
#include "manyone/errors.hpp"
#include "model/reduced.hpp"

namespace manyone {

namespace {

/// Something that only machines on the whole kernel matrix have is asked for.
bool needs_whole_kernel(const Recipe& recipe) {
  return !recipe.kernel->of_rows || !recipe.label_kernel.linear() || recipe.solver.kind != SolverKind::automatic ||
         recipe.solver.accuracy || recipe.bias || recipe.scale_per_fold || !recipe.labelbook.empty() ||
         recipe.decode != nullptr;
}

bool asks_for_columns(const Reduction& reduction) {
  return !reduction.centres.empty() || reduction.kind || reduction.penalty;
}

void choose_for(const Execution& execution, const RowSource& table, Recipe& recipe) {
  const MachineChoice choice = choose_machine(execution, table, recipe.seconds);
  recipe.machine = choice.machine;
  recipe.reduction.centres = choice.centres;
  if (choice.centres.empty()) return;
  execution.observer.note(
      worded("{} rows: {} with {} centres, which is fast (`machine={}` takes the whole kernel matrix of {}: "
             "slower, often better; `centers` and `time` change the number)",
             table.rows(), choice.machine, choice.centres, usual_machine().name,
             format_bytes(static_cast<std::uint64_t>(square_bytes(table.rows())))));
}

/// As many centres as the time allows.
void choose_centres_for(const Execution& execution, const RowSource& table, Recipe& recipe) {
  const bool only_columns = recipe.entry().on_kernel == nullptr;
  const bool components = recipe.reduction.kind == ReduceKind::pca;
  if (!only_columns || !recipe.reduction.centres.empty() || components) {
    throw ConfigError("time",
                      worded("`time` chooses the number of centres of {}, and {}", usual_machine_on_columns().name,
                             !only_columns ? Words(recipe.machine + " has none to choose")
                             : components  ? Words("`reduce=pca` has components instead")
                                           : Words("`centers` gives it")),
                      "leave it out");
  }
  recipe.reduction.centres = std::to_string(affordable_centres(
      execution, table.rows(), table.features(), static_cast<Index>(table.classes().size()), recipe.seconds));
}

}  // namespace

Plan resolve(const Execution& execution, Recipe recipe, const RowSource& table, PlanWishes wishes) {
  if (recipe.seconds && !(*recipe.seconds > 0))
    throw ConfigError::must_be("time", "a number of seconds above 0", format_double(*recipe.seconds), "leave it out");
  const bool open = recipe.machine == kAutomaticMachine;
  if (open) recipe.machine = (asks_for_columns(recipe.reduction) ? usual_machine_on_columns() : usual_machine()).name;
  if (open && !asks_for_columns(recipe.reduction) && !needs_whole_kernel(recipe)) {
    choose_for(execution, table, recipe);
  } else if (recipe.seconds) {
    choose_centres_for(execution, table, recipe);
  }
  recipe.validate();
  if (table.whole() == nullptr && !recipe.reduced()) {
    throw ConfigError("machine",
                      fmt::format("{} needs all rows in memory, {} is streamed", recipe.machine, table.name()),
                      "use `machine=msvr` or `centers`");
  }
  if (wishes.nested && !recipe.folds.given.empty() && Folds{0, recipe.folds.given}.distinct() < 3) {
    throw ConfigError("nested", "`nested` needs at least three given folds",
                      "give more: with two, the inner search has a single one");
  }
  return {std::move(recipe), table, std::move(wishes)};
}

}  // namespace manyone
