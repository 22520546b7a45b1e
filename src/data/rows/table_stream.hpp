// SPDX-License-Identifier: Apache-2.0
//
// TableStream: a labelled table that stays on disk and is read block by block, as often as asked, so that the memory of
// training does not grow with the number of rows. What it says and what its blocks hold is what read_dataset() would
// give. Of its rows it keeps the fold column alone, where one is asked for.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/interrupt.hpp"
#include "data/outline/table_outline.hpp"
#include "data/table_reader.hpp"

namespace manyone {

class TableStream {
 public:
  /// Takes rows: their features, the class index of each, and the number of the first of them (rows that were dropped
  /// are not counted). The arguments live until it returns.
  using Use = std::function<void(const Features& features, std::span<const int> labels, Index first)>;
  /// Takes the part of the table that has been read, in 0..1.
  using Progress = std::function<void(double)>;

  /// Reads the table once to find out what its columns are (twice if a column of numbers turns out late to be nominal);
  /// keeps no rows. Throws what read_dataset() throws, for the same reasons; ConfigError for standard input and pipes,
  /// which cannot be read again.
  TableStream(std::string path, const ReadOptions& options);
  /// This constructor and every pass() poll the interrupt, which must outlive the stream, and throw Interrupted.
  TableStream(std::string path, const ReadOptions& options, const Interrupt& interrupt, const Progress& progress = {});

  const Schema& schema() const { return outline_.schema; }
  /// In class order.
  const std::vector<std::string>& classes() const { return outline_.classes; }
  int class_count() const { return static_cast<int>(outline_.classes.size()); }
  /// Rows of each class.
  std::span<const Index> class_counts() const { return outline_.class_counts; }
  /// Rows kept.
  Index rows() const { return outline_.rows; }
  Index features() const { return outline_.schema.features(); }
  /// Rows left out by MissingPolicy::drop.
  Index dropped() const { return outline_.dropped; }
  /// Text of the fold column for each row kept; empty if none was asked for.
  std::vector<std::string> folds() const;
  /// Every block is sparse, or none is.
  bool sparse() const { return outline_.sparse; }
  /// What the reader decided that may not be what was meant.
  const std::vector<Words>& notes() const { return outline_.notes; }
  /// The file name, for messages.
  const std::string& source() const { return path_; }

  static constexpr Index kBlockRows = 8192;

  /// One reading of the table: calls use() for blocks of rows in the order of the file, each with `rows_per_block` rows
  /// but the last; fewer when the rows are so wide that a block would hold more than 64 MB. The blocks are the same in
  /// every pass. While use() works on one, at most two more are read and encoded on a thread of their own.
  /// Throws InputError when the table is no longer what it was. No class index, row number or number of rows in a class
  /// that use() sees is ever beyond what this object says; that other bytes have changed is known at the end only.
  /// What use() throws ends the pass. Passes may run at the same time.
  void pass(const Use& use, Index rows_per_block = kBlockRows) const;

 private:
  struct LabelledBlock {
    Features features;
    std::vector<int> labels;
    Index first = 0;
  };
  class Reading;

  std::string path_;
  const Interrupt* interrupt_;
  TableFormat format_ = TableFormat::automatic;
  std::optional<bool> decimal_comma_;
  BytesSeen bytes_;
  BytesSeen label_bytes_;  ///< of the label file beside an IDX file
  TableOutline outline_;
  Schema by_position_;  ///< the schema without its claim to names: this table has its columns where they were
  std::unordered_map<std::string, int> class_of_;
};

}  // namespace manyone
