// SPDX-License-Identifier: Apache-2.0
#include "studies/chen.hpp"

#include <fmt/format.h>

#include "manyone/errors.hpp"
#include "studies/coded_regression.hpp"
#include "studies/table_run.hpp"

namespace manyone {

namespace {

double error_of(const Backend& backend, const Model& model, const Dataset& test) {
  const auto predicted = model.predict(backend, test.features);
  double wrong = 0;
  for (std::size_t i = 0; i < predicted.size(); ++i) wrong += predicted[i] != test.labels[i] ? 1 : 0;
  return wrong / static_cast<double>(predicted.size());
}

/// Mean over the folds of one partition.
double fold_error(const Execution& execution, const PublishedTable& table, const FoundSet& found,
                  const PublishedRow& row, std::uint64_t seed, int repeat) {
  FoldPlan plan;
  plan.count = kReproducedFolds;
  plan.stratified = true;
  const auto folds = make_folds(plan, found.data.labels, seed, repeat);
  double sum = 0;
  for (int f = 0; f < kReproducedFolds; ++f) {
    execution.interrupt.check();
    std::vector<Index> train;
    std::vector<Index> test;
    for (Index i = 0; i < found.data.rows(); ++i)
      (folds.fold_of_row[static_cast<std::size_t>(i)] == f ? test : train).push_back(i);
    const Dataset rows = selected(found.data, train);
    const Model model = train_at_setting(execution, rows, table, row, found.set, seed);
    sum += error_of(execution.backend, model, selected(found.data, test));
  }
  return sum / kReproducedFolds;
}

/// For the time left: sums over rows, or quadratic programs; factors are measured.
double price(const PublishedTable& table, const FoundSet& found, const PublishedRow& row) {
  const auto n = static_cast<double>(found.data.rows());
  if (row.machine != "msvr") return 3 * n * n;
  const Index centres = table.sets[found.set].centres.empty()
                            ? found.data.rows()
                            : centres_of(recipe_at_setting(table, row, found.set), found.data.rows()).value_or(1);
  const auto m = static_cast<double>(centres);
  return n * m * m / 50 + (row.decode == "ssvm" ? 2 : 1) * n * m;
}

}  // namespace

Reproduction reproduce_settings(const Execution& execution, const ReproduceChoice& choice,
                                std::span<const FoundSet> found, int repeats, std::uint64_t seed) {
  const PublishedTable& table = *choice.table;
  Reproduction out = empty_reproduction(choice, found);
  struct Job {
    const FoundSet* set;
    ReproducedCell* cell;
    int repeats;
    double price;  // of a repeat
  };
  std::vector<Job> jobs;  // set by set, so that an interrupt leaves whole sets
  double total = 0;
  for (const FoundSet& set : found) {
    for (ReproducedCell& cell : out.cells) {
      if (cell.set != set.set) continue;
      jobs.push_back(
          {&set, &cell, set.test ? 1 : repeats, (set.test ? 1 : kReproducedFolds) * price(table, set, *cell.row)});
      total += jobs.back().price * jobs.back().repeats;
    }
    out.notes.push_back(set.test ? fmt::format("{}: trained on {} rows, tested on {} others", table.sets[set.set].name,
                                               set.data.rows(), set.test->rows())
                                 : fmt::format("{}: {} stratified partition{} of {} rows into {} folds",
                                               table.sets[set.set].name, repeats, repeats == 1 ? "" : "s",
                                               set.data.rows(), kReproducedFolds));
  }
  const Task task(execution.observer, table.name, total);
  Observer silent;
  const Execution quiet{execution.backend, execution.memory, silent, execution.interrupt};
  double done = 0;
  try {
    for (const Job& job : jobs) {
      const PublishedRow& row = *job.cell->row;
      const Timer timer;
      GridMinimum errors;
      for (int repeat = 0; repeat < job.repeats; ++repeat) {
        execution.interrupt.check();
        errors.errors.push_back(job.set->test
                                    ? error_of(execution.backend,
                                               train_at_setting(quiet, job.set->data, table, row, job.set->set, seed),
                                               *job.set->test)
                                    : fold_error(quiet, table, *job.set, row, seed, repeat));
        done += job.price;
        execution.observer.update(done, fmt::format("{} on {}", row.name, table.sets[job.set->set].name));
      }
      job.cell->ours = std::move(errors);
      job.cell->seconds = timer.seconds();
    }
  } catch (const Interrupted&) {
    out.interrupted = true;
  }
  return out;
}

}  // namespace manyone
