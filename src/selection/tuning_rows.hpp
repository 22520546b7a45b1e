// SPDX-License-Identifier: Apache-2.0
//
// TuningRows: the rows a search works on, with the machine of a recipe on them. Searches and nested cross-validation
// see machines on the whole kernel matrix (selection/kernel_rows) and on columns of it (selection/reduced_rows) only
// through this.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "selection/cells.hpp"

namespace manyone {

class TuningRows : public HeldOutSource {
 public:
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
  /// So much of the work for a cell is the same for all ridges of a sigma that searches look at whole paths of ridges.
  virtual bool scores_paths() const { return false; }

  virtual std::unique_ptr<TuningRows> part(const std::vector<Index>& rows) const = 0;
  /// Scores of the `test` rows by the machine trained at `at` on the `train` rows.
  virtual Matrix refit_scores(const std::vector<Index>& train, const std::vector<Index>& test,
                              const CellParameters& at) const = 0;
};

/// The median of the roots of the entries above 0; 1 when there are none.
double median_distance(std::vector<double> squares);

}  // namespace manyone
