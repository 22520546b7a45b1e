// SPDX-License-Identifier: Apache-2.0
//
// Blocks of LIBSVM files.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "data/records/libsvm_reader.hpp"
#include "data/rows/block_source.hpp"
#include "manyone/errors.hpp"

namespace manyone {

namespace {

class LibsvmBlocks final : public BlockSource {
 public:
  LibsvmBlocks(ByteWindow window, const Schema& schema, const BlockOptions& options)
      : reader_(std::move(window), options.drop_missing && (!options.strict || schema.missing == MissingPolicy::drop)),
        features_(numbered_features(schema, reader_.name())),
        sparse_(options.sparse),
        labelled_(options.labels),
        memory_(options.memory),
        rows_(sparse_ == false ? block_rows(options, features_) : std::max<Index>(options.rows_per_block, 1)) {
    more_ = reader_.next(ahead_, label_);  // tells whether the file has labels
    has_target_ = !label_.empty();
    if (more_) require_target(options, has_target_, reader_.name());
  }

  bool next(Block& block) override {
    // At most five times as many numbers when the block becomes dense.
    constexpr std::size_t kMostValues = std::size_t{1} << 21;
    block.first_row = row_;
    block.dropped.clear();
    block.labels.clear();
    std::swap(rows_read_, ahead_);
    ahead_.clear();
    while (more_) {
      check_row();
      if (has_target_ && labelled_) block.labels.push_back(label_);
      if (rows_read_.rows() == rows_ || rows_read_.values.size() > kMostValues) {
        more_ = reader_.next(ahead_, label_);
        break;
      }
      more_ = reader_.next(rows_read_, label_);
    }
    block.dropped.assign(reader_.dropped().begin() + reported_, reader_.dropped().end());
    reported_ = std::ssize(reader_.dropped());
    row_ = reader_.rows_seen() - (more_ ? 1 : 0);
    const bool any = rows_read_.rows() > 0 || !block.dropped.empty();
    const bool sparse =
        sparse_.value_or(stays_sparse(static_cast<double>(rows_read_.values.size()),
                                      static_cast<double>(rows_read_.rows()), static_cast<double>(features_)));
    block.features = rows_read_.features(features_, sparse, memory_);
    rows_read_.clear();
    return any;
  }

  bool has_target() const override { return has_target_; }
  double progress() const override { return reader_.progress(); }

 private:
  /// The row just read is the last of rows_read_.
  void check_row() const {
    const auto& starts = rows_read_.starts;
    const bool empty = starts[starts.size() - 1] == starts[starts.size() - 2];
    if (!empty && rows_read_.indices.back() >= features_) {
      throw InputError(reader_.place(),
                       fmt::format("expected indices up to {}, the number of features of the model, found {}",
                                   features_, rows_read_.indices.back() + 1),
                       "give the features the model was trained on");
    }
    if (label_.empty() == has_target_) {
      throw InputError(reader_.place(), has_target_ ? Words("expected a label as in the rows above, found none")
                                                    : Words("found a label, but the rows above have none"));
    }
  }

  LibsvmReader reader_;
  Index features_;
  std::optional<bool> sparse_;
  bool labelled_;
  MemoryBudget memory_;
  Index rows_;
  Index row_ = 0;       ///< first of the next block
  Index reported_ = 0;  ///< rows left out that a block has named
  bool has_target_ = false;
  bool more_ = false;
  std::string label_;
  SparseRows ahead_;  ///< the row read ahead, whose label is label_
  SparseRows rows_read_;
};

}  // namespace

std::unique_ptr<BlockSource> libsvm_blocks(ByteWindow window, const Schema& schema, const BlockOptions& options) {
  return std::make_unique<LibsvmBlocks>(std::move(window), schema, options);
}

}  // namespace manyone
