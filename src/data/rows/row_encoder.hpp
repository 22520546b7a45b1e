// SPDX-License-Identifier: Apache-2.0
//
// RowEncoder: rows of cells -> features by a given Schema, for prediction. Columns are found by name when both the
// model and the table have names, else by count. Categories that the model does not know are none of those it knows; a
// note counts them. Anything else that does not fit is an error, never a guess.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/records/record.hpp"
#include "data/schema.hpp"
#include "manyone/words.hpp"

namespace manyone {

/// Writes the width() features of a column: one value (its position) of a nominal column, or a missing cell.
void write_value(const Column& column, Index value, double* out);
void write_missing(const Column& column, double* out);

/// Cells of a column whose categories the model does not know.
struct Unseen {
  Words column;
  std::string example;
  Index row = 0;  ///< of the example
  Index count = 0;
};

class RowEncoder {
 public:
  /// Both must outlive the encoder. Throws InputError when the columns do not fit the schema; `strict`: also for
  /// columns that the model does not know, and from encode() for categories. `require_target`: of two ways to read
  /// columns without names, the one with a class is meant.
  RowEncoder(const Schema& schema, const RecordReader& reader, bool strict, bool require_target);

  Index features() const { return features_; }
  bool has_target() const { return target_.has_value(); }
  /// Writes features() numbers; `row` is for messages. False if a value is missing where the schema has no use for
  /// missing values and `may_drop` is set, whatever else the row holds; otherwise that is an InputError.
  bool encode(const Record& record, Index row, bool may_drop, double* out);
  /// Text of the target, "" if it is missing. Precondition: has_target().
  std::string_view label(const Record& record) const;
  /// Throws the InputError for a missing target.
  [[noreturn]] void fail_without_label(const Record& record) const;
  /// Categories so far that the model does not know, in the order of the columns.
  std::vector<Unseen> unseen() const;
  /// unseen(), and columns that the model does not know, in words.
  std::vector<Words> notes() const;

 private:
  struct Source {
    std::size_t position = 0;  ///< cell of the record
    Index first = 0;           ///< first feature
    std::unordered_map<std::string_view, Index> values;
  };

  void match_by_name(const Schema& schema);
  void match_by_count(const Schema& schema, bool require_target);
  [[noreturn]] void fail_on_columns(const std::vector<std::string>& absent) const;
  bool missing(const Record& record, std::size_t c) const;
  bool has_missing_feature(const Record& record) const;
  void count_unseen(const Record& record, Index row, std::size_t c);
  std::optional<Index> find_value(const Source& source, std::string_view cell) const;
  [[noreturn]] void fail_unseen(const Record& record, std::size_t c) const;
  [[noreturn]] void fail_missing(const Record& record, Index row, std::size_t c) const;
  Words label_of(std::size_t c) const;

  const RecordReader& reader_;
  std::vector<Column> columns_;  ///< of the schema, or as many plain numbers as it has features
  bool uses_missing_;
  bool strict_;
  std::vector<Source> sources_;
  std::vector<std::string> extra_;  ///< columns that the model does not know
  std::vector<Unseen> unseen_;      ///< of each column of the model
  std::optional<std::size_t> target_;
  Index features_ = 0;
};

}  // namespace manyone
