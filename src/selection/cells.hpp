// SPDX-License-Identifier: Apache-2.0
//
// Cells of the search surface and the object that scores them: the cross-validation error of all folds and repeats at
// any (sigma, ridge), from scores of rows that were held out. Where these come from is the business of a HeldOutSource:
// the whole kernel matrix (selection/kernel_rows), columns of it (selection/reduced_rows), or blocks of a large table.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "machine/machine.hpp"
#include "model/recipe.hpp"

namespace manyone {

struct Cell {
  CellParameters at;
  double error = 1;                ///< cross-validation error: mean over folds of fold error rates, mean over repeats
  std::optional<double> std = {};  ///< over repeats; nothing for a single one
  double loss = 0;                 ///< 1 - (correlation of held-out scores with indicators)^2; breaks ties of the error
  bool solved = false;             ///< false: the system was not positive definite
  long unfinished = 0;             ///< quadratic programs behind the error that were stopped at their limit of steps
  std::vector<double> errors = {};  ///< of each repeat; empty for a cell that was read from a journal

  /// Smaller error first, then smaller loss, then the smoother cell (larger ridge, larger sigma).
  bool better_than(const Cell& other) const;
};

/// One of the calls that run side by side.
struct Turn {
  std::size_t worker = 0;                   ///< whose scratch to use
  bool screening = false;                   ///< scores are wanted to tell good cells from bad ones
  std::function<void(double)> report = {};  ///< told from time to time what share of the call is done; may be empty
};

/// Rows, and the machine of a recipe that can be trained without some of them.
class HeldOutSource {
 public:
  virtual ~HeldOutSource() = default;

  virtual std::span<const int> labels() const = 0;
  /// Empty: all 1.
  virtual const Vector& weights() const = 0;
  /// Scores that every row gets if its fold is left out, for each ridge at one sigma.
  virtual std::vector<HeldOut> heldout(double sigma, std::span<const double> ridges, std::span<const Folds> partitions,
                                       const Turn& turn) = 0;
  /// heldout() is faster when screening: its errors are then those of refits to within a row or two.
  virtual bool screens() const { return false; }
  /// Much of heldout() is the same for all ridges.
  virtual bool shares_kernel() const = 0;
  /// How many calls of heldout() may run side by side; makes their scratch.
  virtual std::size_t workers(std::size_t /*jobs*/) { return 1; }

  Index rows() const { return std::ssize(labels()); }
};

class CellScorer {
 public:
  /// The execution and the source outlive it.
  CellScorer(const Execution& execution, HeldOutSource& source, std::vector<Folds> partitions)
      : execution_(execution), source_(source), partitions_(std::move(partitions)) {}
  CellScorer(const CellScorer&) = delete;
  CellScorer& operator=(const CellScorer&) = delete;

  /// Whether score() may screen. Set by the search, which scores its favourites again; heldout_at() is always exact.
  void screen(bool on) { screening_ = on && source_.screens(); }
  bool screening() const { return screening_; }

  /// Scores all cells, in parallel where memory allows. `done` is told of each finished cell, one at a time. When
  /// interrupted, returns what is finished: the other cells have solved == false and error 1.
  /// `under_way`: told from time to time how many cells the work comes to that is not finished; may be empty.
  std::vector<Cell> score(std::span<const CellParameters> cells, const std::function<void(const Cell&)>& done,
                          const std::function<void(double)>& under_way = {});

  /// Cells that a search asks for in one call, whether or not an earlier run has scored some of them. Where one
  /// solution starts from another, heldout_at() then takes the path that score() takes through all of them.
  void note_asked(std::span<const CellParameters> cells);

  /// What one cell gives in the first partition; at hand for the best cells scored so far. Throws ConfigError if the
  /// cell cannot be solved.
  HeldOut heldout_at(const CellParameters& at);

 private:
  void keep(const Cell& cell, HeldOut scores);
  Cell score_one(const CellParameters& at, const HeldOut& heldout) const;
  /// Indices of cells that are scored together.
  std::vector<std::vector<std::size_t>> jobs_of(std::span<const CellParameters> cells) const;

  const Execution& execution_;
  HeldOutSource& source_;
  std::vector<Folds> partitions_;
  bool screening_ = false;
  std::vector<std::vector<CellParameters>> asked_;  ///< together, of one sigma each
  std::vector<std::pair<Cell, HeldOut>> kept_;      ///< the best cells scored exactly, in the first partition
};

/// Mean over folds of the error rate in each fold.
double fold_mean_error(std::span<const int> predicted, std::span<const int> labels, const Folds& folds);

}  // namespace manyone
