// SPDX-License-Identifier: Apache-2.0
#include "data/outline/table_summary.hpp"

#include <algorithm>

namespace manyone {

void TableSummary::add(const RawTable& table) {
  rows_ += table.rows;
  label_counts_.resize(table.columns[table.target].words.size());
  for (const std::uint32_t code : table.labels) ++label_counts_[code];
  columns_.resize(static_cast<std::size_t>(table.cells.cols()));
  counted_.resize(columns_.size());
  std::size_t position = 0;
  for (const RawColumn& raw : table.columns) {
    if (raw.role == RawColumn::Role::feature) add_column(table, raw, position++);
  }
}

void TableSummary::add_column(const RawTable& table, const RawColumn& raw, std::size_t position) {
  ColumnSummary& column = columns_[position];
  // A column of an empty matrix would be an offset to nothing.
  const double* first = table.rows > 0 ? table.cells.data() + position : nullptr;
  const Eigen::Map<const Vector, 0, Eigen::InnerStride<>> cells(first, table.rows,
                                                                Eigen::InnerStride<>(table.cells.outerStride()));
  if (column.passed_over || !(counted_[position] || nominal(raw))) {
    if (cells.size() == 0 || this->cells(raw) == 0) return;
    column.passed_over = true;
    column.word_counts.clear();
    column.number_counts.clear();
    if (!means_) return;
    for (const double cell : cells) {
      if (is_number_cell(cell)) column.mean += (cell - column.mean) / static_cast<double>(++column.numbers);
    }  // a running mean: no overflow of the sum
    return;
  }
  column.word_counts.resize(raw.words.size());
  for (const double cell : cells) {
    if (is_number_cell(cell)) {
      ++column.number_counts[ColumnSummary::key(cell)];
    } else if (!is_missing_cell(cell)) {
      ++column.word_counts[word_code(cell)];
    }
  }
}

bool TableSummary::start_again(const RawTable& table) {
  std::vector<bool> counted = counted_;
  bool any = false;
  std::size_t position = 0;
  for (const RawColumn& raw : table.columns) {
    if (raw.role != RawColumn::Role::feature) continue;
    if (columns_[position].passed_over && nominal(raw)) any = counted[position] = true;
    ++position;
  }
  if (!any) return false;
  rows_ = 0;
  label_counts_.clear();
  columns_.clear();
  counted_ = std::move(counted);
  return true;
}

double TableSummary::bytes() const {
  constexpr double kNode = 48;  // a number with its count, the map's node and its bucket
  double bytes = 8.0 * static_cast<double>(label_counts_.size());
  for (const ColumnSummary& column : columns_) {
    bytes += 8.0 * static_cast<double>(column.word_counts.size());
    bytes += kNode * static_cast<double>(column.number_counts.size());
  }
  return bytes;
}

}  // namespace manyone
