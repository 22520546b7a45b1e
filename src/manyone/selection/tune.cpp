// SPDX-License-Identifier: Apache-2.0
#include "manyone/selection/tune.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "manyone/base/errors.hpp"
#include "manyone/decoder/decoder.hpp"
#include "manyone/selection/search.hpp"

namespace manyone {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Rows the automatic search looks at, at most: beyond, a cell costs n^3 and tells little more about sigma and ridge.
constexpr Index kTuneRows = 3000;
// Rows of its coarse stage: half of the table (an eighth of a cell's price), within these bounds.
constexpr Index kCoarseRowsMin = 250;
constexpr Index kCoarseRowsMax = 1000;
// Cells of its walk, at most.
constexpr std::size_t kWalkCells = 16;
// Rows whose held-out scores calibrate probabilities when nothing is tuned.
constexpr Index kCalibrationRows = 1000;

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
                   const std::vector<Index>& rows) {
  const auto n = static_cast<Index>(rows.size());
  CellData out;
  out.classes = data.class_count();
  for (const Index row : rows) out.labels.push_back(data.labels[static_cast<std::size_t>(row)]);
  const Vector weights = row_weights(recipe, data.labels, data.class_count());
  if (weights.size() > 0) out.weights = weights(rows);
  execution.memory.require(CellScorer::bytes_needed(machine, out), fmt::format("tuning on {} rows", n),
                           "use --search auto, fewer rows, or raise the limit with --memory");
  if (recipe.kernel == KernelKind::precomputed) {
    check_gram(data.features, data.source);
    out.statistics = data.features.dense_rows(0, data.rows())(rows, rows);
    return out;
  }
  const Scaling scaling = Scaling::fit(scaling_for(recipe, data.features), data.features);
  Features scaled = n == data.rows() ? data.features : data.features.select(rows);
  scaling.apply(scaled);
  out.statistics.resize(n, n);
  execution.backend.pair_statistics(recipe.kernel_at(1).statistic(), scaled, out.statistics, execution.interrupt);
  return out;
}

/// The recipe's partitions of the rows of `data`, which are the `rows` of the table.
std::vector<Folds> partitions(const Recipe& recipe, const CellData& data, const std::vector<Index>& rows) {
  if (!recipe.folds.given.empty()) {
    const auto& given = recipe.folds.given;
    return {Folds{1 + *std::max_element(given.begin(), given.end()), given}.restricted_to(rows)};
  }
  std::vector<Folds> out;
  for (int repeat = 0; repeat < recipe.repeats; ++repeat)
    out.push_back(make_folds(recipe.folds, data.labels, recipe.seed, repeat));
  return out;
}

/// A typical distance between rows: the median over a fixed sample of pairs; 1 when all rows are equal.
double typical_distance(const CellData& data) {
  std::vector<double> squares;
  const Index n = data.rows();
  const Index stride = std::max<Index>(1, n * n / 20000) | 1;  // odd, so that it does not run along columns
  for (Index k = 0; k < n * n; k += stride) {
    const double square = data.statistics(k / n, k % n);
    if (k / n != k % n && square > 0) squares.push_back(square);
  }
  if (squares.empty()) return 1;
  const auto middle = squares.begin() + static_cast<std::ptrdiff_t>(squares.size() / 2);
  std::nth_element(squares.begin(), middle, squares.end());
  return std::sqrt(*middle);
}

/// Mean kernel value of a row with itself: the unit in which a ridge is large or small.
double typical_diagonal(const Recipe& recipe, const CellData& data) {
  if (recipe.has_sigma()) return 1;
  const Kernel kernel = recipe.kernel_at(1);
  double sum = 0;
  for (Index i = 0; i < data.rows(); ++i) sum += kernel(data.statistics(i, i));
  const double mean = sum / static_cast<double>(data.rows());
  return mean > 0 && std::isfinite(mean) ? mean : 1;
}

/// One search on one set of rows.
class Search {
 public:
  Search(const Execution& execution, const Recipe& recipe, const CellData& data, const Machine& machine,
         const Decoder& decoder, Observer& observer)
      : execution_(execution),
        recipe_(recipe),
        data_(data),
        machine_(machine),
        decoder_(decoder),
        observer_(observer),
        space_{recipe.sigma, recipe.ridge, recipe.sigma_range, recipe.ridge_range} {
    if (!recipe.has_sigma()) space_.fixed_sigma = 1;
  }

  /// Fills `surface` and `coarse`; both hold only solved cells, `surface` may be empty after an interrupt.
  void run(CellScorer& scorer) {
    if (recipe_.search == SearchKind::grid || !recipe_.tuned()) {
      const auto cells = grid_cells(space_);
      observer_.begin("tuning", static_cast<double>(cells.size()));
      surface = score(scorer, 1)(cells);
    } else {
      const CellParameters start = coarse_start();
      if (!execution_.interrupt.requested())
        surface = pattern_search(space_, start, kWalkCells, data_.rows(), score(scorer, 1));
    }
    observer_.end();
    const auto unsolved = [](const Cell& cell) { return !cell.solved; };
    std::erase_if(surface, unsolved);
    std::erase_if(coarse, unsolved);
  }

  std::vector<Cell> surface;
  std::vector<Cell> coarse;
  Index coarse_rows = 0;

 private:
  /// Scoring that reports progress in units of one cell on all rows, so that the time left is honest across stages.
  ScoreCells score(CellScorer& scorer, double unit) {
    return [this, &scorer, unit](std::span<const CellParameters> cells) {
      return scorer.score(cells, [this, unit](const Cell& cell) {
        done_ += unit;
        best_error_ = std::min(best_error_, cell.error);
        observer_.update(done_, fmt::format("best error {:.2f} %", 100 * best_error_));
      });
    };
  }

  /// Scores a coarse scatter on a subset; where the walk on all rows is to start.
  CellParameters coarse_start() {
    const Index n = data_.rows();
    const Index wanted = std::min(n, std::clamp(n / 2, kCoarseRowsMin, kCoarseRowsMax));
    const auto subset = wanted < n ? stratified_subset(data_.labels, wanted, recipe_.seed) : all_rows(n);
    coarse_rows = static_cast<Index>(subset.size());
    const double share = static_cast<double>(coarse_rows) / static_cast<double>(n);
    const CellData part = data_.part(subset);
    FoldPlan plan;
    plan.count = 0;  // leave-one-out: the cheapest partition to score
    CellScorer scorer(execution_, part, recipe_, machine_, decoder_, {make_folds(plan, part.labels, recipe_.seed, 0)});
    auto cells = coarse_cells(space_, typical_distance(data_), typical_diagonal(recipe_, data_));
    // lambda = ridge/n is what carries over between sizes (SPEC section 15).
    for (CellParameters& cell : cells) cell.ridge *= share;
    const double unit = share * share * share;
    constexpr double usual_walk = 10;  // cells
    observer_.begin("tuning", unit * static_cast<double>(cells.size()) + usual_walk);
    coarse = score(scorer, unit)(cells);
    CellParameters start = smoothest_near_best(coarse, coarse_rows).at;
    start.ridge = space_.fixed_ridge ? *space_.fixed_ridge : start.ridge / share;
    return start;
  }

  const Execution& execution_;
  const Recipe& recipe_;
  const CellData& data_;
  const Machine& machine_;
  const Decoder& decoder_;
  Observer& observer_;
  SearchSpace space_;
  double done_ = 0;
  double best_error_ = 1;
};

}  // namespace

Tuning tune(const Execution& execution, const Dataset& data, const Recipe& recipe, bool nested) {
  recipe.validate();
  if (nested && !recipe.folds.given.empty() && Folds{0, recipe.folds.given}.distinct() < 3) {
    throw ConfigError("--nested needs at least three given folds: with two, the inner search has a single one");
  }
  const auto machine = machine_of(recipe, data.labels, data.class_count());
  const Decoder decoder = decoder_of(recipe, *machine);
  const bool automatic = recipe.search == SearchKind::automatic && recipe.tuned();
  const std::vector<Index> rows = automatic ? at_most(kTuneRows, data, recipe) : all_rows(data.rows());
  const double share = static_cast<double>(rows.size()) / static_cast<double>(data.rows());
  if (share < 1) {
    execution.observer.note(
        fmt::format("tuning on a stratified subset of {} of {} rows; the model is trained on all "
                    "(--search grid tunes on all)",
                    rows.size(), data.rows()));
  }
  Recipe on_subset = recipe;
  if (recipe.ridge) on_subset.ridge = *recipe.ridge * share;
  Tuning tuning;
  auto start = Clock::now();
  const CellData cells = cell_data(execution, recipe, *machine, data, rows);
  tuning.kernel_seconds = seconds_since(start);

  start = Clock::now();
  const auto folds = partitions(recipe, cells, rows);
  CellScorer scorer(execution, cells, on_subset, *machine, decoder, folds);
  Search search(execution, on_subset, cells, *machine, decoder, execution.observer);
  search.run(scorer);
  tuning.interrupted = execution.interrupt.requested();
  tuning.surface = std::move(search.surface);
  tuning.coarse = std::move(search.coarse);
  if (tuning.surface.empty() && tuning.interrupted) {  // what the coarse stage has seen is better than nothing
    if (tuning.coarse.empty()) throw Interrupted();
    const Cell& best = best_cell(tuning.coarse);
    const double growth = static_cast<double>(data.rows()) / static_cast<double>(search.coarse_rows);
    tuning.best = {best.at.sigma, recipe.ridge.value_or(best.at.ridge * growth)};
    tuning.cv = {0, 1, best.error, {}, search.coarse_rows};
    tuning.select_seconds = seconds_since(start);
    return tuning;
  }
  if (tuning.surface.empty()) {
    throw ConfigError(
        "no cell of the search could be solved: the kernel matrix is not positive definite; search larger ridges");
  }
  const Cell& best = best_cell(tuning.surface);
  tuning.best = {best.at.sigma, recipe.ridge.value_or(best.at.ridge / share)};
  tuning.cv = {recipe.folds.leave_one_out() ? 0 : folds.front().count, recipe.repeats, best.error, best.std,
               cells.rows()};
  if (!tuning.interrupted) {
    tuning.temperature = calibrate_temperature(scorer.heldout_scores(best.at, 0), cells.labels);
  }
  if (nested && !tuning.interrupted) {
    const auto choose = [&](const CellData& part, const std::vector<Index>& part_rows) {
      std::vector<Index> table_rows;
      for (const Index row : part_rows) table_rows.push_back(rows[static_cast<std::size_t>(row)]);
      Observer silent;
      Search inner(execution, on_subset, part, *machine, decoder, silent);
      CellScorer inner_scorer(execution, part, on_subset, *machine, decoder, partitions(recipe, part, table_rows));
      inner.run(inner_scorer);
      execution.interrupt.check();
      if (inner.surface.empty()) throw ConfigError("no cell of a nested search could be solved; search larger ridges");
      return best_cell(inner.surface).at;
    };
    try {
      tuning.nested = nested_estimate(execution, recipe, cells, *machine, decoder, folds.front(), choose);
    } catch (const Interrupted&) {
      tuning.interrupted = true;
    }
  }
  tuning.select_seconds = seconds_since(start);
  return tuning;
}

double calibrate(const Execution& execution, const Dataset& data, const Recipe& recipe, const CellParameters& at) {
  const std::vector<Index> rows = at_most(kCalibrationRows, data, recipe);
  const auto machine = machine_of(recipe, data.labels, data.class_count());
  const Decoder decoder = decoder_of(recipe, *machine);
  const CellData cells = cell_data(execution, recipe, *machine, data, rows);
  FoldPlan plan;
  plan.count = static_cast<int>(std::min<Index>(10, cells.rows()));
  CellScorer scorer(execution, cells, recipe, *machine, decoder, {make_folds(plan, cells.labels, recipe.seed, 0)});
  const double share = static_cast<double>(rows.size()) / static_cast<double>(data.rows());
  return calibrate_temperature(scorer.heldout_scores({at.sigma, at.ridge * share}, 0), cells.labels);
}

}  // namespace manyone
