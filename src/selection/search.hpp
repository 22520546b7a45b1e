// SPDX-License-Identifier: Apache-2.0
//
// Searches over (sigma, ridge): which cells to look at, in which order. They see cells only through a scoring function,
// so the same searches serve every machine that has a CellScorer.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "selection/cells.hpp"

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

/// `count` ridges around `unit`, each 2^step times the one before; a fixed ridge alone.
std::vector<double> ridge_path(const SearchSpace& space, double unit, double step, int count);

/// Walks from `start` on a lattice of sigma x sqrt 2 and ridge x 4, from cell to better neighbour until none is better,
/// over at most `limit` cells. A step is taken only for a gain above the noise of an error counted on `rows` rows:
/// smaller ones lead it along flat valleys into tiny ridges. Neighbours are the four along the axes and, where none of
/// those is better, the two along the valley in which good cells lie (wider kernel with less ridge, and the reverse).
/// Returns every cell it scored; the best is the result.
std::vector<Cell> pattern_search(const SearchSpace& space, CellParameters start, std::size_t limit, Index rows,
                                 const ScoreCells& score);

/// Where a nested uniform design looks: a box in log2 of both axes. A fixed parameter is an axis of length 0.
struct DesignBox {
  CellParameters centre;
  double sigma_length = 8;  ///< in log2
  double ridge_length = 8;  ///< in log2
};

/// The box of the ranges of `space`, from the lowest to the highest value; their steps play no part.
DesignBox design_box(const SearchSpace& space);

/// The new cells of one stage (1, 2, ...) of the nested uniform design (SPEC section 9), whose box has 2^(1-stage) of
/// the lengths of `box` around `centre`: 13 cells in stage 1, the first at the centre; 8 in later stages, where the
/// centre is the winner so far and is left out. They may leave `box`. When one axis is fixed the levels of a
/// two-dimensional design would crowd on a line, so evenly spread points take their place: 7, then 4, spaced so that
/// none falls on a cell of the stage before. With both fixed there is one cell, then none.
std::vector<CellParameters> design_cells(int stage, const DesignBox& box, const CellParameters& centre);

/// Two stages of the design, the second around the best cell of the first. Returns every cell in the order scored.
std::vector<Cell> design_search(const DesignBox& box, const ScoreCells& score);

/// Doubles sigma from `start` until three cells in a row are no better than the best error so far, halves it likewise,
/// then does the same with the ridge at the best sigma (SPEC section 10). Only the error counts as better: the loss
/// alone would draw the walk along plateaus. Goes at most 40 steps each way. Fixed parameters take the place of the
/// start's. Returns every cell in the order scored; none is scored twice.
std::vector<Cell> greedy_search(const SearchSpace& space, CellParameters start, const ScoreCells& score);

/// Scores cells on a subset of that many rows (or on all); their ridges refer to all rows.
using ScoreOnRows = std::function<std::vector<Cell>(Index rows, std::span<const CellParameters>)>;

/// One round of halving_search: cells scored on a subset. The ridges here refer to all rows.
struct HalvingRound {
  Index rows = 0;
  std::vector<Cell> cells;
};

struct Halving {
  std::vector<HalvingRound> rounds;  ///< on subsets
  std::vector<Cell> finalists;       ///< on all rows
};

/// Subset sizes for n rows: n/8, n/4, n/2, without those too small to tell cells apart.
std::vector<Index> halving_rounds(Index n);

/// Successive halving (SPEC section 15). `rounds` are the sizes of the subsets, ascending and below `rows`. Each round
/// scores the surviving cells on its subset; the best third goes on, but at least five, without cells that could not
/// be solved. The last survivors are scored on all rows. Once five or fewer are left no further subset is looked at.
/// Survivors keep the order of `cells`.
Halving halving_search(std::span<const CellParameters> cells, Index rows, std::span<const Index> rounds,
                       const ScoreOnRows& score);

/// Where a cell lies at the edge of what was looked at: per axis -1 (nothing below), 1 (nothing above) or 0.
struct Edge {
  int sigma = 0;
  int ridge = 0;
  bool operator==(const Edge&) const = default;
};
/// 0 on an axis with a single value.
Edge edge_of(std::span<const Cell> cells, const CellParameters& at);

/// The next cells beyond the edge at which `at` lies, by these factors; none where it lies inside.
std::vector<CellParameters> beyond_edge(const Edge& edge, const CellParameters& at, double sigma_factor,
                                        double ridge_factor);

/// The largest error that cannot be told from the smallest one: within one standard error of it.
double near_limit(std::span<const Cell> cells, Index rows);

/// The best of `cells`; precondition: not empty.
const Cell& best_cell(std::span<const Cell> cells);

/// The cell a search ends with. Errors, counted on `rows` rows, that lie within one standard error of the smallest
/// cannot be told from it: among those cells the width of the smallest loss counts (of equal ones the widest), and at
/// that width the largest ridge whose loss is about as small.
const Cell& chosen_cell(std::span<const Cell> cells, Index rows);

}  // namespace manyone
