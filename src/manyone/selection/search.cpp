// SPDX-License-Identifier: Apache-2.0
#include "manyone/selection/search.hpp"

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

}  // namespace

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

std::vector<Cell> pattern_search(const SearchSpace& space, CellParameters start, std::size_t limit, Index rows,
                                 const ScoreCells& score) {
  using Step = std::pair<int, int>;  // lattice coordinates (sigma, ridge)
  const auto at = [&](Step s) {
    return CellParameters{start.sigma * std::exp2(0.5 * s.first), start.ridge * std::exp2(2.0 * s.second)};
  };
  constexpr std::array<Step, 7> pattern = {{{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, -1}, {-1, 1}}};
  std::map<Step, Cell> seen;
  Step centre{0, 0};
  while (true) {
    std::vector<Step> steps;
    for (const auto& [i, j] : pattern) {
      const Step step{centre.first + i, centre.second + j};
      if ((i != 0 && space.fixed_sigma) || (j != 0 && space.fixed_ridge)) continue;
      if (!seen.contains(step) && seen.size() + steps.size() < limit) steps.push_back(step);
    }
    if (steps.empty()) break;
    std::vector<CellParameters> cells;
    for (const Step& step : steps) cells.push_back(at(step));
    const std::vector<Cell> scored = score(cells);
    for (std::size_t k = 0; k < steps.size(); ++k) seen[steps[k]] = scored[k];
    const auto best = std::min_element(seen.begin(), seen.end(),
                                       [](const auto& a, const auto& b) { return a.second.better_than(b.second); });
    const Cell& here = seen.at(centre);
    const bool worthwhile = !here.solved || here.error - best->second.error > noise(here.error, rows);
    if (best->first == centre || !worthwhile) break;
    centre = best->first;
  }
  std::vector<Cell> out;
  for (auto& [step, cell] : seen) out.push_back(cell);
  return out;
}

const Cell& best_cell(std::span<const Cell> cells) {
  return *std::min_element(cells.begin(), cells.end(), [](const Cell& a, const Cell& b) { return a.better_than(b); });
}

const Cell& smoothest_near_best(std::span<const Cell> cells, Index rows) {
  const Cell& best = best_cell(cells);
  const Cell* smoothest = &best;
  for (const Cell& cell : cells) {
    const bool near = cell.solved && cell.error <= best.error + noise(best.error, rows);
    if (near && cell.at.ridge > smoothest->at.ridge) smoothest = &cell;
  }
  return *smoothest;
}

}  // namespace manyone
