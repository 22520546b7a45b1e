// SPDX-License-Identifier: Apache-2.0
#include "selection/searcher.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "base/worded.hpp"

namespace manyone {

namespace {

// Rows of the coarse stage of the automatic search: half of the table (an eighth of a cell's price), within these
// bounds (on 29 tables of 150 to 1000 rows 150 and 300 at least gave 21.55 and 21.72 % errors).
constexpr Index kCoarseRowsMin = 150;
constexpr Index kCoarseRowsMax = 700;
// Cells of its walk, at most.
constexpr std::size_t kWalkCells = 16;
// Where ridges are looked at as paths: their steps in powers of two, their number, the widths they are looked at, and
// rows of the first look.
constexpr double kPathStep = 2.4;
constexpr int kPathCells = 11;
constexpr std::size_t kPathSigmas = 7;
constexpr Index kPathRows = 3000;
// Where a standard error is more than this the narrow widths, which any chance pair of neighbours favours, are not the
// only ones that are walked from.
constexpr double kDoubtful = 0.05;
// How often a search goes beyond the edge of what it has looked at.
constexpr int kExtensions = 3;
// Rows by which a screened error may be off (measured: none on letter, one without refinement).
constexpr double kScreenedRows = 2;

void keep_solved(std::vector<Cell>& cells) {
  std::erase_if(cells, [](const Cell& cell) { return !cell.solved; });
}

}  // namespace

Searcher::Searcher(const Execution& execution, const Recipe& recipe, const TuningRows& rows, Observer& observer,
                   Journal* journal, std::string stage)
    : execution_(execution),
      recipe_(recipe),
      rows_(rows),
      observer_(observer),
      journal_(journal),
      stage_(std::move(stage)),
      space_{recipe.sigma, recipe.ridge, recipe.sigma_range, recipe.ridge_range.value_or(rows.usual_ridges())} {
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
    surface = greedy_search(space_, {1, rows_.usual_ridge()}, score);
  } else if (kind == SearchKind::halving) {
    halve(scorer);
  } else if (rows_.scores_paths()) {
    walk_paths(score);
  } else {
    for (const CellParameters& start : coarse_starts()) {
      if (execution_.interrupt.requested()) break;
      for (Cell& cell : pattern_search(space_, start, kWalkCells, rows_.rows(), score)) {
        if (std::ranges::find(surface, cell.at, &Cell::at) == surface.end()) surface.push_back(std::move(cell));
      }
    }
    if (!execution_.interrupt.requested()) {
      extend(surface, rows_.rows(), std::sqrt(2.0), 4, score);
    }
  }
  if (scorer.screening()) confirm(scorer);
  observer_.end();
  keep_solved(surface);
  if (!rows_.scores_paths()) note_edge();
  for (HalvingRound& round : rounds) keep_solved(round.cells);
  std::erase_if(rounds, [](const HalvingRound& round) { return round.cells.empty(); });
}

void Searcher::extend(std::vector<Cell>& cells, Index rows, double sigma_factor, double ridge_factor,
                      const ScoreCells& score) {
  for (int k = 0; k < kExtensions && !execution_.interrupt.requested(); ++k) {
    const CellParameters at = chosen_cell(cells, rows).at;
    const auto beyond = beyond_edge(edge_of(cells, at), at, sigma_factor, ridge_factor);
    if (beyond.empty()) return;
    const auto more = score(beyond);
    cells.insert(cells.end(), more.begin(), more.end());
  }
}

void Searcher::note_edge() {
  if (surface.empty() || execution_.interrupt.requested()) return;
  const CellParameters at = chosen_cell(surface, rows_.rows()).at;
  const Edge edge = edge_of(surface, at);
  const auto note = [&](std::string_view name, double value, int side) {
    if (side == 0) return;
    observer_.note(
        worded("the chosen {0} {1:.4g} is the {2}est that was looked at: a {2}er one may do better "
               "(`grid={0}=LOW:HIGH` says where to look, in powers of two)",
               name, value, side < 0 ? "small" : "larg"));
  };
  note("sigma", at.sigma, edge.sigma);
  note("ridge", at.ridge, edge.ridge);
}

void Searcher::confirm(CellScorer& scorer) {
  keep_solved(surface);
  scorer.screen(false);
  // Until the best cell is one of those scored exactly: a favourite may do worse than it seemed.
  std::vector<bool> exact(surface.size(), false);
  // Rows by which others may be better than they seemed; in the automatic search such differences are below the noise
  // in which it walks.
  const bool walked = recipe_.tuned() && recipe_.search == SearchKind::automatic;
  const double slack = kScreenedRows / static_cast<double>(rows_.rows());
  while (!surface.empty() && !execution_.interrupt.requested()) {
    const double limit = best_cell(surface).error + slack;
    const Cell* chosen = &chosen_cell(surface, rows_.rows());
    std::vector<CellParameters> asked;
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < surface.size(); ++k) {
      if (exact[k] || (&surface[k] != chosen && (walked || surface[k].error > limit))) continue;
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
    const auto say = [this](double done) {
      observer_.update(done, found_ ? fmt::format("best error {:.2f} %", 100 * best_error_) : "");
    };
    const auto finished = [&, this](const Cell& cell) {
      if (journal_ != nullptr) journal_->add(stage, cell);
      done_ += unit;
      found_ = true;
      best_error_ = std::min(best_error_, cell.error);
      say(done_);
    };
    return scorer.score(cells, finished, [&, this](double more) { say(done_ + unit * more); });
  };
  if (journal_ != nullptr) compute = journalled(std::move(compute), *journal_, stage, rows_.shares_kernel());
  if (journal_ == nullptr && !rows_.shares_kernel()) return compute;
  return [&scorer, score = std::move(compute)](std::span<const CellParameters> cells) {
    scorer.note_asked(cells);
    return score(cells);
  };
}

std::vector<Cell> Searcher::score_subset(const std::vector<Index>& subset, std::span<const CellParameters> cells,
                                         const FoldPlan& plan, double unit) {
  const auto part = rows_.part(subset);
  CellScorer scorer(execution_, *part, {make_folds(plan.of_rows(subset), part->labels(), recipe_.seed, 0)});
  scorer.screen(true);
  std::vector<CellParameters> carried(cells.begin(), cells.end());
  for (CellParameters& cell : carried) cell.ridge = rows_.carried(cell.ridge, rows_.rows(), part->rows());
  auto scored = scored_by(scorer, unit, fmt::format("{} on {}", stage_, subset.size()))(carried);
  for (std::size_t k = 0; k < scored.size(); ++k) scored[k].at = cells[k];
  return scored;
}

std::vector<CellParameters> Searcher::coarse_starts() {
  const Index n = rows_.rows();
  const Index wanted = std::min(n, std::clamp(n / 2, kCoarseRowsMin, kCoarseRowsMax));
  std::vector<Index> subset(static_cast<std::size_t>(n));
  std::iota(subset.begin(), subset.end(), Index{0});
  if (wanted < n) subset = stratified_subset(rows_.labels(), wanted, recipe_.seed);
  const auto size = static_cast<Index>(subset.size());
  const double share = static_cast<double>(size) / static_cast<double>(n);
  const auto cells = coarse_cells(space_, rows_.typical_distance(), rows_.typical_diagonal() * rows_.usual_ridge());
  const int quick = rows_.shares_kernel() ? static_cast<int>(std::min<Index>(5, size))
                                          : 0;  // leave-one-out where it is the cheapest partition to score
  const FoldPlan plan = recipe_.folds.quick(quick);
  const double unit = share * share * share;
  constexpr double usual_walk = 10;  // cells
  observer_.begin("tuning", unit * static_cast<double>(cells.size()) + usual_walk);
  const auto score = [&](std::span<const CellParameters> asked) { return score_subset(subset, asked, plan, unit); };
  rounds.push_back({size, score(cells)});
  const Cell* widest = nullptr;  // and smoothest of those that may be the best
  const double least = best_cell(rounds.back().cells).error;
  const double limit = 2 * near_limit(rounds.back().cells, size) - least;  // within two standard errors
  for (const Cell& cell : rounds.back().cells) {
    if (!cell.solved || cell.error > limit) continue;
    const bool wider = widest == nullptr || cell.at.sigma > widest->at.sigma;
    if (wider || (cell.at.sigma == widest->at.sigma && cell.at.ridge > widest->at.ridge)) widest = &cell;
  }
  const std::optional<CellParameters> wide = widest == nullptr ? std::nullopt : std::optional(widest->at);
  extend(rounds.back().cells, size, 2, 8, score);
  const Cell& chosen = chosen_cell(rounds.back().cells, size);
  const bool doubtful = near_limit(rounds.back().cells, size) - best_cell(rounds.back().cells).error > kDoubtful;
  if (doubtful && wide && wide->sigma > chosen.at.sigma) return {chosen.at, *wide};
  return {chosen.at};
}

void Searcher::halve(CellScorer& scorer) {
  const Index n = rows_.rows();
  const auto cells = grid_cells(space_);
  std::map<Index, std::vector<Index>> subsets;
  for (const Index size : halving_rounds(n)) {
    const auto subset = stratified_subset(rows_.labels(), size, recipe_.seed);
    subsets[static_cast<Index>(subset.size())] = subset;
  }
  std::vector<Index> sizes;
  for (const auto& [size, subset] : subsets) {
    if (size < n) sizes.push_back(size);
  }
  FoldPlan plan = recipe_.folds;
  if (!plan.given.empty()) plan = plan.quick(plan.count);
  const auto all_rows = scored_by(scorer, 1, stage_);
  observer_.begin("tuning", 5 + static_cast<double>(cells.size()) / 20);  // five finalists, and what comes before them
  Halving found = halving_search(cells, n, sizes, [&](Index rows, std::span<const CellParameters> asked) {
    if (rows == n) return all_rows(asked);
    const double share = static_cast<double>(rows) / static_cast<double>(n);
    return score_subset(subsets.at(rows), asked, plan, share * share * share);
  });
  rounds = std::move(found.rounds);
  surface = std::move(found.finalists);
}

void Searcher::walk_paths(const ScoreCells& score) {
  const Index n = rows_.rows();
  const auto path = [this](double sigma) {
    std::vector<CellParameters> cells;
    for (const double ridge :
         ridge_path(space_, rows_.typical_diagonal() * rows_.usual_ridge(), kPathStep, kPathCells)) {
      cells.push_back({sigma, ridge});
    }
    return cells;
  };
  const double length = static_cast<double>(path(1).size());
  observer_.begin("tuning", 6 * length);
  double sigma = space_.fixed_sigma.value_or(1);
  if (!space_.fixed_sigma) {
    // Widths around the data's own scale, on few rows.
    std::vector<CellParameters> cells;
    for (int k = -3; k <= 1; ++k) {
      const auto more = path(rows_.typical_distance() * std::exp2(k));
      cells.insert(cells.end(), more.begin(), more.end());
    }
    std::vector<Index> subset(static_cast<std::size_t>(n));
    std::iota(subset.begin(), subset.end(), Index{0});
    if (n > kPathRows) subset = stratified_subset(rows_.labels(), kPathRows, recipe_.seed);
    rounds.push_back({static_cast<Index>(subset.size()), score_subset(subset, cells, recipe_.folds.quick(3), 0.2)});
    if (execution_.interrupt.requested()) return;
    sigma = chosen_cell(rounds.back().cells, rounds.back().rows).at.sigma;
  }
  surface = score(path(sigma));
  for (const double factor : {std::sqrt(2.0), std::sqrt(0.5)}) {
    if (space_.fixed_sigma || execution_.interrupt.requested()) break;
    double best = best_cell(surface).error;
    for (double width = sigma * factor; surface.size() < kPathSigmas * path(1).size(); width *= factor) {
      const auto cells = score(path(width));
      surface.insert(surface.end(), cells.begin(), cells.end());
      const double error = best_cell(cells).error;
      if (!(error < best) || execution_.interrupt.requested()) break;
      best = error;
    }
  }
  if (space_.fixed_ridge || execution_.interrupt.requested() || surface.empty()) return;
  // Between the steps of the path, at the best width.
  const CellParameters at = chosen_cell(surface, n).at;
  const double half = std::exp2(kPathStep / 2);
  const std::vector<CellParameters> between = {{at.sigma, at.ridge / half}, {at.sigma, at.ridge * half}};
  const auto cells = score(between);
  surface.insert(surface.end(), cells.begin(), cells.end());
}

}  // namespace manyone
