// SPDX-License-Identifier: Apache-2.0
//
// CsvScanner: bytes -> rows of cells (RFC 4180: quotes, doubled quotes, line ends inside quotes, CRLF), with the line
// of every row. It knows nothing of headers, numbers or columns. Why by hand: docs/decisions/csv-scanner.md.
#pragma once

#include <cstddef>
#include <deque>
#include <string>

#include "data/bytes/byte_window.hpp"
#include "data/records/record.hpp"

namespace manyone {

class CsvScanner {
 public:
  /// Finds the delimiter from the first line, if it is Excel's "sep=;", or from the first lines: comma, tab, semicolon,
  /// bar or, where none of these fits, runs of blanks.
  explicit CsvScanner(ByteWindow window);

  /// The next row that is not blank. Throws InputError for a quote that is never closed, text behind a closing quote, a
  /// NUL byte, or a size beyond the limits of byte_window.hpp.
  bool next(Record& record);

  /// A blank stands for runs of blanks and tabs.
  char delimiter() const { return delimiter_; }
  const std::string& name() const { return window_.name(); }
  double progress() const { return window_.progress(); }

 private:
  /// Bytes of the record at the start of the window including its line end, or 0 if it does not end in the window.
  std::size_t scan(Record& record, bool last);
  /// scan() for cells between runs of blanks.
  std::size_t scan_words(Record& record, bool last);
  bool separates(char c) const { return c == delimiter_ || (delimiter_ == ' ' && c == '\t'); }
  /// From the opening quote to the delimiter or line end; nullptr if that is not in the window.
  const char* scan_quoted(const char* quote, Record& record, bool last);
  void check_limits(const Record& record) const;

  ByteWindow window_;
  char delimiter_;
  std::size_t line_ = 1;              ///< line at the start of the window
  std::size_t inner_lines_ = 0;       ///< line ends inside quotes of the record being scanned
  std::size_t open_bytes_ = 0;        ///< bytes of the cell at which the window ended
  bool open_quote_ = false;           ///< that cell is inside quotes
  std::deque<std::string> unquoted_;  ///< cells with doubled quotes, unfolded
  std::size_t unquoted_count_ = 0;
};

}  // namespace manyone
