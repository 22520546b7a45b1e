// SPDX-License-Identifier: Apache-2.0
//
// TableSummary: what the cells of a table say about its columns: the rows of each class, the numbers and words of each
// nominal column, the means of the others. It takes rows block by block and forgets them: its size follows the
// distinct values, not the rows. A whole table is one block. What the columns become is decided in table_schema.
#pragma once

#include <unordered_map>
#include <vector>

#include "data/outline/raw_table.hpp"
#include "data/schema.hpp"

namespace manyone {

/// What is known of the cells of one feature column.
struct ColumnSummary {
  std::vector<Index> word_counts;                   ///< of a nominal column, by code
  std::unordered_map<double, Index> number_counts;  ///< of a nominal column: how often each number (never -0) comes
  Index numbers = 0;                                ///< of a number column: cells in the mean
  double mean = 0;
  bool passed_over = false;  ///< some cells were not counted, because the column looked like numbers

  /// Number of a cell's value among the keys of number_counts.
  static double key(double number) { return number == 0 ? 0.0 : number; }
};

class TableSummary {
 public:
  explicit TableSummary(MissingPolicy policy)
      : means_(policy == MissingPolicy::mean || policy == MissingPolicy::indicator) {}

  /// Adds the rows that `table` holds; the tallies of its columns are those of all rows so far.
  void add(const RawTable& table);

  Index rows() const { return rows_; }
  /// Rows of each code of the target.
  const std::vector<Index>& label_counts() const { return label_counts_; }
  /// What is known of the feature column at this position among the feature columns.
  const ColumnSummary& column(std::size_t position) const { return columns_[position]; }
  double bytes() const;

  /// Cells of a column that are not missing.
  Index cells(const RawColumn& column) const { return rows_ - column.missing_cells; }
  bool nominal(const RawColumn& column) const { return looks_nominal(column, cells(column)); }

  /// Makes the summary ready to see all rows again if a column turned out to be nominal after numbers of it had been
  /// passed over: these columns are then counted from the first row on. False if there are none.
  bool start_again(const RawTable& table);

 private:
  void add_column(const RawTable& table, const RawColumn& raw, std::size_t position);

  bool means_;
  Index rows_ = 0;
  std::vector<Index> label_counts_;
  std::vector<ColumnSummary> columns_;
  std::vector<bool> counted_;  ///< known to be nominal before the first row
};

}  // namespace manyone
