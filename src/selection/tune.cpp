// SPDX-License-Identifier: Apache-2.0
#include "selection/tune.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "base/fingerprint.hpp"
#include "base/names.hpp"
#include "manyone/errors.hpp"
#include "model/majority.hpp"
#include "selection/problem.hpp"
#include "selection/searcher.hpp"

namespace manyone {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Classes that a note names at most.
constexpr std::size_t kSmallClassesNamed = 8;

/// The recipe's partitions of rows with these labels, which are the `rows` of the table.
std::vector<Folds> partitions(const Recipe& recipe, const FoldPlan& plan, std::span<const int> labels) {
  std::vector<Folds> out;
  out.reserve(static_cast<std::size_t>(recipe.repeats));
  for (int repeat = 0; repeat < recipe.repeats; ++repeat) out.push_back(make_folds(plan, labels, recipe.seed, repeat));
  return out;
}

/// A class with fewer rows than folds is in some folds only.
void note_small_classes(const Execution& execution, const RowSource& table, int folds) {
  const std::vector<Index> count = table.class_counts();
  std::vector<std::string> small;
  for (std::size_t c = 0; c < count.size(); ++c) {
    if (count[c] > 1 && count[c] < folds) small.push_back(fmt::format("'{}' ({})", table.classes()[c], count[c]));
  }
  if (small.empty()) return;
  execution.observer.note(
      fmt::format("fewer rows than the {} folds in class {}: the error of such classes is uncertain", folds,
                  shortened(small, kSmallClassesNamed)));
}

/// Searches give programs a limit of steps, so that a bad cell does not take longer than all others.
void note_unfinished(const Execution& execution, const Cell& best) {
  if (best.unfinished == 0) return;
  execution.observer.note(
      fmt::format("at the chosen parameters {} quadratic programs of the cross-validation were stopped at their limit "
                  "of steps: the error is that of machines that were not quite trained (smaller costs are faster)",
                  best.unfinished));
}

/// The search on some rows of a table, with its error, surface and calibration.
Tuning search(const Execution& execution, const Plan& plan, const SearchedRows& searched, Journal* journal) {
  const Recipe& recipe = searched.recipe;
  TuningRows& tuned = searched.rows;
  const std::vector<Index>& rows = searched.numbers;
  const RowSource& table = plan.table;
  Tuning tuning;
  const auto start = Clock::now();
  Recipe of_rows = recipe;
  if (tuned.rows() < table.rows()) of_rows.folds = recipe.folds.of_rows(rows);
  const auto folds = partitions(recipe, of_rows.folds, tuned.labels());
  if (!recipe.folds.leave_one_out()) note_small_classes(execution, table, folds.front().count);
  CellScorer scorer(execution, tuned, folds);
  Searcher search(execution, of_rows, tuned, execution.observer, journal, "cells");
  search.run(scorer);
  tuning.interrupted = execution.interrupt.requested();
  tuning.surface = std::move(search.surface);
  tuning.rounds = std::move(search.rounds);
  const Index n = table.rows();
  const auto chosen = [&](const Cell& best) {
    return CellParameters{best.at.sigma, plan.recipe.ridge.value_or(tuned.carried(best.at.ridge, tuned.rows(), n))};
  };
  if (tuning.surface.empty() && tuning.interrupted) {  // what was seen on a subset is better than nothing
    if (tuning.rounds.empty()) throw Interrupted();
    const HalvingRound& last = tuning.rounds.back();
    const Cell& best = chosen_cell(last.cells, last.rows);
    tuning.best = chosen(best);
    tuning.cv = {
        .folds = 0, .error = best.error, .rows = last.rows, .train_rows = last.rows - 1, .kind = EstimateKind::subset};
    tuning.select_seconds = seconds_since(start);
    return tuning;
  }
  if (tuning.surface.empty()) {
    throw ConfigError("grid", "no cell of the search could be solved: the kernel matrix is not positive definite",
                      "search larger ridges");
  }
  tuning.surface_rows = tuned.rows();
  const Cell& best = chosen_cell(tuning.surface, tuned.rows());
  note_unfinished(execution, best);
  tuning.best = chosen(best);
  tuning.cv = {.folds = recipe.folds.leave_one_out() ? 0 : folds.front().count,
               .repeats = recipe.repeats,
               .error = best.error,
               .std = best.std,
               .rows = tuned.rows(),
               .train_rows = tuned.rows() - std::max<Index>(1, tuned.rows() / folds.front().distinct()),
               .kind = tuned.rows() == n ? EstimateKind::cross_validation : EstimateKind::subset};
  if (!tuning.interrupted) {
    HeldOut at_best = scorer.heldout_at(best.at);
    if (tuned.rows() == n) tuning.solution = std::move(at_best.solution);
    tuning.held_out = {rows, {tuned.labels().begin(), tuned.labels().end()}, std::move(at_best.of_partition.front())};
    tuning.temperature = calibrate_temperature(tuning.held_out.scores, tuned.labels());
  }
  if (plan.wishes.nested && !tuning.interrupted) {
    int outer = 0;
    const auto choose = [&](TuningRows& part, const std::vector<Index>& part_rows) {
      std::vector<Index> table_rows;
      table_rows.reserve(part_rows.size());
      for (const Index row : part_rows) table_rows.push_back(rows[static_cast<std::size_t>(row)]);
      Observer silent;
      Recipe of_part = recipe;
      of_part.folds = recipe.folds.of_rows(table_rows);
      Searcher inner(execution, of_part, part, silent, journal, fmt::format("outer fold {}", ++outer));
      CellScorer inner_scorer(execution, part, partitions(recipe, recipe.folds.of_rows(table_rows), part.labels()));
      inner.run(inner_scorer);
      execution.interrupt.check();
      if (inner.surface.empty())
        throw ConfigError("grid", "no cell of a nested search could be solved", "search larger ridges");
      return chosen_cell(inner.surface, part.rows()).at;
    };
    try {
      tuning.nested = nested_estimate(execution, tuned, folds.front(), choose);
    } catch (const Interrupted&) {
      tuning.interrupted = true;
    }
  }
  return tuning;
}

}  // namespace

std::uint64_t data_fingerprint(Index rows, const Features& features, std::span<const int> labels) {
  Fingerprint out;
  out.add(rows).add(features.features()).add(labels);
  for (Index i = 0; i < features.rows(); ++i) {
    const Matrix row = features.dense_rows(i, 1);
    out.add(std::span<const double>(row.data(), static_cast<std::size_t>(row.size())));
  }
  return out.value();
}

JournalHeader journal_header(const Execution& execution, const Recipe& recipe, Index rows, const Features& features,
                             std::span<const int> labels) {
  Fingerprint of_recipe;
  of_recipe.add(recipe.machine).add(recipe.book()).add(recipe.label_kernel.said);
  of_recipe.add(recipe.decode != nullptr ? recipe.decode->name : "").add(recipe.code_length.value_or(0));
  const Kernel kernel = recipe.kernel_at(1);
  of_recipe.add(kernel.name()).add(kernel.degree).add(kernel.offset).add(static_cast<int>(recipe.bias));
  of_recipe.add(name_of(scaling_for(recipe, features.sparse()))).add(static_cast<int>(recipe.scale_per_fold));
  of_recipe.add(name_of(recipe.weights)).add(std::span<const double>(recipe.row_weights));
  of_recipe.add(recipe.folds.count).add(static_cast<int>(recipe.folds.stratified));
  of_recipe.add(std::span<const int>(recipe.folds.given)).add(recipe.repeats).add(recipe.seed);
  if (!recipe.folds.groups.empty()) of_recipe.add(std::span<const int>(recipe.folds.groups));
  of_recipe.add(name_of(recipe.search)).add(execution.backend.name());
  of_recipe.add(recipe.solver.accuracy.value_or(0)).add(static_cast<int>(recipe.solver.learning));
  if (recipe.reduced()) {
    const Reduction& reduction = recipe.reduction;
    of_recipe.add(reduction.centres.said)
        .add(reduction.kind ? name_of(*reduction.kind) : "")
        .add(recipe.priors.said)
        .add(recipe.decode_cost.value_or(1));
    of_recipe.add(reduction.penalty ? name_of(*reduction.penalty) : "");
    of_recipe.add(reduction.centres_from_all ? "centres from all" : "centres from training rows");
  }
  for (const Matrix& given : {recipe.codewords, recipe.label_kernel.gram, Matrix(recipe.priors.numbers)}) {
    if (given.size() == 0) continue;  // so that journals of books by name stay what they are
    of_recipe.add(std::span<const double>(given.data(), static_cast<std::size_t>(given.size())));
  }
  return {data_fingerprint(rows, features, labels), of_recipe.value()};
}

std::unique_ptr<Problem> problem_of(const Execution& execution, const Plan& plan) {
  return plan.recipe.reduced() ? reduced_problem(execution, plan) : kernel_problem(execution, plan);
}

Tuning tune(const Execution& execution, const Plan& plan, Problem& problem) {
  std::unique_ptr<Journal> journal;
  if (!plan.wishes.journal.empty()) journal = Journal::open(plan.wishes.journal, problem.journal_header());
  const auto start = Clock::now();
  const SearchedRows searched = problem.searched_rows();
  const double kernel_seconds = seconds_since(start);
  Tuning tuning = search(execution, plan, searched, journal.get());
  problem.choose_on_all_rows(tuning, journal.get());
  tuning.kernel_seconds = kernel_seconds;
  tuning.select_seconds = seconds_since(start) - kernel_seconds;
  tuning.cv.majority_error = majority_error(plan.table.class_counts());
  return tuning;
}

Tuning tune(const Execution& execution, const Plan& plan) {
  return tune(execution, plan, *problem_of(execution, plan));
}

Tuning tune(const Execution& execution, const Dataset& data, const Recipe& recipe, PlanWishes wishes) {
  const DatasetRows table(data);
  return tune(execution, resolve(execution, recipe, table, std::move(wishes)));
}

}  // namespace manyone
