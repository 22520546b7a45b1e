// SPDX-License-Identifier: Apache-2.0
#include "manyone/selection/tune.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "manyone/base/errors.hpp"
#include "manyone/base/fingerprint.hpp"
#include "manyone/base/names.hpp"
#include "manyone/decoder/decoder.hpp"
#include "manyone/machine/registry.hpp"
#include "manyone/model/majority.hpp"
#include "manyone/selection/large_table.hpp"
#include "manyone/selection/reduced_rows.hpp"
#include "manyone/selection/searcher.hpp"

namespace manyone {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Classes that a note names at most.
constexpr std::size_t kSmallClassesNamed = 8;
// Rows whose held-out scores calibrate probabilities when nothing is tuned.
constexpr Index kCalibrationRows = 1000;
constexpr int kCalibrationFolds = 10;

std::vector<Index> all_rows(Index n) {
  std::vector<Index> rows(static_cast<std::size_t>(n));
  std::iota(rows.begin(), rows.end(), Index{0});
  return rows;
}

std::vector<Index> at_most(Index limit, const Dataset& data, const Recipe& recipe) {
  return data.rows() > limit ? stratified_subset(data.labels, limit, recipe.seed) : all_rows(data.rows());
}

/// Pair statistics, labels and weights of the given rows of a table, scaled as the recipe says.
CellData cell_data(const Execution& execution, const Recipe& recipe, const Machine& machine, const Dataset& data,
                   const std::vector<Index>& rows, SharedWork* shared = nullptr) {
  const auto n = static_cast<Index>(rows.size());
  CellData out;
  out.classes = data.class_count();
  for (const Index row : rows) out.labels.push_back(data.labels[static_cast<std::size_t>(row)]);
  const Vector weights = row_weights(recipe, data.labels, data.class_count());
  if (weights.size() > 0) out.weights = weights(rows);
  execution.memory.require(KernelScorer::bytes_needed(machine, out), fmt::format("tuning on {} rows", n),
                           memory_advice(recipe));
  if (!recipe.kernel->of_rows) {
    check_gram(data.features, data.source);
    out.statistics = data.features.dense_rows(0, data.rows())(rows, rows);
    return out;
  }
  const Scaling scaling = Scaling::fit(scaling_for(recipe, data.features.sparse()), data.features);
  Features scaled = n == data.rows() ? data.features : data.features.select(rows);
  if (recipe.scale_per_fold) out.raw = scaled;
  const PairStatistic statistic = recipe.kernel_at(1).statistic();
  const auto compute = [&] {
    scaling.apply(scaled);
    require_finite_kernel(recipe.kernel_at(1), scaled);
    Matrix pairs(n, n);
    execution.backend.pair_statistics(statistic, scaled, pairs, execution.interrupt);
    return pairs;
  };
  if (shared == nullptr) {
    out.statistics = compute();
  } else {
    Fingerprint key;
    key.add(static_cast<int>(statistic)).add(name_of(scaling_for(recipe, data.features.sparse())));
    for (const Index row : rows) key.add(row);
    out.statistics = shared->statistics(key.value(), compute);
  }
  return out;
}

/// Of what the held-out outputs of a problem depend on besides the folds and the kernel's width.
Fingerprint shared_key(const Recipe& recipe, const CellData& cells, const std::vector<Index>& rows, bool sparse) {
  const Kernel kernel = recipe.kernel_at(1);
  Fingerprint out;
  out.add(kernel.name()).add(kernel.degree).add(kernel.offset).add(name_of(scaling_for(recipe, sparse)));
  out.add(std::span<const double>(cells.weights.data(), static_cast<std::size_t>(cells.weights.size())));
  for (const Index row : rows) out.add(row);
  return out;
}

/// The recipe's partitions of rows with these labels, which are the `rows` of the table.
std::vector<Folds> partitions(const Recipe& recipe, const FoldPlan& plan, std::span<const int> labels) {
  std::vector<Folds> out;
  out.reserve(static_cast<std::size_t>(recipe.repeats));
  for (int repeat = 0; repeat < recipe.repeats; ++repeat) out.push_back(make_folds(plan, labels, recipe.seed, repeat));
  return out;
}

/// Folds of a whole table of which some are left out; for leave-one-out tenths stand in.
Folds folds_of_all(const Recipe& recipe, std::span<const int> labels) {
  FoldPlan plan = recipe.folds;
  if (plan.leave_one_out()) plan.count = 10;
  if (plan.given.empty()) return make_folds(plan, labels, recipe.seed, 0);
  return {1 + *std::max_element(plan.given.begin(), plan.given.end()), plan.given};
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
/// `rows`: their numbers in the table; `recipe`: with a ridge for these rows.
Tuning search(const Execution& execution, const Recipe& recipe, const TuningRows& tuned, const std::vector<Index>& rows,
              const RowSource& table, std::optional<double> given_ridge, bool nested, Journal* journal) {
  Tuning tuning;
  const auto start = Clock::now();
  Recipe of_rows = recipe;
  if (tuned.rows() < table.rows()) of_rows.folds = recipe.folds.of_rows(rows);
  const auto folds = partitions(recipe, of_rows.folds, tuned.labels());
  if (!recipe.folds.leave_one_out()) note_small_classes(execution, table, folds.front().count);
  const auto scorer = tuned.scorer(folds);
  Searcher search(execution, of_rows, tuned, execution.observer, journal, "cells");
  search.run(*scorer);
  tuning.interrupted = execution.interrupt.requested();
  tuning.surface = std::move(search.surface);
  tuning.rounds = std::move(search.rounds);
  const Index n = table.rows();
  const auto chosen = [&](const Cell& best) {
    return CellParameters{best.at.sigma, given_ridge.value_or(tuned.carried(best.at.ridge, tuned.rows(), n))};
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
    throw ConfigError(
        "no cell of the search could be solved: the kernel matrix is not positive definite; search larger ridges");
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
    HeldOutScores at_best = scorer->heldout_at(best.at);
    if (tuned.rows() == n) tuning.trained = std::move(at_best.trained);
    tuning.held_out = {rows, {tuned.labels().begin(), tuned.labels().end()}, std::move(at_best.of_partition.front())};
    tuning.temperature = calibrate_temperature(tuning.held_out.scores, tuned.labels());
  }
  if (nested && !tuning.interrupted) {
    int outer = 0;
    const auto choose = [&](const TuningRows& part, const std::vector<Index>& part_rows) {
      std::vector<Index> table_rows;
      table_rows.reserve(part_rows.size());
      for (const Index row : part_rows) table_rows.push_back(rows[static_cast<std::size_t>(row)]);
      Observer silent;
      Recipe of_part = recipe;
      of_part.folds = recipe.folds.of_rows(table_rows);
      Searcher inner(execution, of_part, part, silent, journal, fmt::format("outer fold {}", ++outer));
      const auto inner_scorer = part.scorer(partitions(recipe, recipe.folds.of_rows(table_rows), part.labels()));
      inner.run(*inner_scorer);
      execution.interrupt.check();
      if (inner.surface.empty()) throw ConfigError("no cell of a nested search could be solved; search larger ridges");
      return chosen_cell(inner.surface, part.rows()).at;
    };
    try {
      tuning.nested = nested_estimate(execution, tuned, folds.front(), choose);
    } catch (const Interrupted&) {
      tuning.interrupted = true;
    }
  }
  tuning.select_seconds = seconds_since(start);
  return tuning;
}

void check_nested(const Recipe& recipe, bool nested) {
  if (nested && !recipe.folds.given.empty() && Folds{0, recipe.folds.given}.distinct() < 3) {
    throw ConfigError("--nested needs at least three given folds: with two, the inner search has a single one");
  }
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
  of_recipe.add(recipe.machine).add(recipe.book()).add(recipe.label_kernel);
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
    of_recipe.add(reduction.centres)
        .add(reduction.kind ? name_of(*reduction.kind) : "")
        .add(recipe.priors)
        .add(recipe.decode_cost.value_or(1));
    of_recipe.add(reduction.penalty ? name_of(*reduction.penalty) : "");
    of_recipe.add(reduction.centres_from_all ? "centres from all" : "centres from training rows");
  }
  for (const Matrix& given : {recipe.codewords, recipe.label_gram, Matrix(recipe.class_priors)}) {
    if (given.size() == 0) continue;  // so that journals of books by name stay what they are
    of_recipe.add(std::span<const double>(given.data(), static_cast<std::size_t>(given.size())));
  }
  return {data_fingerprint(rows, features, labels), of_recipe.value()};
}

Tuning tune(const Execution& execution, const Dataset& data, const Recipe& recipe, bool nested,
            const std::string& journal_path, SharedWork* shared) {
  recipe.validate();
  check_nested(recipe, nested);
  const DatasetRows table(data);
  if (recipe.reduced()) return tune(execution, prepare(execution, table, recipe), recipe, nested, journal_path);
  const auto machine = machine_of(recipe, data.labels, data.class_count());
  const Decoder decoder = decoder_of(recipe, *machine);
  const bool automatic = recipe.search == SearchKind::automatic && recipe.tuned();
  // Where many more rows follow, fewer will do to start from.
  const Index limit = data.rows() > 2 * recipe.tune_rows ? 2 * recipe.tune_rows / 3 : recipe.tune_rows;
  const std::vector<Index> rows = automatic ? at_most(limit, data, recipe) : all_rows(data.rows());
  const auto size = static_cast<Index>(rows.size());
  if (size < data.rows()) {
    execution.observer.note(
        fmt::format("tuning on a stratified subset of {} of {} rows, then checking on all (--search grid tunes on all)",
                    size, data.rows()));
  }
  note_indefinite(execution, data, recipe);
  std::unique_ptr<Journal> journal;
  if (!journal_path.empty()) {
    journal = Journal::open(journal_path, journal_header(execution, recipe, data.rows(), data.features, data.labels));
  }
  Recipe on_subset = recipe;
  if (recipe.ridge) on_subset.ridge = machine->carried(*recipe.ridge, data.rows(), size);
  const auto start = Clock::now();
  CellData cells = cell_data(execution, recipe, *machine, data, rows, shared);
  const Fingerprint key = shared != nullptr ? shared_key(recipe, cells, rows, data.features.sparse()) : Fingerprint();
  std::optional<KernelRows> tuned(std::in_place, execution, on_subset, std::move(cells), *machine, decoder, shared,
                                  key);
  const double kernel_seconds = seconds_since(start);
  Tuning tuning = search(execution, on_subset, *tuned, rows, table, recipe.ridge, nested, journal.get());
  tuned.reset();  // its matrices make room for those of all rows
  tuning.kernel_seconds = kernel_seconds;
  if (size < data.rows() && !tuning.interrupted) {
    choose_on_all_rows(execution, {data, recipe, *machine, decoder, folds_of_all(recipe, data.labels)}, journal.get(),
                       tuning);
    tuning.select_seconds = seconds_since(start) - kernel_seconds;
  }
  tuning.cv.majority_error = majority_error(table.class_counts());
  return tuning;
}

Tuning tune(const Execution& execution, const PreparedTable& table, const Recipe& recipe, bool nested,
            const std::string& journal_path) {
  recipe.validate();
  check_nested(recipe, nested);
  const Index n = table.table_rows();
  const auto size = static_cast<Index>(table.rows.size());
  if (!table.whole()) {
    execution.observer.note(
        fmt::format("tuning on a stratified sample of {} of {} rows; the model is trained on all", size, n));
  }
  std::unique_ptr<Journal> journal;
  if (!journal_path.empty()) {
    journal = Journal::open(journal_path, journal_header(execution, recipe, n, table.features, table.labels));
  }
  Recipe on_sample = recipe;
  if (recipe.ridge) on_sample.ridge = *recipe.ridge * static_cast<double>(size) / static_cast<double>(n);
  const bool automatic = recipe.search == SearchKind::automatic && recipe.tuned();
  if (automatic && recipe.reduction.kind != ReduceKind::pca && centres_of(recipe, n).value_or(0) > kTuneCentres) {
    execution.observer.note(fmt::format("the width is searched with {} of the {} centres; fit finds the {} with all",
                                        kTuneCentres, *centres_of(recipe, n),
                                        machine_from_name(recipe.machine).parameter));
    on_sample.reduction.centres = std::to_string(kTuneCentres);
  }
  const ReducedRows tuned(execution, on_sample, table);
  Tuning tuning = search(execution, on_sample, tuned, table.rows, table.source, recipe.ridge, nested, journal.get());
  tuning.cv.majority_error = majority_error(table.source.class_counts());
  return tuning;
}

double calibrate(const Execution& execution, const Dataset& data, const Recipe& recipe, const CellParameters& at) {
  const std::vector<Index> rows = at_most(kCalibrationRows, data, recipe);
  const auto machine = machine_of(recipe, data.labels, data.class_count());
  const Decoder decoder = decoder_of(recipe, *machine);
  const CellData cells = cell_data(execution, recipe, *machine, data, rows);
  const FoldPlan plan = recipe.folds.quick(kCalibrationFolds).of_rows(rows);
  KernelScorer scorer(execution, cells, recipe, *machine, decoder, {make_folds(plan, cells.labels, recipe.seed, 0)});
  const double ridge = machine->carried(at.ridge, data.rows(), cells.rows());
  return calibrate_temperature(scorer.heldout_at({at.sigma, ridge}).first(), cells.labels);
}

void note_indefinite(const Execution& execution, const Dataset& data, const Recipe& recipe) {
  if (recipe.kernel->of_rows || !machine_from_name(recipe.machine).program) return;
  check_gram(data.features, data.source);
  Matrix K = data.features.dense_rows(0, data.rows());
  K.diagonal().array() += 1e-8 * K.cwiseAbs().maxCoeff();  // rounding
  if (execution.backend.cholesky(K, execution.interrupt)) return;
  execution.observer.note(fmt::format(
      "{}: the kernel matrix is not positive semidefinite (it has negative eigenvalues): {} then has no "
      "single best solution, and what is found depends on the path; add to its diagonal, or use another kernel",
      data.source, recipe.machine));
}

}  // namespace manyone
