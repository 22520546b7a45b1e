// SPDX-License-Identifier: Apache-2.0
//
// The class-block engine of the vector-output machines (SPEC 4.2, 13.2). Their matrix H = Gamma_yy o K falls apart into
// one block per class when Gamma is diagonal (indicator books): L systems of n/L rows instead of one of n, and only the
// blocks of K are needed. For every other Gamma there is one block of all rows. Machines are written over blocks and
// never ask which case it is.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "machine/machine.hpp"

namespace manyone {

class ClassBlocks {
 public:
  ClassBlocks(const Matrix& gamma, const LabelledRows& rows);

  bool split() const { return split_; }
  std::size_t count() const { return rows_.size(); }
  /// Rows of a block, ascending.
  const std::vector<Index>& rows(std::size_t block) const { return rows_[block]; }
  /// Rows of the largest block.
  Index largest() const;
  /// sum over blocks of 8 rows^2.
  double bytes() const;

  /// Lower triangle of H for a block.
  Matrix weighted_lower(const Gram& gram, std::size_t block) const;
  /// block o Gamma for kernel values K(rows, columns).
  void weigh(const std::vector<Index>& rows, const std::vector<Index>& columns, View K) const;

 private:
  const Matrix& gamma_;
  const LabelledRows& labelled_;
  bool split_;
  std::vector<std::vector<Index>> rows_;
};

/// Y' (n x q): the codeword of each row.
Matrix codeword_rows(const Labelbook& book, const LabelledRows& rows);

/// Orthonormal columns (q x r) that span the codewords of classes with a positive weight, such as their numbers of
/// rows. Codewords of a centred book depend on each other, which a matrix of sums over many rows no longer tells.
Matrix codeword_basis(const Labelbook& book, const Vector& weights);
Matrix codeword_basis(const Labelbook& book, const LabelledRows& rows);

/// A vector v with B'v = b, so that Gamma v = B b: the bias as one number for each output.
Vector output_bias(const Labelbook& book, const Vector& b);

/// A(i, y_i) = beta_i: the expansion whose outputs u_k are class-segmented sums; scores are u Gamma.
Matrix segmented(const Vector& beta, const LabelledRows& rows);

/// u(i, k) = sum of K(rows_i, j) beta_j over the rows j of class k.
Matrix segmented_sums(ConstView K, std::span<const Index> rows, const Vector& beta, const LabelledRows& labelled);

}  // namespace manyone
