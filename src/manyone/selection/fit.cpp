// SPDX-License-Identifier: Apache-2.0
#include "manyone/selection/fit.hpp"

#include <algorithm>
#include <atomic>
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
// How often the path goes on where the choice is at its end.
constexpr int kPassExtensions = 2;

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

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// What follows a search. That was interrupted: throws if it is to stop, else says that it was cut. A first interrupt
/// after the search does not cost the model either.
class Finish final : public Observer {
 public:
  Finish(const Execution& search, const std::optional<Tuning>& tuning, WhenInterrupted when_interrupted)
      : search_(search), keeps_(tuning && when_interrupted == WhenInterrupted::keep_best) {
    if (!tuning || !tuning->interrupted) return;
    if (!keeps_) throw Interrupted();
    said_ = true;
    note(
        "the search was cut: the model is trained with the best parameters so far (Ctrl-C again ends at once, "
        "without)");
  }

  Execution execution() { return {search_.backend, search_.memory, *this, keeps_ ? unheard_ : search_.interrupt}; }

  void begin(std::string_view task, double total) override { search_.observer.begin(task, total); }
  void update(double done, std::string_view state) override {
    search_.observer.update(done, state);
    if (!keeps_ || !search_.interrupt.requested() || said_.exchange(true)) return;
    note("the search is over: the model is finished with what it chose (Ctrl-C again ends at once, without)");
  }
  void end() override { search_.observer.end(); }
  void note(std::string_view message) override { search_.observer.note(message); }

 private:
  const Execution& search_;
  bool keeps_;
  std::atomic<bool> said_ = false;
  Interrupt unheard_;
};

/// A ridge, and what rows of a sample get from what was learned with it from the rows of the table in other folds.
struct AllRowsChoice {
  double ridge = 1;
  double error = 0;
  double temperature = 1;
  HeldOutRows held_out;
};

/// Held-out scores of rows of a sample, from what a pass over the table has added up.
class JudgedSample {
 public:
  JudgedSample(const Execution& execution, const Recipe& recipe, const PreparedTable& table, const PassedRows& passed,
               const PassFolds& pass)
      : execution_(execution),
        recipe_(recipe),
        table_(table),
        passed_(passed),
        folds_{static_cast<int>(passed.folds.size()), {}},
        values_(passed.columns.of(execution.backend, table.features)) {
    const auto& centre = passed.columns.centre_of_row();
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      const bool stays = passed.centres_stay && centre[i] >= 0;
      folds_.fold_of_row.push_back(stays ? pass.count() : pass.of(table.rows[i]));
      if (!stays) judged_.push_back(static_cast<Index>(i));
    }
    for (const Index i : judged_) {
      labels_.push_back(table.labels[static_cast<std::size_t>(i)]);
      folds_of_judged_.fold_of_row.push_back(folds_.fold_of_row[static_cast<std::size_t>(i)]);
    }
    folds_of_judged_.count = pass.count();
  }

  /// Chooses among ridges as searches choose among cells; the loss is the log loss of calibrated probabilities. Where
  /// the choice is at an end of the path, the path goes on there.
  AllRowsChoice choose(std::vector<double> ridges) {
    const bool open = ridges.size() > 1;
    while (true) {
      look_at(ridges);
      if (cells_.empty()) throw_ridge_too_small(ridges.front());
      const double chosen = chosen_cell(cells_, std::ssize(labels_)).at.ridge;
      const auto [least, most] = std::ranges::minmax(cells_, {}, [](const Cell& cell) { return cell.at.ridge; });
      const bool lower = chosen == least.at.ridge;
      if (!open || extended_ == kPassExtensions || (!lower && chosen != most.at.ridge)) break;
      ++extended_;
      for (std::size_t k = 0; k < ridges.size(); ++k) {
        ridges[k] = chosen * std::exp2(kPassStep * static_cast<double>(k + 1) * (lower ? -1 : 1));
      }
    }
    const Cell& chosen = chosen_cell(cells_, std::ssize(labels_));
    AllRowsChoice out{chosen.at.ridge, chosen.error, 1, {{}, labels_, {}}};
    const auto kept = std::ranges::find(scores_, chosen.at.ridge, &std::pair<double, Matrix>::first);
    out.temperature = calibrate_temperature(kept->second, labels_);
    out.held_out.scores = std::move(kept->second);
    for (const Index i : judged_) out.held_out.rows.push_back(table_.rows[static_cast<std::size_t>(i)]);
    return out;
  }

 private:
  void look_at(std::span<const double> ridges) {
    auto scores = scores_without_fold(
        execution_, recipe_, table_,
        {passed_.columns, passed_.shift, passed_.folds, folds_, values_, passed_.centres_stay}, ridges);
    for (std::size_t k = 0; k < ridges.size(); ++k) {
      if (scores[k].size() == 0) continue;
      Matrix judged = passed_.centres_stay ? Matrix(scores[k](judged_, Eigen::all)) : std::move(scores[k]);
      const double temperature = calibrate_temperature(judged, labels_);
      cells_.push_back({.at = {1, ridges[k]},
                        .error = fold_mean_error(argmax_classes(judged), labels_, folds_of_judged_),
                        .loss = log_loss(judged, labels_, temperature),
                        .solved = true});
      scores_.emplace_back(ridges[k], std::move(judged));
    }
  }

  const Execution& execution_;
  const Recipe& recipe_;
  const PreparedTable& table_;
  const PassedRows& passed_;
  Folds folds_;  // of the sample
  Matrix values_;
  std::vector<Index> judged_;  // positions in the sample
  std::vector<int> labels_;    // theirs
  Folds folds_of_judged_;
  std::vector<Cell> cells_;
  std::vector<std::pair<double, Matrix>> scores_;  // by ridge
  int extended_ = 0;
};

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
    at = out.tuning->best;
  }
  Finish finish(search, out.tuning, when_interrupted);
  const Execution execution = finish.execution();
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
    AllRowsChoice choice = JudgedSample(execution, recipe, table, passed, folds).choose(path);
    at.ridge = choice.ridge;
    temperature = choice.temperature;
    if (out.tuning) {
      out.tuning->best = at;
      const Index n = source.rows();
      const auto judged = std::ssize(choice.held_out.rows);
      out.tuning->held_out = std::move(choice.held_out);
      out.tuning->cv = {.folds = folds.count(),
                        .error = choice.error,
                        .rows = judged,
                        .train_rows = n - n / folds.count(),
                        .kind = table.whole() ? EstimateKind::cross_validation : EstimateKind::held_out,
                        .majority_error = out.tuning->cv.majority_error};
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
  if (out.tuning) out.classifier.cv = out.tuning->cv;
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
                        memory_advice(recipe));
  note_single_rows(search, DatasetRows(data));
  Fit out;
  CellParameters at{recipe.sigma.value_or(1), recipe.ridge.value_or(1)};
  if (recipe.tuned() || nested) {
    out.tuning = tune(search, data, recipe, nested, journal, shared);
    at = out.tuning->best;
  } else {
    note_indefinite(search, data, recipe);
  }
  Finish finish(search, out.tuning, when_interrupted);
  const Execution execution = finish.execution();
  const auto start = std::chrono::steady_clock::now();
  out.classifier = train(execution, data, recipe, at.sigma, at.ridge,
                         out.tuning ? std::exchange(out.tuning->trained, std::nullopt) : std::optional<Coefficients>());
  out.solve_seconds = seconds_since(start);
  const bool calibrated = out.tuning && !out.tuning->held_out.rows.empty();
  out.classifier.temperature = calibrated ? out.tuning->temperature : calibrate(execution, data, recipe, at);
  if (out.tuning) out.classifier.cv = out.tuning->cv;
  require_usable(out.classifier);
  return out;
}

}  // namespace manyone
