// SPDX-License-Identifier: Apache-2.0
//
// Table: labelled rows to learn from, of a file or of numbers in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <manyone/matrix.hpp>
#include <manyone/run.hpp>

namespace manyone::abi_0 {

/// How a file is written, as far as its name and its first lines do not say it.
struct FileForm {
  std::string format = "auto";             ///< auto, csv, libsvm, arff or idx
  std::optional<bool> header = {};         ///< has the CSV a header line? not set: as it looks
  std::optional<bool> decimal_comma = {};  ///< are the CSV's numbers written as 3,5? not set: as it looks
};

/// Which columns of a file are what. Columns are named, or counted from 1.
struct ReadOptions {
  FileForm form = {};
  std::string target = {};                ///< the classes; empty: the last column
  std::string fold_column = {};           ///< see Table::fold_ids(); empty: none
  std::vector<std::string> nominal = {};  ///< columns that hold words, whatever they look like
  std::vector<std::string> ignore = {};   ///< columns to leave out
  bool keep_identifiers = false;          ///< also columns that count the rows, or hold a word of its own in every row
  std::string missing = "error";          ///< cells without a value: error, drop (the row), mean or indicator
};

/// A handle: copies are cheap and share the rows, which never change.
class Table {
 public:
  /// CSV, TSV, LIBSVM, ARFF or IDX, plain or gzip. Throws InputError with file, line and column, MemoryError. Of `run`
  /// the memory and the observer count.
  static Table read(const std::string& file, const ReadOptions& options = {}, const Run& run = {});
  /// A copy of the numbers, with a label for each row. Throws InputError for numbers that are not finite, fewer than
  /// two different labels, or another number of labels.
  static Table of(MatrixView rows, const std::vector<std::string>& labels);

  std::int64_t rows() const;
  std::int64_t features() const;
  const std::vector<std::string>& classes() const;
  /// Of each row, an index into classes().
  std::span<const int> labels() const;
  std::vector<std::string> feature_names() const;
  /// Features of some rows, not scaled.
  Matrix numbers(std::int64_t first_row, std::int64_t count) const;
  /// Rows of ReadOptions::fold_column with equal words have equal numbers: for Recipe::given_folds or Recipe::groups.
  std::vector<int> fold_ids() const;
  /// With ReadOptions::missing "drop": the rows of the file, counted from 0, that were kept; else empty.
  std::span<const std::int64_t> kept() const;
  /// What the reader decided that may not be what was meant.
  std::vector<std::string> notes() const;

  struct Inside;  ///< the library's own
  explicit Table(std::shared_ptr<const Inside> inside);
  const Inside& inside() const { return *inside_; }

 private:
  std::shared_ptr<const Inside> inside_;
};

}  // namespace manyone::abi_0
