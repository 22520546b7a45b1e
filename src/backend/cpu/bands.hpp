// SPDX-License-Identifier: Apache-2.0
//
// Coefficients with many zeros, as bands: neighbouring rows that serve the same few outputs. The product of kernel
// values with a band costs its own columns alone: one for vector-output machines, L - 1 of L (L - 1) / 2 for pairs.
// Where hardly any are left, as in pairs of classes that are easily told apart, they are taken one by one.
#pragma once

#include <vector>

#include "backend/cpu/thin_product.hpp"
#include "base/matrix.hpp"

namespace manyone {

class Bands {
 public:
  /// Bands of A that do not cross a multiple of `tile` rows; a single one for each tile where that is cheaper.
  Bands(ConstView A, Index tile);

  /// Whether accumulate_columns() is cheaper than accumulate(), which may always be used.
  bool scattered() const { return !entries_.empty(); }
  /// Columns of what accumulate() adds to: those of A, or more where whole vectors need them.
  Index width() const { return width_; }
  /// out += K A(tile, :) for `rows` x `centres` kernel values without gaps, whose tile begins at row `first` of A.
  void accumulate(const double* K, Index rows, Index centres, Index first, Matrix& out) const;
  /// accumulate() for transposed outputs: out (A.cols() x rows) += A(tile, :)' K for `centres` x `rows` kernel values.
  void accumulate_columns(const double* K, Index rows, Index first, Matrix& out) const;

 private:
  struct Band {
    Index first = 0;
    Index rows = 0;
    std::vector<Index> columns;
    Matrix values;  // rows x columns, padded for thin_accumulate() unless it is one column
  };
  /// Fills of_tile_; returns what products with the bands cost.
  double find_bands(ConstView A);
  void find_entries_of_tiles(ConstView A);
  static Band made(ConstView A, Index first, Index rows, std::vector<Index> columns);

  Index tile_;
  Index width_;
  bool dense_ = false;
  std::vector<std::vector<Band>> of_tile_;
  std::vector<std::vector<Entry>> entries_;  // of each tile, if scattered
};

}  // namespace manyone
