// SPDX-License-Identifier: Apache-2.0
//
// Tiles of pair statistics between two sets of rows, dense or sparse.
// Dense squared distances come out of one product of augmented rows: [-2x, |x|^2, 1] . [z, 1, |z|^2] = |x-z|^2; a GEMM,
// or narrow_multiply() for few features.
// Sparse inner products expand a strip of z into columns and add up the few non-zeros of each x.
#pragma once

#include "data/features.hpp"
#include "kernel/kernel.hpp"

namespace manyone {

class PairTiles {
 public:
  /// `x` and `z` must outlive the tiles.
  PairTiles(PairStatistic statistic, const Features& x, const Features& z);

  /// out(r, s) = statistic of x_{i+r} and z_{j+s} for a height x width tile with row stride `stride`. Squared distances
  /// may come out below 0 by rounding. Safe to call from several threads.
  void compute(Index i, Index height, Index j, Index width, double* out, Index stride) const;

  /// Makes squared distances of a computed tile accurate relative to themselves, exactly 0 for equal rows: those that
  /// are small beside the rows' norms are computed again from the differences.
  void sharpen(Index i, Index height, Index j, Index width, double* out, Index stride) const;

 private:
  void multiply(Index i, Index height, Index j, Index width, double* out, Index stride) const;
  /// Computes distances of rows whose norms overflow again from the differences: infinite, not NaN.
  void replace_overflows(Index i, Index height, Index j, Index width, double* out, Index stride) const;
  double distance(Index i, Index j) const;
  void compute_sparse(Index i, Index height, Index j, Index width, double* out, Index stride) const;

  PairStatistic statistic_;
  const Features& x_;
  const Features& z_;
  Index inner_ = 0;    ///< features of dense rows, augmented for squared distances
  Matrix left_;        ///< augmented rows of x (dense squared distances only)
  Matrix right_;       ///< augmented rows of z; for few features any rows of z, transposed
  Features narrow_x_;  ///< of wide sparse rows: the columns in which z has entries; no others add to a product
  Features narrow_z_;
  Vector x_norms_;
  Vector z_norms_;
  bool overflows_ = false;
};

}  // namespace manyone
