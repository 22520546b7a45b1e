// SPDX-License-Identifier: Apache-2.0
//
// LIBSVM files: "label index:value index:value ...", indices from 1, increasing, absent ones 0; '#' starts a comment.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/bytes/byte_window.hpp"
#include "data/table_reader.hpp"
#include "manyone/errors.hpp"

namespace manyone {

/// Rows as they are in the file, in compressed form.
struct SparseRows {
  std::vector<Index> starts{0};
  std::vector<int> indices;  ///< 0-based
  std::vector<double> values;

  Index rows() const { return static_cast<Index>(starts.size()) - 1; }
  void clear();
  /// n x `features` numbers, sparse or dense. Throws MemoryError.
  Features features(Index features, bool sparse, const MemoryBudget& memory) const;
};

/// Training takes memory for each feature, however few entries there are. Throws MemoryError when that is too much.
void require_feature_memory(const MemoryBudget& memory, Index features, const std::string& file);

/// Whether a table with so many entries stays sparse: below 20 % of all cells.
bool stays_sparse(double entries, double rows, double features);

/// The text up to the next blank or tab, which is taken off the front of `text` with the blanks behind it.
std::string_view take_libsvm_token(std::string_view& text);

/// Appends "index:value" to the row at the end of `rows`; false where the value is missing ("3:nan") and nothing is
/// appended. Throws InputError at `place`.
bool append_libsvm_entry(std::string_view token, const Place& place, SparseRows& rows);

class LibsvmReader {
 public:
  /// `drop`: rows with missing values are left out; otherwise they are an InputError.
  LibsvmReader(ByteWindow window, bool drop) : lines_(std::move(window)), drop_(drop) {}

  /// Appends the next row; its label is "" if it has none. False at the end. Throws InputError.
  bool next(SparseRows& rows, std::string& label);
  /// Rows read so far, those left out too, and which were left out.
  Index rows_seen() const { return rows_seen_; }
  const std::vector<Index>& dropped() const { return dropped_; }
  Place place() const { return {lines_.name(), lines_.line(), 0}; }
  const std::string& name() const { return lines_.name(); }
  double progress() const { return lines_.progress(); }

 private:
  bool read_row(SparseRows& rows, std::string& label, bool& gap);

  LineReader lines_;
  bool drop_;
  Index rows_seen_ = 0;
  std::vector<Index> dropped_;
};

/// The rows of a table for training: each has a label, and the last index of all says how many features there are.
class LibsvmTable {
 public:
  LibsvmTable(ByteWindow window, MissingPolicy missing) : reader_(std::move(window), missing == MissingPolicy::drop) {}

  /// As LibsvmReader::next(); a row without a label is an InputError, as is a file without rows or without entries.
  bool next(SparseRows& rows, std::string& label);
  Index rows() const { return rows_; }
  const LibsvmReader& reader() const { return reader_; }
  Index features() const { return features_; }
  /// Index:value pairs so far.
  Index entries() const { return entries_; }
  const std::string& name() const { return reader_.name(); }
  double progress() const { return reader_.progress(); }

 private:
  LibsvmReader reader_;
  Index rows_ = 0;
  Index features_ = 0;
  Index entries_ = 0;
};

/// The whole file, labelled. Throws InputError, MemoryError.
Dataset read_libsvm(ByteWindow window, const ReadOptions& options);

}  // namespace manyone
