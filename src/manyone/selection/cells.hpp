// SPDX-License-Identifier: Apache-2.0
//
// Cells of the search surface and the object that scores them. A CellScorer holds the pair statistics of the rows once
// and asks the machine for held-out outputs at any (sigma, ridge): the exact cross-validation error of all folds and
// repeats, from one inverse where the machine has a closed form.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "manyone/machine/heldout_memo.hpp"
#include "manyone/machine/machine.hpp"
#include "manyone/model/recipe.hpp"

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

/// The labelled rows a search works on.
struct CellData : LabelledRows {
  Matrix statistics;  ///< n x n pair statistics of the scaled rows (the Gram matrix itself if precomputed)
  std::optional<Features> raw = {};  ///< the unscaled rows, where every training part has a scaling of its own

  /// Some of these rows.
  CellData part(const std::vector<Index>& rows) const;
};

/// Scores that every row would get if its fold had been left out, at one cell.
struct HeldOutScores {
  bool solved = false;                       ///< false: the system is not positive definite
  std::vector<Matrix> of_partition;          ///< n x L each
  long unfinished = 0;                       ///< quadratic programs that were stopped at their limit of steps
  std::optional<Coefficients> trained = {};  ///< on all rows, where they come with the scores

  const Matrix& first() const { return of_partition.front(); }
};

/// Hears of the progress of work inside a cell, in shares of it. Notes go on to another observer.
class InsideObserver final : public Observer {
 public:
  InsideObserver(Observer& notes, std::function<void(double)> report) : notes_(notes), report_(std::move(report)) {}
  void begin(std::string_view, double total) override { total_ = total; }
  void update(double done, std::string_view) override { report_(total_ > 0 ? std::clamp(done / total_, 0.0, 1.0) : 0); }
  void note(const Words& message) override { notes_.note(message); }

 private:
  Observer& notes_;
  std::function<void(double)> report_;
  std::atomic<double> total_{0};
};

class CellScorer {
 public:
  /// The labels outlive the scorer.
  CellScorer(const Execution& execution, std::span<const int> labels, std::vector<Folds> partitions);
  virtual ~CellScorer() = default;
  CellScorer(const CellScorer&) = delete;
  CellScorer& operator=(const CellScorer&) = delete;

  /// Whether score() may work in single precision: errors are then those of refits to within a row or two, in about
  /// half the time. Set by the search, which scores its favourites again; heldout_at() is always exact.
  void screen(bool on) { screening_ = on && can_screen(); }
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
  HeldOutScores heldout_at(const CellParameters& at);

 protected:
  /// Cells of one sigma. `worker`: whose scratch to use.
  virtual std::vector<HeldOutScores> heldout(double sigma, std::span<const double> ridges, std::size_t worker,
                                             bool screening) = 0;
  virtual bool can_screen() const { return false; }
  /// Weights of the rows that are scored; empty: all 1.
  virtual const Vector& weights() const;
  /// Much of heldout() is the same for all ridges.
  virtual bool shares_kernel() const = 0;
  /// How many calls of heldout() may run side by side; makes their scratch.
  virtual std::size_t workers(std::size_t jobs) = 0;

  const Execution& execution() const { return execution_; }
  /// A share of the call of heldout() that a worker is at is done.
  void report(std::size_t worker, double share) const {
    if (report_) report_(worker, share);
  }
  const std::vector<Folds>& partitions() const { return partitions_; }

 private:
  void keep(const Cell& cell, HeldOutScores scores);
  Cell score_one(const CellParameters& at, const HeldOutScores& heldout) const;
  /// Indices of cells that are scored together.
  std::vector<std::vector<std::size_t>> jobs_of(std::span<const CellParameters> cells) const;

  const Execution& execution_;
  std::span<const int> labels_;
  std::vector<Folds> partitions_;
  bool screening_ = false;
  std::vector<std::vector<CellParameters>> asked_;  ///< together, of one sigma each
  std::function<void(std::size_t, double)> report_;
  std::vector<std::pair<Cell, HeldOutScores>> kept_;  ///< the best cells scored exactly, in the first partition
};

/// Scores cells of a machine on the whole kernel matrix.
class KernelScorer final : public CellScorer {
 public:
  /// Below, single precision gains nothing.
  static constexpr Index kScreenRows = 600;

  /// All but the partitions outlive the scorer. `memo`: of these rows and partitions, or nothing.
  KernelScorer(const Execution& execution, const CellData& data, const Recipe& recipe, const Machine& machine,
               const Decoder& decoder, std::vector<Folds> partitions, HeldOutMemo* memo = nullptr);
  ~KernelScorer() override;

  /// Bytes needed to score cells of these rows one at a time, statistics included.
  static double bytes_needed(const Machine& machine, const LabelledRows& rows);

 protected:
  std::vector<HeldOutScores> heldout(double sigma, std::span<const double> ridges, std::size_t worker,
                                     bool screening) override;
  bool can_screen() const override { return machine_.screens() && !data_.raw && data_.rows() >= kScreenRows; }
  bool shares_kernel() const override { return machine_.shares_kernel(); }
  const Vector& weights() const override { return data_.weights; }
  /// Cells side by side when each worker's matrices fit; one after the other, parallel inside, when they do not.
  std::size_t workers(std::size_t jobs) override;

 private:
  struct Scratch;
  /// heldout() by training anew for every fold, each with its own scaling.
  std::vector<HeldOut> refits(double sigma, std::span<const double> ridges) const;

  const CellData& data_;
  const Recipe& recipe_;
  const Machine& machine_;
  const Decoder& decoder_;
  HeldOutMemo* memo_;
  std::vector<std::unique_ptr<Scratch>> scratch_;  ///< one per worker, kept from call to call
};

/// Mean over folds of the error rate in each fold.
double fold_mean_error(std::span<const int> predicted, std::span<const int> labels, const Folds& folds);

}  // namespace manyone
