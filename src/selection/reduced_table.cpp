// SPDX-License-Identifier: Apache-2.0
//
// A table seen through columns of kernel values at centres: rows are only passed over, a sample of them is searched.
// What the sample, or few centres, leave open is the ridge: a pass over all rows finds it.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "decoder/probabilities.hpp"
#include "manyone/errors.hpp"
#include "selection/problem.hpp"
#include "selection/reduced_rows.hpp"
#include "selection/search.hpp"

namespace manyone {

namespace {

// Ridges that a pass over all rows chooses from, around the one that a sample chose.
constexpr int kPassRidges = 11;
constexpr double kPassStep = 1.5;
// How often the path goes on where the choice is at its end.
constexpr int kPassExtensions = 2;

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

class ReducedTable final : public Problem {
 public:
  ReducedTable(const Execution& execution, const Plan& plan)
      : execution_(execution),
        recipe_(plan.recipe),
        on_sample_(plan.recipe),
        table_(prepare(execution, plan.table, recipe_)) {}

  JournalHeader journal_header() const override {
    return manyone::journal_header(execution_, recipe_, table_.table_rows(), table_.features, table_.labels);
  }

  SearchedRows searched_rows() override {
    const Index n = table_.table_rows();
    const auto size = std::ssize(table_.rows);
    if (!table_.whole()) {
      execution_.observer.note(
          fmt::format("tuning on a stratified sample of {} of {} rows; the model is trained on all", size, n));
    }
    if (recipe_.ridge) on_sample_.ridge = *recipe_.ridge * static_cast<double>(size) / static_cast<double>(n);
    if (recipe_.tuned() && searches_with_few_centres()) {
      execution_.observer.note(fmt::format("the width is searched with {} of the {} centres; fit finds the {} with all",
                                           kTuneCentres, *centres_of(recipe_, n), recipe_.entry().parameter));
      on_sample_.reduction.centres = std::to_string(kTuneCentres);
    }
    tuned_.emplace(execution_, on_sample_, table_);
    return {on_sample_, *tuned_, table_.rows};
  }

  /// That takes the pass of the training.
  void choose_on_all_rows(Tuning&, Journal*) override { tuned_.reset(); }

  Model train(const Execution& execution, CellParameters at, std::optional<Tuning>& tuning) override {
    const bool partial = !table_.whole() || (tuning && searches_with_few_centres());
    const PassFolds folds(recipe_, partial);
    const PassedRows passed = pass_rows(execution, recipe_, table_, at.sigma, folds);
    double temperature = 1;
    if (partial) {
      const auto path = recipe_.ridge ? std::vector{*recipe_.ridge} : ridge_path({}, at.ridge, kPassStep, kPassRidges);
      AllRowsChoice choice = JudgedSample(execution, recipe_, table_, passed, folds).choose(path);
      at.ridge = choice.ridge;
      temperature = choice.temperature;
      if (tuning) judge(std::move(choice), at, folds.count(), *tuning);
    } else {
      const bool calibrated = tuning && !tuning->held_out.rows.empty();
      temperature = calibrated ? tuning->temperature : calibrated_temperature(execution, at);
    }
    Model out = train_reduced(execution, recipe_, table_, passed, at.ridge);
    out.temperature = temperature;
    return out;
  }

 private:
  bool searches_with_few_centres() const {
    return recipe_.search == SearchKind::automatic && recipe_.reduction.kind != ReduceKind::pca &&
           centres_of(recipe_, table_.table_rows()).value_or(0) > kTuneCentres;
  }

  /// What was found with all rows takes the place of what the sample said.
  void judge(AllRowsChoice choice, const CellParameters& at, int folds, Tuning& tuning) const {
    const Index n = table_.table_rows();
    const auto judged = std::ssize(choice.held_out.rows);
    tuning.best = at;
    tuning.held_out = std::move(choice.held_out);
    tuning.cv = {.folds = folds,
                 .error = choice.error,
                 .rows = judged,
                 .train_rows = n - n / folds,
                 .kind = table_.whole() ? EstimateKind::cross_validation : EstimateKind::held_out,
                 .majority_error = tuning.cv.majority_error};
  }

  double calibrated_temperature(const Execution& execution, const CellParameters& at) const {
    const FoldPlan plan =
        recipe_.folds.quick(static_cast<int>(std::min<Index>(10, std::ssize(table_.labels)))).of_rows(table_.rows);
    ReducedRows rows(execution, recipe_, table_);
    CellScorer scorer(execution, rows, {make_folds(plan, table_.labels, recipe_.seed, 0)});
    return calibrate_temperature(scorer.heldout_at(at).first(), table_.labels);
  }

  const Execution& execution_;
  const Recipe& recipe_;
  Recipe on_sample_;  // with the ridge and the centres for the sample
  PreparedTable table_;
  std::optional<ReducedRows> tuned_;
};

}  // namespace

std::unique_ptr<Problem> reduced_problem(const Execution& execution, const Plan& plan) {
  return std::make_unique<ReducedTable>(execution, plan);
}

}  // namespace manyone
