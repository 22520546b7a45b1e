// SPDX-License-Identifier: Apache-2.0
//
// Wide kernels: K is close to Z Z' with few columns, and regularised least squares with Z Z' in place of K is a problem
// of that many unknowns, which can be solved anew for every fold.
#pragma once

#include <span>
#include <vector>

#include "solve/ridge.hpp"

namespace manyone {

/// A partial Cholesky factor of K in blocks of columns. The rows of a block are spread by what is left of the diagonal.
class LowRank {
 public:
  /// Grows until the trace of K - Z Z' is at most each of `remainders`, but for those that at some block seem to need
  /// more than `most` columns: these are given up, whatever the others need. `K` is full. About n m^2 flops for m
  /// columns.
  LowRank(const Backend& backend, const Interrupt& interrupt, ConstView K, std::span<const double> remainders,
          Index most);

  /// Columns that leave a trace of at most remainders[k]; 0 if it was given up. The same whatever the other remainders.
  Index columns_for(std::size_t k) const { return columns_for_[k]; }
  /// n x (at least the last of steps()).
  const Matrix& Z() const { return Z_; }
  /// Columns after each block.
  const std::vector<Index>& steps() const { return steps_; }

 private:
  Index columns() const { return steps_.empty() ? 0 : steps_.back(); }
  bool add_block(const Backend& backend, const Interrupt& interrupt, ConstView K);

  Matrix Z_;
  Vector left_;  // diagonal of K - Z Z'
  std::vector<Index> steps_;
  std::vector<Index> columns_for_;
};

/// What every fold of a partition adds to the sums of the normal equations.
class LowRankFolds {
 public:
  /// `weights` as in RidgeProblem. All but T outlive this. n m^2 flops.
  LowRankFolds(const Backend& backend, const Interrupt& interrupt, const LowRank& factor, const Vector& weights,
               ConstView T, const Folds& folds);

  /// Outputs of every row without its fold, with the first `m` columns of Z; empty if a system cannot be solved.
  /// k m^3 / 3 flops for k folds.
  Matrix heldout(const Backend& backend, const Interrupt& interrupt, double ridge, bool bias, Index m) const;

 private:
  struct Sums {
    Matrix G;           // Z' W Z, lower triangle
    Matrix U;           // Z' W T
    Vector z;           // Z' W 1
    Vector t;           // T' W 1
    double weight = 0;  // 1' W 1
  };
  const Matrix& Z_;
  std::vector<std::vector<Index>> rows_;
  std::vector<Sums> folds_;
  Sums all_;
};

}  // namespace manyone
