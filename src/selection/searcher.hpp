// SPDX-License-Identifier: Apache-2.0
//
// One search on one set of rows: runs the strategy a recipe asks for (selection/search), tells the observer how far it
// is, and keeps a journal of what is scored.
#pragma once

#include <string>

#include "selection/journal.hpp"
#include "selection/search.hpp"
#include "selection/tuning_rows.hpp"

namespace manyone {

class Searcher {
 public:
  /// Everything outlives the searcher. `stage` sets its entries in the journal apart from those of other row sets.
  Searcher(const Execution& execution, const Recipe& recipe, const TuningRows& rows, Observer& observer,
           Journal* journal, std::string stage);

  /// Fills the two below with solved cells; `surface` may be empty after an interrupt.
  void run(CellScorer& scorer);

  std::vector<Cell> surface;         ///< scored on all rows of the search
  std::vector<HalvingRound> rounds;  ///< scored on subsets before; ridges are those for all rows of the search

 private:
  ScoreCells scored_by(CellScorer& scorer, double unit, const std::string& stage);
  /// Scores cells on a subset with folds of its own; ridges are those for all rows.
  std::vector<Cell> score_subset(const std::vector<Index>& subset, std::span<const CellParameters> cells,
                                 const FoldPlan& plan, double unit);
  /// Where to walk from, found on a part of the rows: one cell, or two where so few rows tell little.
  std::vector<CellParameters> coarse_starts();
  /// While the chosen one of `cells` lies at their edge: scores cells beyond it and appends them, a few times.
  void extend(std::vector<Cell>& cells, Index rows, double sigma_factor, double ridge_factor, const ScoreCells& score);
  /// A note if the chosen cell lies at the edge of what was looked at.
  void note_edge();
  /// Scores the cells again, exactly, that the rounding of a screening may have cost or given the first place.
  void confirm(CellScorer& scorer);
  void halve(CellScorer& scorer);
  /// Whole paths of ridges at a few sigmas.
  void walk_paths(const ScoreCells& score);

  const Execution& execution_;
  const Recipe& recipe_;
  const TuningRows& rows_;
  Observer& observer_;
  Journal* journal_;
  std::string stage_;
  SearchSpace space_;
  double done_ = 0;
  double best_error_ = 1;
  bool found_ = false;  ///< a cell was scored
};

}  // namespace manyone
