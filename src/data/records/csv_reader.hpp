// SPDX-License-Identifier: Apache-2.0
//
// CsvReader: a CSV or TSV file as a RecordReader. It looks at the first rows to decide whether there is a header and
// holds every row to the number of cells of the first. Lines that start with "# ", or with # and have another number of
// cells, are comments; numbers with decimal commas are handed on with points.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/memory.hpp"
#include "data/records/csv_scanner.hpp"
#include "manyone/words.hpp"

namespace manyone {

/// The cells of a row, kept.
using OwnedRow = std::vector<std::string>;

/// Decides from the first rows of a file whether its first row is a header; adds a note where that is a guess.
using HeaderRule = std::function<bool(std::span<const OwnedRow>, std::vector<Words>& notes)>;

/// Some column holds a number in every row below a first row without numbers or missing cells. The first cell may be
/// empty, as pandas and R write it above the names of rows.
bool header_above_numbers(std::span<const OwnedRow> rows);

/// header_above_numbers(), or, in a table of words, no word of the first row comes again in its column.
bool looks_like_header(std::span<const OwnedRow> rows);

/// For a header of numbers, such as wavelengths: the first cell of a column of classes is a word that comes nowhere
/// below, where every class is a number or comes again, or the numbers beside the word increase as in no other row.
bool class_cell_stands_out(std::span<const OwnedRow> rows, std::size_t column);

/// "class", "label" or "target", in any case.
bool sounds_like_class(std::string_view name);

class CsvReader final : public RecordReader {
 public:
  /// `decimal_comma`: nothing is to find it from the first rows.
  CsvReader(ByteWindow window, const HeaderRule& has_header, std::optional<bool> decimal_comma,
            const MemoryBudget& memory);

  bool next(Record& record) override;
  const std::vector<DeclaredColumn>& columns() const override { return columns_; }
  bool named() const override { return named_; }
  bool missing(std::string_view cell) const override;
  std::vector<Words> notes() const override { return notes_; }
  const std::string& name() const override { return scanner_.name(); }
  double progress() const override { return scanner_.progress(); }

 private:
  void read_first_rows(const MemoryBudget& memory);
  /// Rows of an R table have a name in front, above which the header has no cell.
  bool lacks_a_first_cell() const;
  void take_header();
  bool uses_decimal_commas();
  /// Every row, as some programs write them, ends with a delimiter behind which there is nothing.
  bool has_empty_end() const;
  bool next_row(Record& record);

  CsvScanner scanner_;
  std::vector<Words> notes_;
  bool decimal_comma_ = false;
  bool empty_end_ = false;
  std::deque<std::string> numbers_;  ///< cells that had a decimal comma
  std::vector<DeclaredColumn> columns_;
  bool named_ = false;
  std::vector<OwnedRow> first_rows_;  ///< read ahead for the header rule
  std::vector<Record> first_places_;  ///< of first_rows_: records without their cells
  std::size_t replayed_ = 0;
};

}  // namespace manyone
