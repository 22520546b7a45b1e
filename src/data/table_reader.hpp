// SPDX-License-Identifier: Apache-2.0
//
// Reading tables: CSV/TSV, LIBSVM, ARFF and IDX, plain or gzip, from a file or standard input ("-").
// Training reads everything (read_dataset) or, for tables larger than the memory, block by block (TableStream in
// table_stream.hpp); prediction reads blocks of rows (BlockReader), so that its memory does not grow with the file. All
// turn cells into features through the Schema.
// Every problem is an InputError with file, line and column and a hint.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/memory.hpp"
#include "data/bytes/byte_source.hpp"
#include "data/dataset.hpp"
#include "manyone/words.hpp"

namespace manyone {

enum class TableFormat { automatic, csv, libsvm, arff, idx };

struct ReadOptions {
  TableFormat format = TableFormat::automatic;  ///< automatic: by extension, then by looking at the first bytes
  std::string target;                           ///< name or 1-based index; empty: the last column
  std::string fold_column;                      ///< name or 1-based index of a column with fold ids; empty: none
  std::vector<std::string> nominal;   ///< columns (names or 1-based indices) to read as nominal whatever they hold
  std::vector<std::string> ignore;    ///< columns (names or 1-based indices) to leave out
  bool keep_identifiers = false;      ///< also columns that count the rows, or hold a word of its own in every row
  std::optional<bool> header;         ///< has the CSV a header line? nothing: detect
  std::optional<bool> decimal_comma;  ///< are the CSV's numbers written as 3,5? nothing: detect
  MissingPolicy missing = MissingPolicy::error;
  MemoryBudget memory;
};

/// The whole labelled table. LIBSVM data with fewer than 20 % non-zeros stays sparse. The labels of an IDX file are
/// in the file beside it whose name says "labels" for "images" and "idx1" for "idx3".
Dataset read_dataset(const std::string& path, const ReadOptions& options);
/// The whole labelled table from any source of bytes; `labels` is for IDX.
Dataset read_dataset(std::unique_ptr<ByteSource> source, const ReadOptions& options,
                     std::unique_ptr<ByteSource> labels = nullptr);

/// One block of rows of a table that is to be predicted or evaluated.
struct Block {
  Features features;                ///< rows encoded by the schema; sparse for LIBSVM blocks under 20 % non-zeros
  std::vector<std::string> labels;  ///< text of the target for each row ("" if missing); empty if there is no target
  Index first_row = 0;              ///< 0-based number of the block's first row in the file
  std::vector<Index> dropped;       ///< numbers of rows left out of this block (MissingPolicy::drop)
  std::vector<std::vector<std::string>> kept;  ///< cells of BlockOptions::keep for each row, dropped ones too
};

struct BlockOptions {
  TableFormat format = TableFormat::automatic;
  std::optional<bool> header = std::nullopt;  ///< nothing: detect
  bool require_target = false;                ///< evaluate: a table without the target column is an error
  bool labels = true;                         ///< whether blocks have them; predict leaves them unread
  bool drop_missing = true;     ///< leave rows with missing values out where the model takes none, instead of an error
  bool strict = false;          ///< columns and categories that the model does not know are errors
  Index rows_per_block = 8192;  ///< at most; fewer when the rows are so wide that a block would be large
  std::optional<bool> sparse = std::nullopt;  ///< LIBSVM: the kind of every block; nothing: each by its non-zeros
  MemoryBudget memory = {};                   ///< for tables wider than any model should be asked for
  std::optional<bool> decimal_comma = std::nullopt;  ///< are numbers written as 3,5? nothing: detect
  std::vector<std::string> keep = {};                ///< columns (names or 1-based indices) to hand on as they are
};

/// Rows of a block with so many features: what was asked for, but at most 64 MB of numbers.
Index block_rows(const BlockOptions& options, Index features);

class BlockReader {
 public:
  /// Opens the table and checks its columns against the schema (by name when both have names, else by count).
  BlockReader(const std::string& path, const Schema& schema, const BlockOptions& options);
  /// Blocks of a table from any source of bytes; `labels` is for IDX and may be absent.
  BlockReader(std::unique_ptr<ByteSource> source, const Schema& schema, const BlockOptions& options,
              std::unique_ptr<ByteSource> labels = nullptr);
  ~BlockReader();
  BlockReader(BlockReader&&) noexcept;
  /// False at the end of the table.
  bool next(Block& block);
  bool has_target() const;
  /// The names of BlockOptions::keep.
  std::vector<std::string> kept_names() const;
  /// What was read otherwise than the file says, so far: columns and categories that the model does not know.
  std::vector<Words> notes() const;
  /// Part of the input consumed so far, in 0..1; 0 when the size is not known (standard input).
  double progress() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace manyone
