// SPDX-License-Identifier: Apache-2.0
//
// TableOutline: all that read_dataset() would find out about a labelled table, without its rows. One reading gives it
// (two when a column turns out late to be nominal), with memory that does not grow with the rows.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "data/table_reader.hpp"
#include "manyone/words.hpp"

namespace manyone {

struct TableOutline {
  Schema schema;
  std::vector<std::string> classes;        ///< in class order
  std::vector<Index> class_counts;         ///< rows of each class
  std::vector<Words> notes;                ///< what the reader decided that may not be what was meant
  Index rows = 0;                          ///< rows kept
  Index dropped = 0;                       ///< rows left out by MissingPolicy::drop
  std::vector<std::uint32_t> fold_of_row;  ///< of the rows kept, in `folds`; empty unless a fold column was asked for
  std::vector<std::string> folds;          ///< texts of the fold column
  bool sparse = false;                     ///< the features of the whole table would be sparse
};

/// A table opened for one reading.
struct OpenTable {
  std::unique_ptr<ByteSource> source;
  std::unique_ptr<ByteSource> labels;  ///< for IDX
};

/// `open` is called for each reading, `poll` now and then with the part of the table that has been read; it may throw.
/// `format` is not automatic. Throws what read_dataset() throws, for the same reasons, but for memory.
TableOutline outline_table(const std::function<OpenTable()>& open, TableFormat format, const ReadOptions& options,
                           const std::function<void(double)>& poll);

}  // namespace manyone
