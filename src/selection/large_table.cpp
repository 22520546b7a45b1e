// SPDX-License-Identifier: Apache-2.0
#include "selection/large_table.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "base/random.hpp"
#include "decoder/decoder.hpp"
#include "machine/training_parts.hpp"
#include "manyone/errors.hpp"
#include "selection/inside_observer.hpp"

namespace manyone {

namespace {

// Share of the rows in a block, about, and in all blocks, at most (but for the first).
constexpr double kBlockShare = 0.095;
constexpr double kBlocksShare = 0.4;
// Cells that are looked at, at most: on a part of the rows, and on all, where each costs about a training. Above so
// many rows only widths are looked at there.
constexpr std::size_t kQuarterCells = 8;
constexpr std::size_t kHalfCells = 5;
constexpr std::size_t kFewCells = 5;
constexpr std::size_t kAllCells = 3;
constexpr Index kFewRows = 6000;
// Half of what a parameter has moved from one number of rows to the next is expected again: both no further move and a
// whole one are then about a step of the walk away.
constexpr double kTrend = 0.5;
// Octaves that a trend may move a parameter by, at most.
constexpr double kMove = 3;

/// Some rows of a table, and which of them are left out.
struct Part {
  std::vector<Index> rows;  // of the table
  LabelledRows labelled;
  std::vector<std::vector<Index>> blocks;  // positions among the rows
  std::vector<Index> judged;               // the rows of the blocks, of the table
  std::vector<int> labels;                 // theirs
  Vector weights;                          // theirs; empty: all 1
  Folds folds;                             // the block of each
};

Part part_of(const LargeTable& table, const Vector& weights, std::vector<Index> rows, std::size_t most) {
  Part out;
  out.labelled = rows_at({table.data.labels, table.data.class_count(), weights}, rows);
  out.blocks = blocks_of(table.folds.restricted_to(rows), most, table.trained.recipe.seed);
  out.folds.count = static_cast<int>(out.blocks.size());
  for (std::size_t b = 0; b < out.blocks.size(); ++b) {
    for (const Index i : out.blocks[b]) {
      out.judged.push_back(rows[static_cast<std::size_t>(i)]);
      out.labels.push_back(out.labelled.labels[static_cast<std::size_t>(i)]);
      out.folds.fold_of_row.push_back(static_cast<int>(b));
    }
  }
  if (weights.size() > 0) out.weights = weights(out.judged);
  out.rows = std::move(rows);
  return out;
}

/// The judged rows of a part of a table, left out block by block.
class Blocks final : public HeldOutSource {
 public:
  /// Everything outlives it. `features`: of the table, scaled unless every training part is scaled for itself.
  Blocks(const Execution& execution, const LargeTable& table, const Features& features, const Part& part)
      : execution_(execution), table_(table), features_(features), part_(part) {}

  std::span<const int> labels() const override { return part_.labels; }
  const Vector& weights() const override { return part_.weights; }
  bool screens() const override { return true; }
  bool shares_kernel() const override { return false; }

  /// The only partition is that into the blocks.
  std::vector<HeldOut> heldout(double sigma, std::span<const double> ridges, std::span<const Folds>,
                               const Turn& turn) override {
    Observer silent;  // trainings that nobody keeps
    InsideObserver observer(silent, turn.report);
    const Execution inside{execution_.backend, execution_.memory, observer, execution_.interrupt};
    workspace_.screening = turn.screening;
    std::vector<HeldOut> out;
    for (const double ridge : ridges) {
      const CellParameters at{sigma, ridge};
      // Where no more is to be had than what is looked at, that is the estimate.
      const bool rough = turn.screening || table_.trained.machine.judged_blocks(part_.labelled.rows()) == 1;
      const auto known = std::ranges::find(rough_, at, &std::pair<CellParameters, HeldOut>::first);
      if (rough && known != rough_.end()) {
        out.push_back(known->second);
        continue;
      }
      HeldOut scores = table_.trained.recipe.scale_per_fold ? refitted(inside, at) : judged(inside, at);
      for (Matrix& f : scores.of_partition) f = table_.trained.decoder.scores(std::move(f));
      if (rough) rough_.emplace_back(at, scores);
      out.push_back(std::move(scores));
    }
    return out;
  }

 private:
  HeldOut judged(const Execution& inside, const CellParameters& at) {
    const FeatureGram all(inside, table_.trained.recipe.kernel_at(at.sigma), features_);
    const auto some = std::ssize(part_.rows) == all.rows() ? nullptr : all.part(part_.rows);
    const Gram& gram = some ? *some : static_cast<const Gram&>(all);
    return table_.trained.machine.judged(inside, gram, part_.labelled, part_.blocks, at.ridge, workspace_);
  }

  /// With a scaling of its own for what each block leaves.
  HeldOut refitted(const Execution& inside, const CellParameters& at) const {
    std::vector<Matrix> outputs;
    const CellData data{part_.labelled, {}, features_.select(part_.rows)};
    try {
      for (const std::vector<Index>& block : part_.blocks) {
        const auto rest = without_rows(part_.labelled, block).places;
        outputs.push_back(refit_outputs(inside, table_.trained, data, rest, block, at));
      }
    } catch (const ConfigError&) {
      return {};  // not positive definite
    }
    return {true, {stacked(outputs)}};
  }

  const Execution& execution_;
  const LargeTable& table_;
  const Features& features_;
  const Part& part_;
  Workspace workspace_;
  std::vector<std::pair<CellParameters, HeldOut>> rough_;  // what was screened
};

/// A walk on a part of the rows.
struct Stage {
  Index rows;
  std::size_t cells;  // at most
};

/// On a quarter and on half of the rows, where these are clearly more than the subset: their cells cost a sixteenth and
/// a quarter of those of all or less.
std::vector<Stage> stages_between(Index subset, Index n) {
  std::vector<Stage> out;
  const Index quarter = std::min(3 * subset, n / 4);
  if (2 * quarter >= 3 * subset) out.push_back({quarter, kQuarterCells});
  const Index half = std::min(6 * subset, n / 2);
  if (2 * half >= 3 * subset) out.push_back({half, out.empty() ? kQuarterCells : kHalfCells});
  return out;
}

/// One walk from parts of a table to all of it.
class Correction {
 public:
  Correction(const Execution& execution, const LargeTable& table, Journal* journal, Tuning& tuning)
      : execution_(execution),
        table_(table),
        journal_(journal),
        tuning_(tuning),
        weights_(row_weights(table.trained.recipe, table.data.labels, table.data.class_count())),
        features_(table.data.features),
        space_{table.trained.recipe.sigma, table.trained.recipe.ridge, {}, {}},
        seen_(static_cast<double>(tuning.surface_rows)) {
    if (!table.trained.recipe.has_sigma()) space_.fixed_sigma = 1;
    if (!table.trained.recipe.scale_per_fold && table.trained.recipe.kernel->of_rows)
      Scaling::fit(scaling_for(table.trained.recipe, features_.sparse()), features_).apply(features_);
  }

  void run() {
    const Index n = table_.data.rows();
    const bool few = n <= kFewRows;
    const std::size_t on_all = few ? kFewCells : kAllCells;
    const auto stages = stages_between(tuning_.surface_rows, n);
    double work = static_cast<double>(on_all) + 1;
    for (const Stage& stage : stages) work += unit(stage.rows) * static_cast<double>(stage.cells);
    execution_.observer.begin("checking on all rows", work);
    for (const Stage& stage : stages) {
      const Part part = part_at(stratified_subset(table_.data.labels, stage.rows, table_.trained.recipe.seed), 1);
      Blocks blocks(execution_, table_, features_, part);
      CellScorer scorer(execution_, blocks, {part.folds});
      if (!walk(scorer, part, stage.cells)) return;
    }
    if (!few && !space_.fixed_sigma) space_.fixed_ridge = start_at(n).ridge;
    std::vector<Index> all(static_cast<std::size_t>(n));
    std::iota(all.begin(), all.end(), Index{0});
    const Part first = part_at(all, 1);
    Blocks one_block(execution_, table_, features_, first);
    CellScorer scorer(execution_, one_block, {first.folds});
    if (!walk(scorer, first, on_all)) return;
    const std::size_t count = table_.trained.machine.judged_blocks(n);
    if (count == 1) {
      estimate(scorer, first);
    } else {
      const Part several = part_at(all, count);
      Blocks all_blocks(execution_, table_, features_, several);
      CellScorer exact(execution_, all_blocks, {several.folds});
      estimate(exact, several);
    }
    execution_.observer.end();
  }

 private:
  Part part_at(std::vector<Index> rows, std::size_t blocks) const {
    return part_of(table_, weights_, std::move(rows), blocks);
  }

  /// The price of a cell on so many rows, in units of one on all.
  double unit(Index rows) const {
    const double share = static_cast<double>(rows) / static_cast<double>(table_.data.rows());
    return share * share;
  }

  void report(double more) {
    execution_.observer.update(done_ + more * unit_, found_ ? fmt::format("best error {:.2f} %", 100 * error_) : "");
  }

  /// The best parameters so far, each on its way.
  CellParameters start_at(Index rows) const {
    const auto moved = [&](double trend) {
      return std::exp2(std::clamp(kTrend * trend * std::log2(static_cast<double>(rows) / seen_), -kMove, kMove));
    };
    CellParameters out = tuning_.best;
    if (!space_.fixed_sigma) out.sigma *= moved(sigma_trend_);
    out.ridge = space_.fixed_ridge.value_or(out.ridge * moved(ridge_trend_));
    return out;
  }

  /// Looks at the neighbours of the best parameters so far and goes where it is better; false when interrupted.
  bool walk(CellScorer& scorer, const Part& part, std::size_t limit) {
    const Index n = table_.data.rows();
    const auto size = static_cast<Index>(part.rows.size());
    scorer.screen(true);
    unit_ = unit(size);
    const std::string stage = fmt::format("blocks of {}", size);
    ScoreCells compute = [&](std::span<const CellParameters> cells) {
      const auto finished = [&](const Cell& cell) {
        if (journal_ != nullptr) journal_->add(stage, cell);
        error_ = std::min(error_, cell.error);
        found_ = true;
        done_ += unit_;
        report(0);
      };
      return scorer.score(cells, finished, [&](double more) { report(more); });
    };
    if (journal_ != nullptr) compute = journalled(std::move(compute), *journal_, stage);
    const auto score = [&](std::span<const CellParameters> cells) {
      std::vector<CellParameters> here(cells.begin(), cells.end());
      for (CellParameters& cell : here) cell.ridge = table_.trained.machine.carried(cell.ridge, n, size);
      auto scored = compute(here);
      for (std::size_t k = 0; k < scored.size(); ++k) scored[k].at = cells[k];
      return scored;
    };
    const auto judged = static_cast<Index>(part.judged.size());
    HalvingRound round{size, pattern_search(space_, start_at(size), limit, judged, score)};
    std::erase_if(round.cells, [](const Cell& cell) { return !cell.solved; });
    if (!round.cells.empty()) {
      const CellParameters next = chosen_cell(round.cells, judged).at;
      const double octaves = std::log2(static_cast<double>(size) / seen_);
      sigma_trend_ = std::log2(next.sigma / tuning_.best.sigma) / octaves;
      ridge_trend_ = std::log2(next.ridge / tuning_.best.ridge) / octaves;
      seen_ = static_cast<double>(size);
      tuning_.best = next;
      tuning_.checks.push_back(std::move(round));
    }
    tuning_.interrupted = execution_.interrupt.requested();
    return !tuning_.interrupted;
  }

  void estimate(CellScorer& scorer, const Part& part) {
    try {
      HeldOut at_best = scorer.heldout_at(tuning_.best);
      Matrix scores = std::move(at_best.of_partition.front());
      const auto judged = static_cast<Index>(part.judged.size());
      const auto n = table_.data.rows();
      tuning_.cv = {.folds = table_.folds.count,
                    .error = fold_mean_error(argmax_classes(scores), part.labels, part.folds),
                    .rows = judged,
                    .train_rows = n - judged / part.folds.count,
                    .kind = EstimateKind::held_out};
      tuning_.temperature = calibrate_temperature(scores, part.labels);
      tuning_.held_out = {part.judged, part.labels, std::move(scores)};
      tuning_.solution = std::move(at_best.solution);
    } catch (const Interrupted&) {
      tuning_.interrupted = true;
    }
  }

  const Execution& execution_;
  const LargeTable& table_;
  Journal* journal_;
  Tuning& tuning_;
  Vector weights_;
  Features features_;
  SearchSpace space_;
  double seen_;             // rows behind the best parameters
  double sigma_trend_ = 0;  // in octaves for twice the rows
  double ridge_trend_ = 0;
  double unit_ = 1;
  double done_ = 0;
  double error_ = 1;
  bool found_ = false;
};

}  // namespace

std::vector<std::vector<Index>> blocks_of(const Folds& folds, std::size_t most, std::uint64_t seed) {
  auto rows = folds.rows();
  std::erase_if(rows, [](const auto& fold) { return fold.empty(); });
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random(seed).shuffle(order);
  const auto n = static_cast<double>(folds.fold_of_row.size());
  std::vector<std::vector<Index>> out;
  std::size_t used = 0;
  std::size_t next = 0;
  while (out.size() < most && next + 1 < order.size()) {
    std::vector<Index> block;
    while (next + 1 < order.size() && static_cast<double>(block.size()) < kBlockShare * n) {
      const auto& fold = rows[order[next++]];
      block.insert(block.end(), fold.begin(), fold.end());
    }
    used += block.size();
    if (!out.empty() && static_cast<double>(used) > kBlocksShare * n) break;
    std::sort(block.begin(), block.end());
    out.push_back(std::move(block));
  }
  return out;
}

void choose_on_all_rows(const Execution& execution, const LargeTable& table, Journal* journal, Tuning& tuning) {
  const LabelledRows rows{table.data.labels, table.data.class_count(), {}};
  const auto blocks =
      blocks_of(table.folds, table.trained.machine.judged_blocks(rows.rows()), table.trained.recipe.seed);
  std::size_t largest = 0;
  for (const auto& block : blocks) largest = std::max(largest, block.size());
  if (largest == 0 || !execution.memory.fits(table.trained.machine.judged_bytes(rows, static_cast<Index>(largest))))
    return;
  Correction(execution, table, journal, tuning).run();
}

}  // namespace manyone
