// SPDX-License-Identifier: Apache-2.0
#include "manyone/selection/searcher.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace manyone {

namespace {

// Rows of the coarse stage of the automatic search: half of the table (an eighth of a cell's price), within these
// bounds.
constexpr Index kCoarseRowsMin = 250;
constexpr Index kCoarseRowsMax = 1000;
// Cells of its walk, at most.
constexpr std::size_t kWalkCells = 16;
// Rows by which a screened error may be off (measured: none on letter, one without refinement).
constexpr double kScreenedRows = 2;

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

/// The papers' 2^-4 .. 2^4, around what is usual for the machine.
LogRange usual_ridges(const Machine& machine, Index rows) {
  LogRange range;
  const double shift = std::round(std::log2(machine.ridge_unit(rows)));
  return {range.low + shift, range.high + shift, range.step};
}

void keep_solved(std::vector<Cell>& cells) {
  std::erase_if(cells, [](const Cell& cell) { return !cell.solved; });
}

}  // namespace

Searcher::Searcher(const Execution& execution, const Recipe& recipe, const CellData& data, const Machine& machine,
                   const Decoder& decoder, Observer& observer, Journal* journal, std::string stage)
    : execution_(execution),
      recipe_(recipe),
      data_(data),
      machine_(machine),
      decoder_(decoder),
      observer_(observer),
      journal_(journal),
      stage_(std::move(stage)),
      space_{recipe.sigma, recipe.ridge, recipe.sigma_range,
             recipe.ridge_range.value_or(usual_ridges(machine, data.rows()))} {
  if (!recipe.has_sigma()) space_.fixed_sigma = 1;
}

void Searcher::run(CellScorer& scorer) {
  scorer.screen(recipe_.tuned());
  const auto score = scored_by(scorer, 1, stage_);
  const SearchKind kind = recipe_.tuned() ? recipe_.search : SearchKind::grid;
  if (kind == SearchKind::grid) {
    const auto cells = grid_cells(space_);
    observer_.begin("tuning", static_cast<double>(cells.size()));
    surface = score(cells);
  } else if (kind == SearchKind::design) {
    observer_.begin("tuning", 21);
    surface = design_search(design_box(space_), score);
  } else if (kind == SearchKind::greedy) {
    observer_.begin("tuning", 20);  // two walks of about ten cells
    surface = greedy_search(space_, {1, machine_.ridge_unit(data_.rows())}, score);
  } else if (kind == SearchKind::halving) {
    halve(scorer);
  } else {
    const CellParameters start = coarse_start();
    if (!execution_.interrupt.requested()) surface = pattern_search(space_, start, kWalkCells, data_.rows(), score);
  }
  if (scorer.screening()) confirm(scorer);
  observer_.end();
  keep_solved(surface);
  for (HalvingRound& round : rounds) keep_solved(round.cells);
  std::erase_if(rounds, [](const HalvingRound& round) { return round.cells.empty(); });
}

void Searcher::confirm(CellScorer& scorer) {
  keep_solved(surface);
  scorer.screen(false);
  // Until the best cell is one of those scored exactly: a favourite may do worse than it seemed.
  std::vector<bool> exact(surface.size(), false);
  while (!surface.empty() && !execution_.interrupt.requested()) {
    const double limit = best_cell(surface).error + kScreenedRows / static_cast<double>(data_.rows());
    std::vector<CellParameters> asked;
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < surface.size(); ++k) {
      if (exact[k] || surface[k].error > limit) continue;
      asked.push_back(surface[k].at);
      places.push_back(k);
      exact[k] = true;
    }
    if (asked.empty()) return;
    const auto scored = scored_by(scorer, 1, stage_ + " exactly")(asked);
    for (std::size_t k = 0; k < places.size(); ++k) {
      if (scored[k].solved) surface[places[k]] = scored[k];  // not when interrupted
    }
  }
}

// Progress is counted in units of one cell on all rows, so that the time left is honest across stages.
ScoreCells Searcher::scored_by(CellScorer& scorer, double unit, const std::string& stage) {
  ScoreCells compute = [this, &scorer, unit, stage](std::span<const CellParameters> cells) {
    return scorer.score(cells, [this, unit, &stage](const Cell& cell) {
      if (journal_ != nullptr) journal_->add(stage, cell);
      done_ += unit;
      best_error_ = std::min(best_error_, cell.error);
      observer_.update(done_, fmt::format("best error {:.2f} %", 100 * best_error_));
    });
  };
  return journal_ == nullptr ? compute : journalled(std::move(compute), *journal_, stage, machine_.shares_kernel());
}

std::vector<Cell> Searcher::score_subset(const std::vector<Index>& subset, std::span<const CellParameters> cells,
                                         const FoldPlan& plan, double unit) {
  const CellData part = data_.part(subset);
  CellScorer scorer(execution_, part, recipe_, machine_, decoder_, {make_folds(plan, part.labels, recipe_.seed, 0)});
  scorer.screen(true);
  std::vector<CellParameters> carried(cells.begin(), cells.end());
  for (CellParameters& cell : carried) cell.ridge = machine_.carried(cell.ridge, data_.rows(), part.rows());
  auto scored = scored_by(scorer, unit, fmt::format("{} on {}", stage_, subset.size()))(carried);
  for (std::size_t k = 0; k < scored.size(); ++k) scored[k].at = cells[k];
  return scored;
}

CellParameters Searcher::coarse_start() {
  const Index n = data_.rows();
  const Index wanted = std::min(n, std::clamp(n / 2, kCoarseRowsMin, kCoarseRowsMax));
  std::vector<Index> subset(static_cast<std::size_t>(n));
  std::iota(subset.begin(), subset.end(), Index{0});
  if (wanted < n) subset = stratified_subset(data_.labels, wanted, recipe_.seed);
  const auto size = static_cast<Index>(subset.size());
  const double share = static_cast<double>(size) / static_cast<double>(n);
  const auto cells =
      coarse_cells(space_, typical_distance(data_), typical_diagonal(recipe_, data_) * machine_.ridge_unit(n));
  FoldPlan plan;
  plan.count = machine_.shares_kernel() ? 5 : 0;  // leave-one-out where it is the cheapest partition to score
  const double unit = share * share * share;
  constexpr double usual_walk = 10;  // cells
  observer_.begin("tuning", unit * static_cast<double>(cells.size()) + usual_walk);
  rounds.push_back({size, score_subset(subset, cells, plan, unit)});
  return smoothest_near_best(rounds.back().cells, size).at;
}

void Searcher::halve(CellScorer& scorer) {
  const Index n = data_.rows();
  const auto cells = grid_cells(space_);
  std::map<Index, std::vector<Index>> subsets;
  for (const Index size : halving_rounds(n)) {
    const auto subset = stratified_subset(data_.labels, size, recipe_.seed);
    subsets[static_cast<Index>(subset.size())] = subset;
  }
  std::vector<Index> sizes;
  for (const auto& [size, subset] : subsets) {
    if (size < n) sizes.push_back(size);
  }
  FoldPlan plan = recipe_.folds;
  plan.given.clear();
  const auto all_rows = scored_by(scorer, 1, stage_);
  observer_.begin("tuning", 5 + static_cast<double>(cells.size()) / 20);  // five finalists, and what comes before them
  Halving found = halving_search(cells, n, sizes, [&](Index rows, std::span<const CellParameters> asked) {
    if (rows == n) return all_rows(asked);
    const double share = static_cast<double>(rows) / static_cast<double>(n);
    FoldPlan on_subset = plan;
    if (on_subset.count > rows) on_subset.count = static_cast<int>(rows);
    return score_subset(subsets.at(rows), asked, on_subset, share * share * share);
  });
  rounds = std::move(found.rounds);
  surface = std::move(found.finalists);
}

}  // namespace manyone
