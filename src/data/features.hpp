// SPDX-License-Identifier: Apache-2.0
//
// Features: the rows a machine sees, n x d numbers, dense or compressed sparse rows. Everything that is read, scaled,
// split or stored as centres of a model is one of these. Rows that a program holds already can be borrowed: scaling or
// selecting them makes the only copy.
#pragma once

#include <span>
#include <utility>
#include <variant>

#include "base/matrix.hpp"

namespace manyone {

class Features {
 public:
  Features() : store_(Matrix()) {}
  Features(Matrix dense) : store_(std::move(dense)) {}
  Features(SparseMatrix sparse) : store_(std::move(sparse)) {}
  /// Dense rows that stay where they are, without gaps between them. They outlive this and every copy of it.
  static Features borrowed(const double* first, Index rows, Index features);

  Index rows() const;
  Index features() const;
  bool sparse() const { return std::holds_alternative<SparseMatrix>(store_); }
  bool borrows() const { return std::holds_alternative<Borrowed>(store_); }
  /// Dense rows, own or borrowed. Precondition: !sparse().
  Eigen::Map<const Matrix> view() const;
  /// Precondition: !sparse() and !borrows().
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
  struct Borrowed {
    const double* first = nullptr;
    Index rows() const { return height; }
    Index cols() const { return width; }
    Index height = 0;
    Index width = 0;
  };
  std::variant<Matrix, SparseMatrix, Borrowed> store_;
};

}  // namespace manyone
