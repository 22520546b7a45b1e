// SPDX-License-Identifier: Apache-2.0
//
// Cells of the search surface and the object that scores them. A CellScorer holds the pair statistics of the rows once
// and gives the exact cross-validation error of any (sigma, ridge) from one inverse, for all folds and all repeats.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "manyone/backend/backend.hpp"
#include "manyone/data/splits.hpp"
#include "manyone/model/recipe.hpp"

namespace manyone {

struct CellParameters {
  double sigma = 1;  ///< ignored by kernels without one
  double ridge = 1;
};

struct Cell {
  CellParameters at;
  double error = 1;                ///< cross-validation error: mean over folds of fold error rates, mean over repeats
  std::optional<double> std = {};  ///< over repeats; nothing for a single one
  double loss = 0;      ///< mean squared distance of held-out outputs to their indicator; breaks ties of the error
  bool solved = false;  ///< false: the system was not positive definite

  /// Smaller error first, then smaller loss, then the smoother cell (larger ridge, larger sigma).
  bool better_than(const Cell& other) const;
};

/// The labelled rows a search works on.
struct CellData {
  Matrix statistics;  ///< n x n pair statistics of the scaled rows (the Gram matrix itself if precomputed)
  std::vector<int> labels;
  Index classes = 0;
  Vector weights;  ///< row weights or empty

  Index rows() const { return static_cast<Index>(labels.size()); }
  /// The same for some of the rows.
  CellData part(const std::vector<Index>& rows) const;
};

class CellScorer {
 public:
  /// `data` and the execution's referents outlive the scorer. `gamma` is the label Gram matrix (L x L).
  CellScorer(const Execution& execution, const CellData& data, const Recipe& recipe, const Matrix& gamma,
             std::vector<Folds> partitions);
  ~CellScorer();
  CellScorer(const CellScorer&) = delete;
  CellScorer& operator=(const CellScorer&) = delete;

  /// Scores all cells, in parallel where memory allows. `done` is told of each finished cell, one at a time. When
  /// interrupted, returns what is finished: the other cells have solved == false and error 1.
  std::vector<Cell> score(std::span<const CellParameters> cells, const std::function<void(const Cell&)>& done);

  /// Held-out scores (n x L) of one cell in one partition. Throws ConfigError if the cell cannot be solved.
  Matrix heldout_scores(const CellParameters& at, std::size_t partition);

  /// Bytes needed to score cells of n rows one at a time, statistics included.
  static double bytes_needed(Index n);

 private:
  struct Scratch;
  bool solve(const CellParameters& at, Scratch& scratch) const;
  Cell score_one(const CellParameters& at, Scratch& scratch) const;

  const Execution& execution_;
  const CellData& data_;
  const Recipe& recipe_;
  Matrix gamma_;
  std::vector<Folds> partitions_;
  Matrix targets_;
  std::vector<std::unique_ptr<Scratch>> scratch_;  ///< one per worker, kept from call to call
};

/// Mean over folds of the error rate in each fold.
double fold_mean_error(std::span<const int> predicted, std::span<const int> labels, const Folds& folds);

}  // namespace manyone
