// SPDX-License-Identifier: Apache-2.0
#include "manyone/selection/fit.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "manyone/base/errors.hpp"
#include "manyone/base/names.hpp"
#include "manyone/model/majority.hpp"
#include "manyone/model/model_checks.hpp"
#include "manyone/selection/reduced_rows.hpp"

namespace manyone {

namespace {

// Ridges that a pass over all rows chooses from, around the one that a sample chose.
constexpr int kPassRidges = 11;
constexpr double kPassStep = 1.5;

constexpr std::size_t kNamedClasses = 5;

/// A class with one row cannot be left out and learned at the same time.
void note_single_rows(const Execution& execution, const RowSource& table) {
  const auto count = table.class_counts();
  std::vector<std::string> single;
  for (std::size_t c = 0; c < count.size(); ++c) {
    if (count[c] == 1) single.push_back(fmt::format("'{}'", table.classes()[c]));
  }
  if (single.empty()) return;
  const std::string names = shortened(single, kNamedClasses);
  execution.observer.note(
      single.size() == 1
          ? fmt::format("class {} has a single row: it is trained, but its own error cannot be estimated", names)
          : fmt::format("{} classes have a single row: they are trained, but their own errors cannot be estimated: {}",
                        single.size(), names));
}

/// What was found of the error, beside that of a guess.
CvSummary with_majority(CvSummary cv, const std::vector<Index>& class_counts) {
  cv.majority_error = majority_error(class_counts);
  return cv;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// After a search: throws if that was interrupted and is to stop, else says that it was cut.
void after_search(const Execution& execution, const Tuning& tuning, WhenInterrupted when_interrupted) {
  if (!tuning.interrupted) return;
  if (when_interrupted == WhenInterrupted::stop) throw Interrupted();
  execution.observer.note(
      "the search was cut: the model is trained with the best parameters so far (Ctrl-C again ends at once, without)");
}

/// A ridge, and what the rows of a sample get from what was learned with it from the rows of the table in other folds.
struct AllRowsChoice {
  double ridge = 1;
  double error = 0;
  double temperature = 1;
  Matrix scores;  // held-out
};

/// Chooses among ridges as searches choose among cells; the loss is the log loss of calibrated probabilities.
AllRowsChoice choose_ridge(const Execution& execution, const Recipe& recipe, const PreparedTable& table,
                           const PassedRows& passed, const PassFolds& pass, std::span<const double> ridges) {
  Folds folds{pass.count(), {}};
  for (const Index row : table.rows) folds.fold_of_row.push_back(pass.of(row));
  const Matrix values = passed.columns.of(execution.backend, table.features);
  const auto scores = scores_without_fold(execution, recipe, table,
                                          {passed.columns, passed.shift, passed.folds, folds, values}, ridges);
  std::vector<Cell> cells;
  for (std::size_t k = 0; k < ridges.size(); ++k) {
    if (scores[k].size() == 0) continue;
    const double temperature = calibrate_temperature(scores[k], table.labels);
    cells.push_back({.at = {1, ridges[k]},
                     .error = fold_mean_error(argmax_classes(scores[k]), table.labels, folds),
                     .loss = log_loss(scores[k], table.labels, temperature),
                     .solved = true});
  }
  if (cells.empty()) throw_ridge_too_small(ridges.front());
  const Cell& chosen = chosen_cell(cells, std::ssize(table.labels));
  const auto place = static_cast<std::size_t>(std::ranges::find(ridges, chosen.at.ridge) - ridges.begin());
  return {chosen.at.ridge, chosen.error, calibrate_temperature(scores[place], table.labels), scores[place]};
}

}  // namespace

Fit fit(const Execution& search, const RowSource& source, const Recipe& recipe, bool nested, const std::string& journal,
        WhenInterrupted when_interrupted) {
  recipe.validate();
  note_single_rows(search, source);
  const PreparedTable table = prepare(search, source, recipe);
  Fit out;
  CellParameters at{recipe.sigma.value_or(1), recipe.ridge.value_or(1)};
  if (recipe.tuned() || nested) {
    out.tuning = tune(search, table, recipe, nested, journal);
    after_search(search, *out.tuning, when_interrupted);
    at = out.tuning->best;
  }
  const Interrupt unheard;
  const bool cut = out.tuning && out.tuning->interrupted;
  const Execution execution{search.backend, search.memory, search.observer, cut ? unheard : search.interrupt};
  const auto start = std::chrono::steady_clock::now();
  // A sample, or few centres, do not say all.
  const bool partial =
      !table.whole() || (out.tuning && centres_of(recipe, source.rows()).value_or(0) > kTuneCentres &&
                         recipe.search == SearchKind::automatic && recipe.reduction.kind != ReduceKind::pca);
  const PassFolds folds(recipe, partial);
  const PassedRows passed = pass_rows(execution, recipe, table, at.sigma, folds);
  double temperature = out.tuning ? out.tuning->temperature : 1;
  if (partial) {
    const auto path = recipe.ridge ? std::vector{*recipe.ridge} : ridge_path({}, at.ridge, kPassStep, kPassRidges);
    const AllRowsChoice choice = choose_ridge(execution, recipe, table, passed, folds, path);
    at.ridge = choice.ridge;
    temperature = choice.temperature;
    if (out.tuning) {
      out.tuning->best = at;
      out.tuning->held_out = {table.rows, table.labels, choice.scores};
      const Index n = source.rows();
      const auto judged = static_cast<Index>(table.rows.size());
      out.tuning->cv = {.folds = folds.count(),
                        .error = choice.error,
                        .rows = judged,
                        .train_rows = n - n / folds.count(),
                        .kind = table.whole() ? EstimateKind::cross_validation : EstimateKind::held_out};
    }
  } else if (!out.tuning || out.tuning->held_out.rows.empty()) {
    const FoldPlan plan =
        recipe.folds.quick(static_cast<int>(std::min<Index>(10, std::ssize(table.labels)))).of_rows(table.rows);
    const ReducedRows rows(execution, recipe, table);
    const auto scorer = rows.scorer({make_folds(plan, table.labels, recipe.seed, 0)});
    temperature = calibrate_temperature(scorer->heldout_at(at).first(), table.labels);
  }
  out.classifier = train_reduced(execution, recipe, table, passed, at.ridge);
  out.solve_seconds = seconds_since(start);
  out.classifier.temperature = temperature;
  if (out.tuning) out.classifier.cv = with_majority(out.tuning->cv, source.class_counts());
  require_usable(out.classifier);
  return out;
}

Fit fit(const Execution& search, const Dataset& data, const Recipe& recipe, bool nested, const std::string& journal,
        SharedWork* shared, WhenInterrupted when_interrupted) {
  recipe.validate();
  if (recipe.reduced()) return fit(search, DatasetRows(data), recipe, nested, journal, when_interrupted);
  // What training will need, before minutes of tuning.
  const LabelledRows labelled{data.labels, data.class_count(), {}};
  const auto machine = machine_of(recipe, data.labels, data.class_count());
  search.memory.require(machine->fit_bytes(labelled), fmt::format("{} on {} rows", recipe.machine, data.rows()),
                        "use --machine msvr (or --centers), fewer rows, or raise the limit with --memory");
  note_single_rows(search, DatasetRows(data));
  Fit out;
  CellParameters at{recipe.sigma.value_or(1), recipe.ridge.value_or(1)};
  if (recipe.tuned() || nested) {
    out.tuning = tune(search, data, recipe, nested, journal, shared);
    after_search(search, *out.tuning, when_interrupted);
    at = out.tuning->best;
  } else {
    note_indefinite(search, data, recipe);
  }
  const Interrupt unheard;
  const bool cut = out.tuning && out.tuning->interrupted;
  const Execution execution{search.backend, search.memory, search.observer, cut ? unheard : search.interrupt};
  const auto start = std::chrono::steady_clock::now();
  out.classifier = train(execution, data, recipe, at.sigma, at.ridge,
                         out.tuning ? std::exchange(out.tuning->trained, std::nullopt) : std::optional<Coefficients>());
  out.solve_seconds = seconds_since(start);
  const bool calibrated = out.tuning && !out.tuning->held_out.rows.empty();
  out.classifier.temperature = calibrated ? out.tuning->temperature : calibrate(execution, data, recipe, at);
  if (out.tuning) out.classifier.cv = with_majority(out.tuning->cv, DatasetRows(data).class_counts());
  require_usable(out.classifier);
  return out;
}

}  // namespace manyone
