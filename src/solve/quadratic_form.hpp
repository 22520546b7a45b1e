// SPDX-License-Identifier: Apache-2.0
//
// The matrix of a quadratic program as an operator: products and rows, never necessarily the whole. Solvers narrow it
// to the variables that still move.
#pragma once

#include <span>
#include <vector>

#include "base/matrix.hpp"

namespace manyone {

/// A symmetric positive semidefinite matrix Q.
class QuadraticForm {
 public:
  virtual ~QuadraticForm() = default;
  virtual Index size() const = 0;
  virtual double diagonal(Index i) const = 0;
  /// Q s, of all variables.
  virtual Vector times(const Vector& s) const = 0;
  /// From now on rows have the entries of these variables alone, in this order. At first they have all.
  virtual void keep(const std::vector<Index>& active) = 0;
  /// Row of the variable at this place among the active ones. Valid until the next call with the same slot (0 or 1).
  virtual const double* row(Index place, int slot) = 0;
  /// Whether row() costs nothing. If not, fetch() gets up to together() rows for little more than the price of one.
  virtual bool at_hand(Index) const { return true; }
  virtual Index together() const { return 1; }
  virtual void fetch(std::span<const Index>) {}
};

/// The form of a full matrix, which outlives it.
class DenseForm final : public QuadraticForm {
 public:
  explicit DenseForm(ConstView K) : K_(K), rows_(K_.data()), stride_(K_.outerStride()) {}
  Index size() const override { return K_.rows(); }
  double diagonal(Index i) const override { return K_(i, i); }
  Vector times(const Vector& s) const override;
  void keep(const std::vector<Index>& active) override;
  const double* row(Index place, int) override { return rows_ + place * stride_; }

 private:
  ConstView K_;
  Matrix kept_;
  const double* rows_;  // of K, or of what is kept
  Index stride_;
};

/// A (x) B for symmetric A and B, which outlive it and whose product is never formed: entry (i r, j s) is A_ij B_rs,
/// with i r standing at i B.rows() + r.
class KroneckerForm final : public QuadraticForm {
 public:
  KroneckerForm(ConstView A, ConstView B) : A_(A), B_(B) {}
  Index size() const override { return A_.rows() * B_.rows(); }
  double diagonal(Index i) const override { return A_(outer(i), outer(i)) * B_(inner(i), inner(i)); }
  Vector times(const Vector& s) const override;
  void keep(const std::vector<Index>& active) override;
  const double* row(Index place, int slot) override;

 private:
  Index outer(Index i) const { return i / B_.rows(); }
  Index inner(Index i) const { return i % B_.rows(); }

  ConstView A_;
  ConstView B_;
  std::vector<Index> active_;  // empty: all
  Vector rows_[2];
};

}  // namespace manyone
