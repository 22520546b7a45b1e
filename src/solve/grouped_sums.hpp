// SPDX-License-Identifier: Apache-2.0
//
// Sums over rows that belong to groups: all that a regularised regression of the groups' indicators on m columns needs
// to know of its rows (SPEC sections 9 and 13), whatever their number. Because they are sums, rows may come in blocks,
// a fold is left out by subtraction, and every ridge is solved from the same numbers.
#pragma once

#include <span>
#include <vector>

#include "backend/backend.hpp"

namespace manyone {

struct GroupedSums {
  Matrix squares;                             ///< m x m: sum of w x x'; only the lower triangle until complete()
  std::vector<Matrix> squares_of_group = {};  ///< the same for each group, in place of `squares`, where they are apart
  Matrix totals;                              ///< m x L: sum of w x in each group
  Vector weights;                             ///< L: sum of w in each group

  GroupedSums() = default;
  GroupedSums(Index columns, Index groups, bool apart = false);

  Index columns() const { return totals.rows(); }
  Index groups() const { return weights.size(); }
  double weight() const { return weights.sum(); }
  /// Adds rows x (used as scratch when there are weights). `row_weights` empty: all 1.
  void add(const Backend& backend, View x, std::span<const int> group_of_row, const Vector& row_weights);
  /// All rows are there: fills the upper triangle. Everything below needs it.
  void complete();
  GroupedSums& operator+=(const GroupedSums& other);
  /// These rows without those of `other`.
  GroupedSums without(const GroupedSums& other) const;
  /// The sums of some columns.
  GroupedSums only(const std::vector<Index>& kept) const;
  /// The sums of T'(x - centre) for an m x r matrix T.
  GroupedSums mapped(const Backend& backend, const Vector& centre, ConstView T) const;
  /// sum of w (x - mean)(x - mean)'
  Matrix centred_squares() const;
};

/// min over W, b of  sum of w |t - W'x - b|^2 + ridge |W|^2  with t the indicator of the row's group.
struct GroupRegression {
  Matrix W;  ///< m x L
  Vector b;  ///< L; zeros without bias
};

/// One factorisation for all groups. False if the system is not numerically positive definite.
bool solve_groups(const Backend& backend, const Interrupt& interrupt, const GroupedSums& sums, double ridge, bool bias,
                  GroupRegression& out);

/// Where the outputs of the rows of each group lie.
struct GroupedOutputs {
  Matrix means;   ///< L x q; zeros for a group without rows
  Matrix within;  ///< q x q: sum of w (f - mean of the group)(f - mean of the group)'
};

/// Means and spread of outputs W'x + b, from the sums of x.
GroupedOutputs outputs_of_groups(const Backend& backend, const GroupedSums& sums, ConstView W, const Vector& b);

}  // namespace manyone
