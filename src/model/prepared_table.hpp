// SPDX-License-Identifier: Apache-2.0
//
// A table made ready for machines with centres: its scaling, and a sample of its rows in memory.
#pragma once

#include <span>
#include <vector>

#include "model/model.hpp"
#include "model/row_source.hpp"

namespace manyone {

/// Rows a sample holds at most.
constexpr Index kSampleRows = 20000;

/// A table made ready: its scaling, and rows in memory that stand for it - all of them, or a draw in which every class
/// has its share. Which rows are drawn depends on the seed and their numbers alone.
struct PreparedTable {
  const RowSource& source;
  Scaling scaling;
  std::vector<Index> rows;          ///< of the sample: their numbers in the table, ascending
  std::vector<int> labels;          ///< of the sample
  Features features;                ///< of the sample, scaled
  Vector weights;                   ///< of the sample, as the recipe says; empty when all are 1
  std::vector<Index> class_counts;  ///< of the table

  Index table_rows() const;
  Index classes() const { return static_cast<Index>(class_counts.size()); }
  bool whole() const { return static_cast<Index>(rows.size()) == table_rows(); }
};

/// In one pass.
PreparedTable prepare(const Execution& execution, const RowSource& source, const Recipe& recipe,
                      Index size = kSampleRows);

/// Weights of rows of the table, as a recipe says; empty when all are 1.
class RowWeights {
 public:
  RowWeights(const Recipe& recipe, std::span<const Index> class_counts);
  /// Weights of the rows first, first + 1, ... of the table.
  Vector of(std::span<const int> labels, Index first) const;
  Vector of(std::span<const int> labels, std::span<const Index> rows) const;

 private:
  double of(int label, Index row) const;
  const Recipe& recipe_;
  Vector of_class_;
};

/// Folds of a table that is passed over: the user's own, or random ones from the seed and the number of a row.
class PassFolds {
 public:
  /// A single fold with all rows unless `several`.
  PassFolds(const Recipe& recipe, bool several);
  int count() const { return count_; }
  int of(Index row) const;
  /// Nobody said which rows belong together.
  bool free() const { return recipe_.folds.given.empty() && recipe_.folds.groups.empty(); }

 private:
  const Recipe& recipe_;
  int count_ = 1;
  std::vector<int> of_group_;  ///< fold of each row of a table with groups
};

}  // namespace manyone
