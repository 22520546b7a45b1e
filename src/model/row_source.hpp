// SPDX-License-Identifier: Apache-2.0
//
// RowSource: a labelled table whose rows are passed over in blocks, as often as needed; in memory or on disk.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "data/dataset.hpp"
#include "data/rows/table_stream.hpp"

namespace manyone {

/// A labelled table whose rows are passed over in blocks, as often as needed.
class RowSource {
 public:
  using Use = std::function<void(const Features& unscaled, std::span<const int> labels, Index first_row)>;

  virtual ~RowSource() = default;
  virtual void pass(const Use& use) const = 0;
  virtual const Schema& schema() const = 0;
  virtual const std::vector<std::string>& classes() const = 0;
  virtual std::vector<Index> class_counts() const = 0;
  virtual const std::string& name() const = 0;
  virtual bool sparse() const = 0;
  /// Rows of the file that were left out for missing values.
  virtual Index dropped() const = 0;
  /// Text of the fold column for each row; empty if none was asked for.
  virtual std::vector<std::string> folds() const = 0;
  /// The table where it is in memory; nothing where it is not.
  virtual const Dataset* whole() const { return nullptr; }

  Index rows() const;
  Index features() const { return schema().features(); }
};

/// A table in memory, which outlives it.
class DatasetRows final : public RowSource {
 public:
  explicit DatasetRows(const Dataset& data) : data_(data) {}
  void pass(const Use& use) const override;
  const Schema& schema() const override { return data_.schema; }
  const std::vector<std::string>& classes() const override { return data_.classes; }
  std::vector<Index> class_counts() const override;
  const std::string& name() const override { return data_.source; }
  bool sparse() const override { return data_.features.sparse(); }
  Index dropped() const override { return data_.dropped; }
  std::vector<std::string> folds() const override { return data_.folds; }
  const Dataset* whole() const override { return &data_; }

 private:
  const Dataset& data_;
};

/// A table that stays on disk, which outlives it.
class StreamedRows final : public RowSource {
 public:
  explicit StreamedRows(const TableStream& stream) : stream_(stream) {}
  void pass(const Use& use) const override { stream_.pass(use); }
  const Schema& schema() const override { return stream_.schema(); }
  const std::vector<std::string>& classes() const override { return stream_.classes(); }
  std::vector<Index> class_counts() const override;
  const std::string& name() const override { return stream_.source(); }
  bool sparse() const override { return stream_.sparse(); }
  Index dropped() const override { return stream_.dropped(); }
  std::vector<std::string> folds() const override { return stream_.folds(); }

 private:
  const TableStream& stream_;
};

}  // namespace manyone
