// SPDX-License-Identifier: Apache-2.0
//
// Rows that are searched with a machine on columns of kernel values at centres. For one sigma the sums of each fold are
// found once; every ridge then costs a small factorisation for each fold, and held-out scores come from the sums of the
// other folds.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "model/reduced.hpp"
#include "selection/tuning_rows.hpp"

namespace manyone {

/// Centres with which the automatic search looks for a width, at most: more of them change its price, not the width.
constexpr Index kTuneCentres = 500;

/// What held-out scores of a sample come from, at one sigma.
struct FoldedColumns {
  const KernelColumns& columns;
  const Vector& shift;
  const std::vector<GroupedSums>& folds;  ///< of all rows that are trained on
  const Folds& fold_of_sample;            ///< fold of each row of the sample
  const Matrix& values;                   ///< K~ of the sample
  bool centres_stay = false;              ///< the last fold is never left out, and its rows are not judged
};

/// Held-out scores (n x L) of the rows of the sample for every ridge; empty where a system is not positive definite.
/// A row that is held out is no centre where that matters (centres_leave_with_rows), as in a refit and as new rows will
/// find it.
std::vector<Matrix> scores_without_fold(const Execution& execution, const Recipe& recipe, const PreparedTable& table,
                                        const FoldedColumns& folded, std::span<const double> ridges);

/// The sample of a table. Everything outlives it but the table.
class ReducedRows final : public TuningRows {
 public:
  ReducedRows(const Execution& execution, const Recipe& recipe, PreparedTable table)
      : execution_(execution), recipe_(recipe), table_(std::move(table)) {}

  std::span<const int> labels() const override { return table_.labels; }
  const Vector& weights() const override { return table_.weights; }
  std::vector<HeldOut> heldout(double sigma, std::span<const double> ridges, std::span<const Folds> partitions,
                               const Turn& turn) override;
  bool shares_kernel() const override { return true; }
  double typical_distance() const override;
  double typical_diagonal() const override;
  double usual_ridge() const override;
  double carried(double ridge, Index from, Index to) const override {
    return ridge * static_cast<double>(to) / static_cast<double>(from);
  }
  bool scores_paths() const override { return true; }
  std::unique_ptr<TuningRows> part(const std::vector<Index>& rows) const override;
  Matrix refit_scores(const std::vector<Index>& train, const std::vector<Index>& test,
                      const CellParameters& at) const override;

 private:
  PreparedTable part_of(const std::vector<Index>& rows) const;
  /// Fills columns_ for a width.
  const KernelColumns& columns_at(double sigma);

  const Execution& execution_;
  const Recipe& recipe_;
  PreparedTable table_;
  std::optional<KernelColumns> columns_;
};

}  // namespace manyone
