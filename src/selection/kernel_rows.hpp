// SPDX-License-Identifier: Apache-2.0
//
// Rows that are searched with a machine on their whole kernel matrix: distances once, kernel values for each width,
// and held-out outputs in closed form where the machine has one. Where it has none - a scaling of its own for every
// training part, the outer folds of nested cross-validation - machines are trained anew.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/fingerprint.hpp"
#include "machine/machine.hpp"
#include "selection/shared_work.hpp"
#include "selection/tuning_rows.hpp"

namespace manyone {

/// Labelled rows as machines on their kernel matrix see them.
struct CellData : LabelledRows {
  Matrix statistics;  ///< n x n pair statistics of the scaled rows (the Gram matrix itself if precomputed)
  std::optional<Features> raw = {};  ///< the unscaled rows, where every training part has a scaling of its own

  /// Some of these rows.
  CellData part(const std::vector<Index>& rows) const;
};

/// What is trained on them. Everything outlives it.
struct MachineOfRecipe {
  const Recipe& recipe;
  const Machine& machine;
  const Decoder& decoder;
};

/// Outputs of the `test` rows by the machine trained at `at` on the `train` rows. Where `data` has raw rows, they are
/// scaled by the ranges of the training rows alone. Throws ConfigError when the ridge is too small.
Matrix refit_outputs(const Execution& execution, const MachineOfRecipe& trained, const CellData& data,
                     const std::vector<Index>& train, const std::vector<Index>& test, const CellParameters& at);

class KernelRows final : public TuningRows {
 public:
  /// Below, single precision gains nothing.
  static constexpr Index kScreenRows = 600;

  /// `shared`: with other machines on the same table, or nothing; `key`: of these rows there, their scaling, weights
  /// and kernel.
  KernelRows(const Execution& execution, const MachineOfRecipe& trained, CellData data, SharedWork* shared = nullptr,
             Fingerprint key = {});
  ~KernelRows() override;

  /// Bytes needed to score cells of these rows one at a time, statistics included.
  static double bytes_needed(const Machine& machine, const LabelledRows& rows);

  std::span<const int> labels() const override { return data_.labels; }
  const Vector& weights() const override { return data_.weights; }
  std::vector<HeldOut> heldout(double sigma, std::span<const double> ridges, std::span<const Folds> partitions,
                               const Turn& turn) override;
  bool screens() const override { return trained_.machine.screens() && !data_.raw && rows() >= kScreenRows; }
  bool shares_kernel() const override { return trained_.machine.shares_kernel(); }
  /// Cells side by side when each worker's matrices fit; one after the other, parallel inside, when they do not.
  std::size_t workers(std::size_t jobs) override;

  double typical_distance() const override;
  double typical_diagonal() const override;
  double usual_ridge() const override { return trained_.machine.ridge_unit(rows()); }
  double carried(double ridge, Index from, Index to) const override {
    return trained_.machine.carried(ridge, from, to);
  }
  std::unique_ptr<TuningRows> part(const std::vector<Index>& rows) const override;
  Matrix refit_scores(const std::vector<Index>& train, const std::vector<Index>& test,
                      const CellParameters& at) const override;

 private:
  struct Scratch;
  /// heldout() by training anew for every fold, each with its own scaling.
  std::vector<HeldOut> refits(double sigma, std::span<const double> ridges, std::span<const Folds> partitions) const;
  /// Where outputs may be known from another machine; may be absent.
  HeldOutMemo* memo(std::span<const Folds> partitions) const;

  const Execution& execution_;
  MachineOfRecipe trained_;
  CellData data_;
  SharedWork* shared_;
  Fingerprint key_;
  std::vector<std::unique_ptr<Scratch>> scratch_;  ///< one per worker, kept from call to call
};

}  // namespace manyone
