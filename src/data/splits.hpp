// SPDX-License-Identifier: Apache-2.0
//
// Splitting rows: k folds for cross-validation and subsets for quick searches. Everything is a pure function of the
// labels, the seed and the repeat, so that the same command gives the same split.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/matrix.hpp"

namespace manyone {

/// A partition of rows 0..n-1 into folds.
struct Folds {
  int count = 0;
  std::vector<int> fold_of_row;

  /// Rows of each fold, ascending.
  std::vector<std::vector<Index>> rows() const;
  /// Number of folds that have rows.
  int distinct() const;
  /// The folds of the given rows, with folds that became empty removed.
  Folds restricted_to(std::span<const Index> rows) const;
};

/// How folds are to be made.
struct FoldPlan {
  int count = 10;                ///< number of folds; 0: leave one out
  bool stratified = false;       ///< every class spread evenly over the folds
  std::vector<int> given;        ///< the user's own fold of each row; overrides the rest
  std::vector<int> groups = {};  ///< of each row, from 0: rows of a group stay in one fold; empty: every row by itself

  bool leave_one_out() const { return count == 0 && given.empty(); }
  /// The plan for some rows of the table: at most as many folds as there are rows, or groups of them.
  FoldPlan of_rows(std::span<const Index> rows) const;
  /// So many random folds for a quick look, which keep together what this plan does.
  FoldPlan quick(int folds) const;
};

/// Folds of repeat `repeat` of a plan: a random permutation, position modulo k (SPEC section 10). Stratified: classes
/// one after the other, each permuted, position modulo k. Groups: the largest first, each into the fold with the fewest
/// rows (stratified: of its classes). Throws ConfigError when there are fewer rows, or groups, than folds.
Folds make_folds(const FoldPlan& plan, std::span<const int> labels, std::uint64_t seed, int repeat);

/// Fold ids from texts (a fold column or file): equal texts share a fold, folds are numbered in class order of the
/// texts. Throws InputError when fewer than two different ids occur.
std::vector<int> folds_from_text(const std::vector<std::string>& texts, const std::string& source);

/// About `size` rows, ascending: whole groups, and never all of them.
std::vector<Index> grouped_subset(std::span<const int> groups, Index size, std::uint64_t seed);

/// About `size` rows, ascending, with every class in proportion and at least one row of each class.
std::vector<Index> stratified_subset(std::span<const int> labels, Index size, std::uint64_t seed);

}  // namespace manyone
