// SPDX-License-Identifier: Apache-2.0
//
// Features: the rows a machine sees, n x d numbers, dense or compressed sparse rows. Everything that is read, scaled,
// split or stored as centres of a model is one of these.
#pragma once

#include <span>
#include <utility>
#include <variant>

#include "manyone/base/matrix.hpp"

namespace manyone {

class Features {
 public:
  Features() : store_(Matrix()) {}
  Features(Matrix dense) : store_(std::move(dense)) {}
  Features(SparseMatrix sparse) : store_(std::move(sparse)) {}

  Index rows() const;
  Index features() const;
  bool sparse() const { return std::holds_alternative<SparseMatrix>(store_); }
  /// Precondition: !sparse().
  const Matrix& dense() const { return std::get<Matrix>(store_); }
  Matrix& dense() { return std::get<Matrix>(store_); }
  /// Precondition: sparse(); always compressed.
  const SparseMatrix& csr() const { return std::get<SparseMatrix>(store_); }
  SparseMatrix& csr() { return std::get<SparseMatrix>(store_); }

  /// The given rows in the given order.
  Features select(std::span<const Index> rows) const;
  /// A dense copy of rows [first, first + count).
  Matrix dense_rows(Index first, Index count) const;
  /// ||x_i||^2 for every row.
  Vector squared_norms() const;
  double bytes() const;

 private:
  std::variant<Matrix, SparseMatrix> store_;
};

}  // namespace manyone
