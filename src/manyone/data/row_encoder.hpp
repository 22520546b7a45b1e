// SPDX-License-Identifier: Apache-2.0
//
// RowEncoder: rows of cells -> features by a given Schema, for prediction. Columns are found by name when both the
// model and the table have names, else by count; anything that does not fit is an error, never a guess.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "manyone/data/record.hpp"
#include "manyone/data/schema.hpp"

namespace manyone {

/// Writes the width() features of a column: one value (its position) of a nominal column, or a missing cell.
void write_value(const Column& column, Index value, double* out);
void write_missing(const Column& column, double* out);

class RowEncoder {
 public:
  /// Both must outlive the encoder. Throws InputError when the columns do not fit the schema.
  RowEncoder(const Schema& schema, const RecordReader& reader);

  Index features() const { return features_; }
  bool has_target() const { return target_.has_value(); }
  /// Writes features() numbers; `row` is for messages. False if a value is missing where the schema has no use for
  /// missing values and `may_drop` is set, whatever else the row holds; otherwise that is an InputError.
  bool encode(const Record& record, Index row, bool may_drop, double* out) const;
  /// Text of the target, "" if it is missing. Precondition: has_target().
  std::string_view label(const Record& record) const;
  /// Throws the InputError for a missing target.
  [[noreturn]] void fail_without_label(const Record& record) const;

 private:
  struct Source {
    std::size_t position = 0;  ///< cell of the record
    Index first = 0;           ///< first feature
    std::unordered_map<std::string_view, Index> values;
  };

  void match_by_name(const Schema& schema);
  void match_by_count(const Schema& schema);
  bool has_missing_feature(const Record& record) const;
  std::optional<Index> find_value(const Source& source, std::string_view cell) const;
  [[noreturn]] void fail_unseen(const Record& record, std::size_t c) const;
  [[noreturn]] void fail_missing(const Record& record, Index row, std::size_t c) const;
  std::string label_of(std::size_t c) const;

  const RecordReader& reader_;
  std::vector<Column> columns_;  ///< of the schema, or as many plain numbers as it has features
  bool uses_missing_;
  std::vector<Source> sources_;
  std::optional<std::size_t> target_;
  Index features_ = 0;
};

}  // namespace manyone
