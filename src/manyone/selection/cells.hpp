// SPDX-License-Identifier: Apache-2.0
//
// Cells of the search surface and the object that scores them. A CellScorer holds the pair statistics of the rows once
// and asks the machine for held-out outputs at any (sigma, ridge): the exact cross-validation error of all folds and
// repeats, from one inverse where the machine has a closed form.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "manyone/machine/machine.hpp"
#include "manyone/model/recipe.hpp"

namespace manyone {

struct CellParameters {
  double sigma = 1;  ///< ignored by kernels without one
  double ridge = 1;
  bool operator==(const CellParameters&) const = default;
};

struct Cell {
  CellParameters at;
  double error = 1;                ///< cross-validation error: mean over folds of fold error rates, mean over repeats
  std::optional<double> std = {};  ///< over repeats; nothing for a single one
  double loss = 0;                 ///< 1 - (correlation of held-out scores with indicators)^2; breaks ties of the error
  bool solved = false;             ///< false: the system was not positive definite
  std::vector<double> errors = {};  ///< of each repeat; empty for a cell that was read from a journal

  /// Smaller error first, then smaller loss, then the smoother cell (larger ridge, larger sigma).
  bool better_than(const Cell& other) const;
};

/// The labelled rows a search works on.
struct CellData : LabelledRows {
  Matrix statistics;  ///< n x n pair statistics of the scaled rows (the Gram matrix itself if precomputed)
  std::optional<Features> raw = {};  ///< the unscaled rows, where every training part has a scaling of its own

  /// The same for some of the rows.
  CellData part(const std::vector<Index>& rows) const;
};

class CellScorer {
 public:
  /// Below, single precision gains nothing.
  static constexpr Index kScreenRows = 600;

  /// All but the partitions outlive the scorer.
  CellScorer(const Execution& execution, const CellData& data, const Recipe& recipe, const Machine& machine,
             const Decoder& decoder, std::vector<Folds> partitions);
  ~CellScorer();
  CellScorer(const CellScorer&) = delete;
  CellScorer& operator=(const CellScorer&) = delete;

  /// Whether score() may work in single precision: errors are then those of refits to within a row or two, in about
  /// half the time. Set by the search, which scores its favourites again; heldout_scores() is always exact.
  void screen(bool on) { screening_ = on && machine_.screens() && !data_.raw && data_.rows() >= kScreenRows; }
  bool screening() const { return screening_; }

  /// Scores all cells, in parallel where memory allows. `done` is told of each finished cell, one at a time. When
  /// interrupted, returns what is finished: the other cells have solved == false and error 1.
  std::vector<Cell> score(std::span<const CellParameters> cells, const std::function<void(const Cell&)>& done);

  /// Held-out scores (n x L) of one cell in the first partition; at hand for the best cell scored so far. Throws
  /// ConfigError if the cell cannot be solved.
  Matrix heldout_scores(const CellParameters& at);

  /// Bytes needed to score cells of these rows one at a time, statistics included.
  static double bytes_needed(const Machine& machine, const LabelledRows& rows);

 private:
  struct Scratch;
  /// Cells of one sigma.
  std::vector<HeldOut> heldout(double sigma, std::span<const double> ridges, Scratch& scratch) const;
  /// The same by training anew for every fold, each with its own scaling.
  std::vector<HeldOut> refits(double sigma, std::span<const double> ridges) const;
  /// `first` := the scores in the first partition.
  Cell score_one(const CellParameters& at, const HeldOut& heldout, Matrix& first) const;

  const Execution& execution_;
  const CellData& data_;
  const Recipe& recipe_;
  const Machine& machine_;
  const Decoder& decoder_;
  std::vector<Folds> partitions_;
  bool screening_ = false;
  Cell favourite_;                                 ///< the best cell that was scored exactly
  Matrix favourite_scores_;                        ///< its scores in the first partition
  std::vector<std::unique_ptr<Scratch>> scratch_;  ///< one per worker, kept from call to call
};

/// Mean over folds of the error rate in each fold.
double fold_mean_error(std::span<const int> predicted, std::span<const int> labels, const Folds& folds);

}  // namespace manyone
