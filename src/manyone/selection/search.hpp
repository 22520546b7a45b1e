// SPDX-License-Identifier: Apache-2.0
//
// Searches over (sigma, ridge): which cells to look at, in which order. They see cells only through a scoring function,
// so the same searches serve every machine that has a CellScorer.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "manyone/selection/cells.hpp"

namespace manyone {

/// The axes a search may move on. A fixed parameter is an axis with one value.
struct SearchSpace {
  std::optional<double> fixed_sigma;  ///< also set (to 1) for kernels without sigma
  std::optional<double> fixed_ridge;
  LogRange sigma_range;  ///< grid
  LogRange ridge_range;  ///< grid
};

using ScoreCells = std::function<std::vector<Cell>(std::span<const CellParameters>)>;

/// All cells of the grid, sigma-major.
std::vector<CellParameters> grid_cells(const SearchSpace& space);

/// A coarse scatter around the data's own scale: every other cell of widths `scale` x 2^{-3..1}, ridges `unit` x
/// 2^{-9, -6, -3, 0}.
/// `scale` is a typical distance between rows, `unit` a typical kernel value at distance 0.
std::vector<CellParameters> coarse_cells(const SearchSpace& space, double scale, double unit);

/// Walks from `start` on a lattice of sigma x sqrt 2 and ridge x 4, from cell to better neighbour until none is better,
/// over at most `limit` cells. A step is taken only for a gain above the noise of an error counted on `rows` rows:
/// smaller ones lead it along flat valleys into tiny ridges. Neighbours are the four along the axes and the two along
/// the valley in which good cells lie (wider kernel with less ridge, and the reverse). Returns every cell it scored;
/// the best is the result.
std::vector<Cell> pattern_search(const SearchSpace& space, CellParameters start, std::size_t limit, Index rows,
                                 const ScoreCells& score);

/// The best of `cells`; precondition: not empty.
const Cell& best_cell(std::span<const Cell> cells);

/// The cell of the largest ridge among those whose errors, counted on `rows` rows, cannot be told from the best one's.
const Cell& smoothest_near_best(std::span<const Cell> cells, Index rows);

}  // namespace manyone
