// SPDX-License-Identifier: Apache-2.0
#include "manyone/fit.hpp"

#include <utility>

#include "data/rows/table_stream.hpp"
#include "door/inside.hpp"
#include "selection/fit.hpp"

namespace manyone::abi_0 {

namespace {

Search search_of(const Tuning& tuning) {
  Search out{.sigma = tuning.best.sigma,
             .ridge = tuning.best.ridge,
             .error = for_program(tuning.cv),
             .tried = {},
             .searched_rows = tuning.surface_rows,
             .nested_error = {},
             .stopped = tuning.interrupted};
  for (const manyone::Cell& cell : tuning.surface) {
    out.tried.push_back({cell.at.sigma, cell.at.ridge, cell.error, cell.std, cell.solved});
  }
  if (tuning.nested) out.nested_error = tuning.nested->error;
  return out;
}

PlanWishes wishes_of(const Wishes& wishes) { return {.nested = wishes.nested, .journal = wishes.journal}; }

/// What a program asked for of a table, in memory or not.
FitResult fit_rows(const Call& call, const RowSource& table, const Recipe& recipe, const Wishes& wishes) {
  Fit found = manyone::fit(call.execution(), table, for_library(recipe, table.rows()), wishes_of(wishes));
  FitResult out{
      Classifier(std::make_shared<const Classifier::Inside>(Classifier::Inside{std::move(found.classifier)})), {}, {}};
  if (found.tuning) out.search = search_of(*found.tuning);
  out.notes = call.notes();
  return out;
}

}  // namespace

FitResult fit(const Table& table, const Recipe& recipe, const Run& run, const Wishes& wishes) {
  return fit_rows(Call(run), DatasetRows(table.inside().data), recipe, wishes);
}

FitResult fit_streamed(const std::string& file, const ReadOptions& options, const Recipe& recipe, const Run& run,
                       const Wishes& wishes) {
  const Call call(run);
  const Execution execution = call.execution();
  const TableStream stream(file, for_library(options, run), execution.interrupt);
  for (const Words& note : stream.notes()) execution.observer.note(note);
  return fit_rows(call, StreamedRows(stream), recipe, wishes);
}

TuneResult tune(const Table& table, const Recipe& recipe, const Run& run, const Wishes& wishes) {
  Call call(run);
  const Tuning found =
      manyone::tune(call.execution(), table.inside().data, for_library(recipe, table.rows()), wishes_of(wishes));
  return {search_of(found), call.notes()};
}

}  // namespace manyone::abi_0
