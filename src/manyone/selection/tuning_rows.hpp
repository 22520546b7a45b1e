// SPDX-License-Identifier: Apache-2.0
//
// TuningRows: the rows a search works on, and how cells are scored on them. Searches and nested cross-validation see
// machines on the whole kernel matrix (here) and machines with centres (selection/reduced_rows) only through this.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "manyone/base/fingerprint.hpp"
#include "manyone/selection/cells.hpp"
#include "manyone/selection/shared_work.hpp"

namespace manyone {

class TuningRows {
 public:
  virtual ~TuningRows() = default;

  virtual Index rows() const = 0;
  virtual std::span<const int> labels() const = 0;
  /// A typical distance between rows: the median over a fixed sample of pairs; 1 when all rows are equal.
  virtual double typical_distance() const = 0;
  /// Mean kernel value of a row with itself.
  virtual double typical_diagonal() const = 0;
  /// A ridge that is neither large nor small for the machine and so many rows, with kernel values up to 1.
  virtual double usual_ridge() const = 0;
  /// 2^-4 .. 2^4 of the papers, moved to what is usual.
  LogRange usual_ridges() const;
  /// The ridge that is to `to` rows what `ridge` is to `from` rows.
  virtual double carried(double ridge, Index from, Index to) const = 0;
  /// Much of the work for a cell is the same for all ridges of a sigma.
  virtual bool shares_kernel() const = 0;
  /// ... and so much that searches look at whole paths of ridges.
  virtual bool scores_paths() const { return false; }

  virtual std::unique_ptr<TuningRows> part(const std::vector<Index>& rows) const = 0;
  virtual std::unique_ptr<CellScorer> scorer(std::vector<Folds> partitions) const = 0;
  /// Scores of the `test` rows by the machine trained at `at` on the `train` rows.
  virtual Matrix refit_scores(const std::vector<Index>& train, const std::vector<Index>& test,
                              const CellParameters& at) const = 0;
};

/// Rows of a machine on the whole kernel matrix.
class KernelRows final : public TuningRows {
 public:
  /// All but the data outlive it. `shared`: with other machines on the same table, or nothing; `key`: of these rows
  /// there, their scaling, weights and kernel.
  KernelRows(const Execution& execution, const Recipe& recipe, CellData data, const Machine& machine,
             const Decoder& decoder, SharedWork* shared = nullptr, Fingerprint key = {})
      : execution_(execution),
        recipe_(recipe),
        data_(std::move(data)),
        machine_(machine),
        decoder_(decoder),
        shared_(shared),
        key_(key) {}

  Index rows() const override { return data_.rows(); }
  std::span<const int> labels() const override { return data_.labels; }
  double typical_distance() const override;
  double typical_diagonal() const override;
  double usual_ridge() const override { return machine_.ridge_unit(rows()); }
  double carried(double ridge, Index from, Index to) const override { return machine_.carried(ridge, from, to); }
  bool shares_kernel() const override { return machine_.shares_kernel(); }
  std::unique_ptr<TuningRows> part(const std::vector<Index>& rows) const override;
  std::unique_ptr<CellScorer> scorer(std::vector<Folds> partitions) const override;
  Matrix refit_scores(const std::vector<Index>& train, const std::vector<Index>& test,
                      const CellParameters& at) const override;

 private:
  const Execution& execution_;
  const Recipe& recipe_;
  CellData data_;
  const Machine& machine_;
  const Decoder& decoder_;
  SharedWork* shared_;
  Fingerprint key_;
};

/// The median of the roots of the entries above 0; 1 when there are none.
double median_distance(std::vector<double> squares);

}  // namespace manyone
