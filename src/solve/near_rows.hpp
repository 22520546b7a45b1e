// SPDX-License-Identifier: Apache-2.0
//
// The values of a kernel matrix that matter, row by row, where they are few: narrow kernels.
#pragma once

#include <vector>

#include "base/interrupt.hpp"
#include "base/matrix.hpp"

namespace manyone {

class NearRows {
 public:
  /// `K` is full and symmetric, and outlives this, as does the interrupt. Nothing is looked at before few() is asked.
  NearRows(ConstView K, const Interrupt& interrupt) : K_(K), interrupt_(interrupt) {}

  /// Whether at most a sixteenth of the values matter beside the largest of their row. What follows needs it.
  bool few();

  /// out := sum over the near rows j of row i of K_ij M_j; `left_out` rows of M are zero. False, and nothing is done,
  /// if values that are not in the list might count beside those of rows that are not left out.
  bool sum(Index i, const Matrix& M, const std::vector<char>& left_out, Eigen::Ref<Eigen::RowVectorXd> out) const;

  /// Rows joined by chains of values larger than `size`, each group in ascending order.
  std::vector<std::vector<Index>> joined(double size) const;

 private:
  void find();

  ConstView K_;
  const Interrupt& interrupt_;
  bool known_ = false;
  std::vector<std::size_t> start_;  ///< row i: entries start_[i] .. start_[i+1] of column_ and value_
  std::vector<Index> column_;
  std::vector<double> value_;
  Vector dropped_;  ///< for each row, the largest value that was not kept
};

}  // namespace manyone
