// SPDX-License-Identifier: Apache-2.0
//
// The quadratic form of kernel values whose matrix is too large, or too rarely looked at, to be made: its rows are made
// several at a time when they are asked for, and those used last are kept (LIBSVM's cache, filled by matrix products).
#pragma once

#include <memory>
#include <vector>

#include "machine/gram.hpp"
#include "solve/quadratic_form.hpp"

namespace manyone {

/// Rows of one length in a bounded number of slots; when all are taken, the one not used for the longest time goes.
class RowStore {
 public:
  /// For `rows` rows of that width, in so many numbers, but at least a few rows.
  RowStore(Index rows, Index width, double numbers);

  bool has(Index row) const { return slot_of_[static_cast<std::size_t>(row)] >= 0; }
  /// Precondition: has(row).
  const double* use(Index row);
  /// Where to write a row that is not there.
  double* add(Index row);
  Index width() const { return width_; }

 private:
  Index width_;
  Vector values_;                  // one slot after the other
  std::vector<Index> slot_of_;     // by row; negative: none
  std::vector<Index> row_of_;      // by slot, as many as are taken
  std::vector<std::size_t> used_;  // by slot: when
  std::size_t now_ = 0;
};

class GramRows final : public QuadraticForm {
 public:
  /// Keeps rows in so many bytes, but at least a few. `gram` outlives it.
  GramRows(const Gram& gram, double bytes);
  /// What it needs for n variables in any case.
  static double least_bytes(Index n);

  Index size() const override { return gram_.rows(); }
  double diagonal(Index i) const override { return diagonal_[i]; }
  Vector times(const Vector& s) const override { return gram_.times(s); }
  /// Rows of all variables are still there when all are active again.
  void keep(const std::vector<Index>& active) override;
  const double* row(Index place, int slot) override;
  bool at_hand(Index place) const override { return store().has(place); }
  Index together() const override { return together_; }
  void fetch(std::span<const Index> places) override;

 private:
  RowStore& store() { return narrow_ ? *narrow_ : wide_; }
  const RowStore& store() const { return narrow_ ? *narrow_ : wide_; }

  const Gram& gram_;
  Index together_;
  double numbers_;
  Vector diagonal_;
  RowStore wide_;                     // of all variables
  std::unique_ptr<RowStore> narrow_;  // of the active ones, where they are fewer
  std::unique_ptr<Gram> part_;        // of the same
  std::vector<Index> active_;
};

}  // namespace manyone
