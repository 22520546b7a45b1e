// SPDX-License-Identifier: Apache-2.0
//
// RecordReader: a text table as rows of cells, whatever the syntax. CSV and ARFF implement it; everything that gives
// cells a meaning (TableBuilder for training, RowEncoder for prediction) is written once over it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "manyone/errors.hpp"
#include "manyone/words.hpp"

namespace manyone {

/// One row of cells without blanks around them; they point into the reader and live until the next row.
struct Record {
  std::vector<std::string_view> cells;
  std::size_t line = 0;   ///< 1-based line on which the row starts
  bool one_line = false;  ///< known to the reader: no cell holds a line end

  /// The place of a cell: quoted cells in front of it may hold line ends.
  Place place(const std::string& file, std::size_t field) const {
    std::size_t at = line;
    for (std::size_t i = 0; !one_line && i < field; ++i) {
      at += static_cast<std::size_t>(std::count(cells[i].begin(), cells[i].end(), '\n'));
    }
    return {file, at, field + 1};
  }
};

/// What a file says about a column before its first row.
struct DeclaredColumn {
  enum class Kind { unknown, numeric, nominal, text };
  std::string name;                 ///< "" if the file has no names
  Kind kind = Kind::unknown;        ///< unknown: to be found from the cells
  std::vector<std::string> values;  ///< nominal: in declared order
};

/// What a column takes beside its cells while a table is read: its name, what is known of its cells, its place in the
/// schema. Measured on tables of a million columns.
inline constexpr double kColumnBytes = 900;

class RecordReader {
 public:
  virtual ~RecordReader() = default;
  /// Every record has columns().size() cells. False at the end. Throws InputError.
  virtual bool next(Record& record) = 0;
  virtual const std::vector<DeclaredColumn>& columns() const = 0;
  /// Did the file give names to its columns?
  virtual bool named() const = 0;
  /// Does this cell mean "missing"?
  virtual bool missing(std::string_view cell) const = 0;
  /// What a reader decided that may not be what was meant.
  virtual std::vector<Words> notes() const { return {}; }
  virtual const std::string& name() const = 0;
  virtual double progress() const = 0;
};

}  // namespace manyone
