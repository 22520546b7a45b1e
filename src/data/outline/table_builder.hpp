// SPDX-License-Identifier: Apache-2.0
//
// TableBuilder: rows of cells -> RawTable, for training. It decides what each single cell is; what the columns are is
// decided at the end, in table_schema.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/outline/raw_table.hpp"
#include "data/table_reader.hpp"

namespace manyone {

class TableBuilder {
 public:
  /// Throws ConfigError when the options name a column that is not there, InputError when no feature column is left.
  /// The reader must outlive the builder.
  TableBuilder(const RecordReader& reader, const ReadOptions& options);

  /// Throws InputError or MemoryError.
  void add(const Record& record);
  /// The rows since the last forget_rows(), with the tallies of all rows.
  const RawTable& table() const { return table_; }
  /// Lets go of the rows and keeps what is known of the columns.
  void forget_rows();
  RawTable take() { return std::move(table_); }

 private:
  /// How the cells of a column are read; kept apart from RawColumn because every cell asks.
  enum class Reading : std::uint8_t { number, declared, target, fold, ignored };

  void choose_roles(const ReadOptions& options);
  bool missing_cell(const Record& record, std::size_t k) const;
  bool has_missing_feature(const Record& record) const;
  double* add_row();
  std::uint32_t label(const Record& record, std::size_t k);
  /// A cell of a column of numbers that holds none.
  double other_cell(const Record& record, std::size_t k);
  double missing(const Record& record, std::size_t k);
  double word(const Record& record, std::size_t k);
  double declared_value(const Record& record, std::size_t k);
  void check_new_word(const Record& record, std::size_t k) const;
  void check_memory(Index rows) const;
  Words label_of(std::size_t k) const;

  const RecordReader& reader_;
  MissingPolicy policy_;
  MemoryBudget memory_;
  std::vector<Reading> readings_;
  RawTable table_;
};

}  // namespace manyone
