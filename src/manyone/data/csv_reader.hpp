// SPDX-License-Identifier: Apache-2.0
//
// CsvReader: a CSV or TSV file as a RecordReader. It looks at the first rows to decide whether there is a header and
// holds every row to the number of cells of the first.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "manyone/base/memory.hpp"
#include "manyone/data/csv_scanner.hpp"

namespace manyone {

/// The cells of a row, kept.
using OwnedRow = std::vector<std::string>;

/// Decides from the first rows of a file whether its first row is a header.
using HeaderRule = std::function<bool(std::span<const OwnedRow>)>;

/// Some column holds a number in every row below a first row without numbers or missing cells.
bool header_above_numbers(std::span<const OwnedRow> rows);

/// header_above_numbers(), or, in a table of words, no word of the first row comes again in its column.
bool looks_like_header(std::span<const OwnedRow> rows);

class CsvReader final : public RecordReader {
 public:
  CsvReader(ByteWindow window, const HeaderRule& has_header, const MemoryBudget& memory);

  bool next(Record& record) override;
  const std::vector<DeclaredColumn>& columns() const override { return columns_; }
  bool named() const override { return named_; }
  bool missing(std::string_view cell) const override;
  const std::string& name() const override { return scanner_.name(); }
  double progress() const override { return scanner_.progress(); }

 private:
  void take_header();

  CsvScanner scanner_;
  std::vector<DeclaredColumn> columns_;
  bool named_ = false;
  std::vector<OwnedRow> first_rows_;  ///< read ahead for the header rule
  std::vector<Record> first_places_;  ///< of first_rows_: records without their cells
  std::size_t replayed_ = 0;
};

}  // namespace manyone
