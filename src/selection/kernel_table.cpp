// SPDX-License-Identifier: Apache-2.0
//
// A table seen through its whole kernel matrix. Large ones are searched on a stratified subset of their rows and then
// corrected and judged with all of them (selection/large_table).
#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "base/worded.hpp"
#include "decoder/probabilities.hpp"
#include "manyone/errors.hpp"
#include "selection/kernel_rows.hpp"
#include "selection/large_table.hpp"
#include "selection/problem.hpp"

namespace manyone {

namespace {

// Rows whose held-out scores calibrate probabilities when nothing is tuned.
constexpr Index kCalibrationRows = 1000;
constexpr int kCalibrationFolds = 10;

std::vector<Index> all_rows(Index n) {
  std::vector<Index> rows(static_cast<std::size_t>(n));
  std::iota(rows.begin(), rows.end(), Index{0});
  return rows;
}

class KernelTable final : public Problem {
 public:
  KernelTable(const Execution& execution, const Plan& plan)
      : execution_(execution),
        recipe_(plan.recipe),
        on_subset_(plan.recipe),
        data_(*plan.table.whole()),
        shared_(plan.wishes.shared),
        machine_(machine_of(recipe_, data_.labels, data_.class_count())),
        decoder_(decoder_of(recipe_, *machine_)) {}

  void require_training_memory() const override {
    const LabelledRows labelled{data_.labels, data_.class_count(), {}};
    execution_.memory.require(machine_->fit_bytes(labelled),
                              fmt::format("{} on {} rows", recipe_.machine, data_.rows()), memory_advice(recipe_));
  }

  JournalHeader journal_header() const override {
    return manyone::journal_header(execution_, recipe_, data_.rows(), data_.features, data_.labels);
  }

  SearchedRows searched_rows() override {
    note_indefinite();
    const bool automatic = recipe_.search == SearchKind::automatic && recipe_.tuned();
    // Where many more rows follow, fewer will do to start from.
    const Index limit = data_.rows() > 2 * recipe_.tune_rows ? 2 * recipe_.tune_rows / 3 : recipe_.tune_rows;
    numbers_ = automatic ? at_most(limit) : all_rows(data_.rows());
    const auto size = std::ssize(numbers_);
    if (size < data_.rows()) {
      execution_.observer.note(
          worded("tuning on a stratified subset of {} of {} rows, then checking on all (`search=grid` tunes on all)",
                 size, data_.rows()));
    }
    if (recipe_.ridge) on_subset_.ridge = machine_->carried(*recipe_.ridge, data_.rows(), size);
    CellData cells = cell_data(execution_, numbers_, shared_);
    const Fingerprint key = shared_ != nullptr ? shared_key(cells) : Fingerprint();
    tuned_.emplace(execution_, MachineOfRecipe{on_subset_, *machine_, decoder_}, std::move(cells), shared_, key);
    return {on_subset_, *tuned_, numbers_};
  }

  void choose_on_all_rows(Tuning& tuning, Journal* journal) override {
    tuned_.reset();  // its matrices make room for those of all rows
    if (tuning.interrupted || std::ssize(numbers_) == data_.rows()) return;
    manyone::choose_on_all_rows(execution_, {data_, {recipe_, *machine_, decoder_}, folds_of_all()}, journal, tuning);
  }

  Model train(const Execution& execution, CellParameters at, std::optional<Tuning>& tuning) override {
    if (!tuning) note_indefinite();
    Model out = manyone::train(execution, data_, recipe_, *machine_, decoder_, at,
                               tuning ? std::exchange(tuning->solution, std::nullopt) : std::optional<Coefficients>());
    const bool calibrated = tuning && !tuning->held_out.rows.empty();
    out.temperature = calibrated ? tuning->temperature : calibrated_temperature(execution, at);
    return out;
  }

 private:
  std::vector<Index> at_most(Index limit) const {
    return data_.rows() > limit ? stratified_subset(data_.labels, limit, recipe_.seed) : all_rows(data_.rows());
  }

  /// Pair statistics, labels and weights of the given rows of the table, scaled as the recipe says.
  CellData cell_data(const Execution& execution, const std::vector<Index>& rows, SharedWork* shared) const {
    const auto n = static_cast<Index>(rows.size());
    CellData out;
    out.classes = data_.class_count();
    for (const Index row : rows) out.labels.push_back(data_.labels[static_cast<std::size_t>(row)]);
    const Vector weights = row_weights(recipe_, data_.labels, data_.class_count());
    if (weights.size() > 0) out.weights = weights(rows);
    execution.memory.require(KernelRows::bytes_needed(*machine_, out), fmt::format("tuning on {} rows", n),
                             memory_advice(recipe_));
    if (!recipe_.kernel->of_rows) {
      check_gram(data_.features, data_.source);
      out.statistics = data_.features.dense_rows(0, data_.rows())(rows, rows);
      return out;
    }
    const ScalingKind kind = scaling_for(recipe_, data_.features.sparse());
    const Scaling scaling = Scaling::fit(kind, data_.features);
    Features scaled = n == data_.rows() ? data_.features : data_.features.select(rows);
    if (recipe_.scale_per_fold) out.raw = scaled;
    const PairStatistic statistic = recipe_.kernel_at(1).statistic();
    const auto compute = [&] {
      scaling.apply(scaled);
      require_finite_kernel(recipe_.kernel_at(1), scaled);
      Matrix pairs(n, n);
      execution.backend.pair_statistics(statistic, scaled, pairs, execution.interrupt);
      return pairs;
    };
    if (shared == nullptr) {
      out.statistics = compute();
    } else {
      Fingerprint key;
      key.add(static_cast<int>(statistic)).add(name_of(kind));
      for (const Index row : rows) key.add(row);
      out.statistics = shared->statistics(key.value(), compute);
    }
    return out;
  }

  /// Of what the held-out outputs of the searched rows depend on besides the folds and the kernel's width.
  Fingerprint shared_key(const CellData& cells) const {
    const Kernel kernel = recipe_.kernel_at(1);
    Fingerprint out;
    out.add(kernel.name()).add(kernel.degree).add(kernel.offset);
    out.add(name_of(scaling_for(recipe_, data_.features.sparse())));
    out.add(std::span<const double>(cells.weights.data(), static_cast<std::size_t>(cells.weights.size())));
    for (const Index row : numbers_) out.add(row);
    return out;
  }

  /// Folds of the whole table of which some are left out; for leave-one-out tenths stand in.
  Folds folds_of_all() const {
    FoldPlan plan = recipe_.folds;
    if (plan.leave_one_out()) plan.count = 10;
    if (plan.given.empty()) return make_folds(plan, data_.labels, recipe_.seed, 0);
    return {1 + *std::max_element(plan.given.begin(), plan.given.end()), plan.given};
  }

  /// From closed-form held-out scores on some rows.
  double calibrated_temperature(const Execution& execution, const CellParameters& at) const {
    const std::vector<Index> rows = at_most(kCalibrationRows);
    KernelRows cells(execution, {recipe_, *machine_, decoder_}, cell_data(execution, rows, nullptr));
    const FoldPlan plan = recipe_.folds.quick(kCalibrationFolds).of_rows(rows);
    CellScorer scorer(execution, cells, {make_folds(plan, cells.labels(), recipe_.seed, 0)});
    const double ridge = machine_->carried(at.ridge, data_.rows(), cells.rows());
    return calibrate_temperature(scorer.heldout_at({at.sigma, ridge}).first(), cells.labels());
  }

  /// A note if a precomputed kernel matrix is not positive semidefinite and the machine is a quadratic program, whose
  /// solution is then one of several.
  void note_indefinite() const {
    if (recipe_.kernel->of_rows || !recipe_.entry().program) return;
    check_gram(data_.features, data_.source);
    Matrix K = data_.features.dense_rows(0, data_.rows());
    K.diagonal().array() += 1e-8 * K.cwiseAbs().maxCoeff();  // rounding
    if (execution_.backend.cholesky(K, execution_.interrupt)) return;
    execution_.observer.note(fmt::format(
        "{}: the kernel matrix is not positive semidefinite (it has negative eigenvalues): {} then has no "
        "single best solution, and what is found depends on the path; add to its diagonal, or use another kernel",
        data_.source, recipe_.machine));
  }

  const Execution& execution_;
  const Recipe& recipe_;
  Recipe on_subset_;  // with the ridge for so many rows
  const Dataset& data_;
  SharedWork* shared_;
  std::unique_ptr<Machine> machine_;
  Decoder decoder_;
  std::vector<Index> numbers_;  // of the searched rows
  std::optional<KernelRows> tuned_;
};

}  // namespace

std::unique_ptr<Problem> kernel_problem(const Execution& execution, const Plan& plan) {
  return std::make_unique<KernelTable>(execution, plan);
}

}  // namespace manyone
