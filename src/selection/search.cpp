// SPDX-License-Identifier: Apache-2.0
#include "selection/search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace manyone {

namespace {

/// Half a standard error of an error rate counted on that many rows.
double noise(double error, Index rows) {
  const auto n = static_cast<double>(rows);
  const double rate = std::clamp(error, 1 / n, 1.0);
  return 0.5 * std::sqrt(rate * (1 - rate) / n);
}

// Losses up to so many times the smallest are about as small: at one width they may fall with the ridge for ever.
constexpr double kAlike = 1.02;

// Where the noise is more than this, neighbours along the diagonal differ by chance.
constexpr double kNoisy = 0.01;

/// Levels (sigma, ridge) of a design's points, counted from 1 to the number of points; the first is the centre.
using Levels = std::pair<int, int>;
constexpr std::array<Levels, 13> kDesign13 = {
    {{7, 7}, {5, 4}, {12, 3}, {2, 11}, {9, 10}, {6, 13}, {3, 2}, {11, 12}, {13, 8}, {10, 5}, {1, 6}, {4, 9}, {8, 1}}};
constexpr std::array<Levels, 9> kDesign9 = {{{5, 5}, {1, 4}, {7, 8}, {2, 7}, {3, 2}, {9, 6}, {8, 3}, {6, 1}, {4, 9}}};
// For a single axis: steps of 1/6 of its length, then of 1/8.
constexpr std::array<Levels, 7> kLine7 = {{{4, 4}, {1, 1}, {2, 2}, {3, 3}, {5, 5}, {6, 6}, {7, 7}}};
constexpr std::array<Levels, 5> kLine5 = {{{3, 3}, {1, 1}, {2, 2}, {4, 4}, {5, 5}}};

std::span<const Levels> design_levels(int stage, const DesignBox& box) {
  if (box.sigma_length > 0 && box.ridge_length > 0) {
    return stage == 1 ? std::span<const Levels>(kDesign13) : kDesign9;
  }
  if (box.sigma_length > 0 || box.ridge_length > 0) return stage == 1 ? std::span<const Levels>(kLine7) : kLine5;
  return std::span(kLine7).first(1);
}

// Cells in a row that bring nothing before the greedy search turns around, and its steps in one direction, at most.
constexpr int kGreedyFailures = 3;
constexpr int kGreedySteps = 40;

/// Walks away from `at` along one axis and appends the cells to `seen`, which is not empty.
void greedy_walk(CellParameters at, double CellParameters::*axis, double factor, const ScoreCells& score,
                 std::vector<Cell>& seen) {
  Cell best = best_cell(seen);
  int failures = 0;
  int steps = 0;
  while (failures < kGreedyFailures) {
    // So many cells will be looked at whatever their scores are, so they can be scored side by side.
    std::vector<CellParameters> ahead;
    for (int k = failures; k < kGreedyFailures && steps < kGreedySteps; ++k, ++steps) {
      at.*axis *= factor;
      if (!std::isnormal(at.*axis)) break;
      ahead.push_back(at);
    }
    if (ahead.empty()) return;
    for (const Cell& cell : score(ahead)) {
      const bool better = cell.solved && (!best.solved || cell.error < best.error);
      if (better) best = cell;
      failures = better ? 0 : failures + 1;
      seen.push_back(cell);
    }
  }
}

// Cells that halving scores on all rows, at least.
constexpr std::size_t kFinalists = 5;
// Rows on which halving compares cells, at least.
constexpr Index kHalvingRows = 100;

/// The cells that go on to the next round, in the order they are in: by error, and by loss where that tells nothing.
std::vector<CellParameters> survivors(std::span<const Cell> cells, Index rows) {
  const std::size_t keep = std::max((cells.size() + 2) / 3, kFinalists);
  const double limit = near_limit(cells, rows);
  std::vector<const Cell*> ranked;
  for (const Cell& cell : cells) {
    if (cell.solved) ranked.push_back(&cell);
  }
  std::stable_sort(ranked.begin(), ranked.end(), [limit](const Cell* a, const Cell* b) {
    const bool both_near = a->error <= limit && b->error <= limit;
    return both_near && a->loss != b->loss ? a->loss < b->loss : a->better_than(*b);
  });
  ranked.resize(std::min(ranked.size(), keep));
  std::sort(ranked.begin(), ranked.end());  // all point into `cells`
  std::vector<CellParameters> out;
  out.reserve(ranked.size());
  for (const Cell* cell : ranked) out.push_back(cell->at);
  return out;
}

}  // namespace

double near_limit(std::span<const Cell> cells, Index rows) {
  const double least = best_cell(cells).error;
  return least + 2 * noise(least, rows);
}

std::vector<CellParameters> grid_cells(const SearchSpace& space) {
  const std::vector<double> sigmas = space.fixed_sigma ? std::vector{*space.fixed_sigma} : space.sigma_range.values();
  const std::vector<double> ridges = space.fixed_ridge ? std::vector{*space.fixed_ridge} : space.ridge_range.values();
  std::vector<CellParameters> cells;
  for (const double sigma : sigmas) {
    for (const double ridge : ridges) cells.push_back({sigma, ridge});
  }
  return cells;
}

std::vector<CellParameters> coarse_cells(const SearchSpace& space, double scale, double unit) {
  std::vector<double> sigmas;
  std::vector<double> ridges;
  for (int k = -3; k <= 1; ++k) sigmas.push_back(scale * std::exp2(k));
  for (int k = -9; k <= 0; k += 3) ridges.push_back(unit * std::exp2(k));
  if (space.fixed_sigma) sigmas = {*space.fixed_sigma};
  if (space.fixed_ridge) ridges = {*space.fixed_ridge};
  const bool both = sigmas.size() > 1 && ridges.size() > 1;
  std::vector<CellParameters> cells;
  for (std::size_t i = 0; i < sigmas.size(); ++i) {
    for (std::size_t j = 0; j < ridges.size(); ++j) {
      if (!both || (i + j) % 2 == 0) cells.push_back({sigmas[i], ridges[j]});
    }
  }
  return cells;
}

std::vector<double> ridge_path(const SearchSpace& space, double unit, double step, int count) {
  if (space.fixed_ridge) return {*space.fixed_ridge};
  std::vector<double> out;
  for (int k = 0; k < count; ++k) out.push_back(unit * std::exp2(step * (k - (count - 1) / 2.0)));
  return out;
}

std::vector<Cell> pattern_search(const SearchSpace& space, CellParameters start, std::size_t limit, Index rows,
                                 const ScoreCells& score) {
  using Step = std::pair<int, int>;  // lattice coordinates (sigma, ridge)
  const auto at = [&](Step s) {
    return CellParameters{start.sigma * std::exp2(0.5 * s.first), start.ridge * std::exp2(2.0 * s.second)};
  };
  // The last one is for the first look alone: the walk starts from the smoothest of the good cells and often goes on to
  // there, and an even number keeps pairs of workers busy.
  constexpr std::array<Step, 6> first = {{{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}, {-1, -1}}};
  const std::span<const Step> cross(first.data(), 5);
  constexpr std::array<Step, 2> diagonal = {{{1, -1}, {-1, 1}}};  // along which errors change least
  std::map<Step, Cell> seen;
  Step centre{0, 0};
  bool looks_aside = false;
  while (true) {
    std::vector<Step> steps;
    const std::span<const Step> looks_at = looks_aside ? diagonal : seen.empty() ? std::span(first) : cross;
    for (const auto& [i, j] : looks_at) {
      const Step step{centre.first + i, centre.second + j};
      if ((i != 0 && space.fixed_sigma) || (j != 0 && space.fixed_ridge)) continue;
      if (!seen.contains(step) && seen.size() + steps.size() < limit) steps.push_back(step);
    }
    if (!steps.empty()) {
      std::vector<CellParameters> cells;
      for (const Step& step : steps) cells.push_back(at(step));
      const std::vector<Cell> scored = score(cells);
      for (std::size_t k = 0; k < steps.size(); ++k) seen[steps[k]] = scored[k];
    } else if (looks_aside || seen.size() >= limit) {
      break;
    }
    const auto best = std::min_element(seen.begin(), seen.end(),
                                       [](const auto& a, const auto& b) { return a.second.better_than(b.second); });
    const Cell& here = seen.at(centre);
    const bool worthwhile = !here.solved || here.error - best->second.error > noise(here.error, rows);
    if (best->first != centre && worthwhile) {
      centre = best->first;
      looks_aside = false;
    } else if (looks_aside || best->first != centre || noise(here.error, rows) > kNoisy) {
      break;
    } else {
      looks_aside = true;  // the best of its cross
    }
  }
  std::vector<Cell> out;
  for (auto& [step, cell] : seen) out.push_back(cell);
  return out;
}

DesignBox design_box(const SearchSpace& space) {
  const auto middle = [](const LogRange& range) { return std::exp2((range.low + range.high) / 2); };
  DesignBox box;
  box.centre = {space.fixed_sigma.value_or(middle(space.sigma_range)),
                space.fixed_ridge.value_or(middle(space.ridge_range))};
  box.sigma_length = space.fixed_sigma ? 0 : space.sigma_range.high - space.sigma_range.low;
  box.ridge_length = space.fixed_ridge ? 0 : space.ridge_range.high - space.ridge_range.low;
  return box;
}

std::vector<CellParameters> design_cells(int stage, const DesignBox& box, const CellParameters& centre) {
  const std::span<const Levels> points = design_levels(stage, box);
  const double last = std::max(1.0, static_cast<double>(points.size()) - 1);
  // log2 of the point / centre: (T-1)/(N-1) len/2^{stage-1} - len/2^{stage}; exactly 0 on a fixed axis.
  const auto shifted = [&](double value, int level, double length) {
    return value * std::exp2(((level - 1) / last - 0.5) * length * std::exp2(1 - stage));
  };
  std::vector<CellParameters> cells;
  for (const auto& [i, j] : points.subspan(stage == 1 ? 0 : 1)) {
    cells.push_back({shifted(centre.sigma, i, box.sigma_length), shifted(centre.ridge, j, box.ridge_length)});
  }
  return cells;
}

std::vector<Cell> design_search(const DesignBox& box, const ScoreCells& score) {
  std::vector<Cell> seen = score(design_cells(1, box, box.centre));
  const auto cells = design_cells(2, box, best_cell(seen).at);
  if (cells.empty()) return seen;
  const std::vector<Cell> second = score(cells);
  seen.insert(seen.end(), second.begin(), second.end());
  return seen;
}

std::vector<Cell> greedy_search(const SearchSpace& space, CellParameters start, const ScoreCells& score) {
  start = {space.fixed_sigma.value_or(start.sigma), space.fixed_ridge.value_or(start.ridge)};
  std::vector<Cell> seen = score(std::span(&start, 1));
  const auto both_ways = [&](double CellParameters::*axis) {
    const Cell best = best_cell(seen);
    const CellParameters from = best.solved ? best.at : start;
    for (const double factor : {2.0, 0.5}) greedy_walk(from, axis, factor, score, seen);
  };
  if (!space.fixed_sigma) both_ways(&CellParameters::sigma);
  if (!space.fixed_ridge) both_ways(&CellParameters::ridge);
  return seen;
}

std::vector<Index> halving_rounds(Index n) {
  std::vector<Index> rounds;
  for (const Index divisor : {8, 4, 2}) {
    if (n / divisor >= kHalvingRows) rounds.push_back(n / divisor);
  }
  return rounds;
}

Halving halving_search(std::span<const CellParameters> cells, Index rows, std::span<const Index> rounds,
                       const ScoreOnRows& score) {
  Halving out;
  std::vector<CellParameters> left(cells.begin(), cells.end());
  for (const Index size : rounds) {
    if (left.size() <= kFinalists) break;
    HalvingRound round{size, score(size, left)};
    left = survivors(round.cells, size);
    out.rounds.push_back(std::move(round));
  }
  if (!left.empty()) out.finalists = score(rows, left);
  return out;
}

Edge edge_of(std::span<const Cell> cells, const CellParameters& at) {
  const auto side = [&](double CellParameters::*axis) {
    const auto [low, high] = std::ranges::minmax(cells, {}, [&](const Cell& cell) { return cell.at.*axis; });
    if (low.at.*axis == high.at.*axis) return 0;
    return at.*axis == low.at.*axis ? -1 : at.*axis == high.at.*axis ? 1 : 0;
  };
  return {side(&CellParameters::sigma), side(&CellParameters::ridge)};
}

std::vector<CellParameters> beyond_edge(const Edge& edge, const CellParameters& at, double sigma_factor,
                                        double ridge_factor) {
  std::vector<CellParameters> out;
  if (edge.sigma != 0) out.push_back({at.sigma * std::pow(sigma_factor, edge.sigma), at.ridge});
  if (edge.ridge != 0) out.push_back({at.sigma, at.ridge * std::pow(ridge_factor, edge.ridge)});
  return out;
}

const Cell& best_cell(std::span<const Cell> cells) {
  return *std::min_element(cells.begin(), cells.end(), [](const Cell& a, const Cell& b) { return a.better_than(b); });
}

const Cell& chosen_cell(std::span<const Cell> cells, Index rows) {
  const Cell& best = best_cell(cells);
  const double limit = near_limit(cells, rows);
  const auto near = [&](const Cell& cell) { return cell.solved && cell.error <= limit; };
  const Cell* least = &best;  // of the smallest loss, and the widest of such
  for (const Cell& cell : cells) {
    if (!near(cell)) continue;
    if (cell.loss < least->loss || (cell.loss == least->loss && cell.at.sigma > least->at.sigma)) least = &cell;
  }
  const Cell* chosen = least;
  for (const Cell& cell : cells) {
    const bool alike = near(cell) && cell.at.sigma == least->at.sigma && cell.loss <= kAlike * least->loss;
    if (alike && cell.at.ridge > chosen->at.ridge) chosen = &cell;
  }
  return *chosen;
}

}  // namespace manyone
