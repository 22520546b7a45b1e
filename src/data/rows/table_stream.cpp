// SPDX-License-Identifier: Apache-2.0
#include "data/rows/table_stream.hpp"

#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/worded.hpp"
#include "data/bytes/read_ahead.hpp"
#include "data/bytes/table_format.hpp"
#include "data/records/cell.hpp"
#include "data/rows/block_source.hpp"
#include "manyone/errors.hpp"

namespace manyone {

namespace {

const Interrupt kNever;
constexpr Index kAhead = 2;  // blocks in the making while another is in use

void refuse_what_cannot_stream(const std::string& path) {
  std::error_code none;
  const auto status = std::filesystem::status(path, none);
  if (path == "-" || std::filesystem::is_fifo(status) || std::filesystem::is_character_file(status)) {
    throw ConfigError(
        "table",
        fmt::format("{}: a table that is read block by block is read more than once, which standard input and pipes "
                    "cannot be",
                    path == "-" ? "standard input" : path),
        "write it to a file first");
  }
}

OpenTable open_table(const std::string& path, TableFormat format, BytesSeen& bytes, BytesSeen& label_bytes) {
  bytes = label_bytes = {};
  OpenTable table{watched(open_bytes(path), bytes), nullptr};
  if (format == TableFormat::idx) table.labels = open_idx_labels(path);
  if (table.labels) table.labels = watched(std::move(table.labels), label_bytes);
  return table;
}

[[noreturn]] void fail_changed(const std::string& path, const Words& what) {
  throw InputError(Place{path}, worded("the table changed while it was read; {}", what),
                   "leave the file as it is until the work is done");
}

}  // namespace

/// One pass, as its thread sees it.
class TableStream::Reading {
 public:
  Reading(const TableStream& stream, Index rows_per_block) : stream_(stream), counts_(stream.outline_.classes.size()) {
    BlockOptions options;
    options.format = stream.format_;
    options.header = stream.schema().named;
    options.require_target = true;
    options.strict = true;
    options.decimal_comma = stream.decimal_comma_;
    options.rows_per_block = rows_per_block;
    options.sparse = stream.sparse();
    OpenTable table = open_table(stream.path_, stream.format_, bytes_, label_bytes_);
    reader_.emplace(std::move(table.source), stream.by_position_, options, std::move(table.labels));
  }

  std::optional<LabelledBlock> next() {
    if (!read_block()) {
      check_end();
      return std::nullopt;
    }
    LabelledBlock block;
    block.first = rows_;
    rows_ += block_.features.rows();
    dropped_ += std::ssize(block_.dropped);
    if (rows_ > stream_.rows()) fail_changed(stream_.path_, fmt::format("it had {} rows", stream_.rows()));
    block.labels.reserve(block_.labels.size());
    for (const std::string& label : block_.labels) block.labels.push_back(class_of(label));
    block.features = std::move(block_.features);
    return block;
  }

 private:
  /// The first reading had nothing to object to, so that what this one does is news.
  bool read_block() {
    try {
      return reader_->next(block_);
    } catch (const InputError& error) {
      fail_changed(stream_.path_, error.complaint().words());
    }
  }

  int class_of(const std::string& label) {
    const auto found = stream_.class_of_.find(label);
    if (found == stream_.class_of_.end())
      fail_changed(stream_.path_, fmt::format("the class {} was not there", shown(label)));
    const auto c = static_cast<std::size_t>(found->second);
    if (++counts_[c] > stream_.outline_.class_counts[c]) {
      fail_changed(stream_.path_, fmt::format("class {} had {} rows", shown(label), stream_.outline_.class_counts[c]));
    }
    return found->second;
  }

  void check_end() const {
    if (rows_ != stream_.rows() || dropped_ != stream_.dropped())
      fail_changed(stream_.path_,
                   fmt::format("it had {} rows and now has {}", stream_.rows() + stream_.dropped(), rows_ + dropped_));
    if (bytes_ != stream_.bytes_ || label_bytes_ != stream_.label_bytes_)
      fail_changed(stream_.path_, "its contents are not those that were read first");
  }

  const TableStream& stream_;
  BytesSeen bytes_;
  BytesSeen label_bytes_;
  std::optional<BlockReader> reader_;
  Block block_;
  Index rows_ = 0;
  Index dropped_ = 0;
  std::vector<Index> counts_;
};

TableStream::TableStream(std::string path, const ReadOptions& options)
    : TableStream(std::move(path), options, kNever) {}

TableStream::TableStream(std::string path, const ReadOptions& options, const Interrupt& interrupt,
                         const Progress& progress)
    : path_(std::move(path)), interrupt_(&interrupt), decimal_comma_(options.decimal_comma) {
  refuse_what_cannot_stream(path_);
  interrupt_->check();
  {
    ByteWindow window(open_bytes(path_));
    format_ = find_format(options.format, window);
  }
  std::optional<std::pair<BytesSeen, BytesSeen>> before;
  const auto open = [&] {
    if (bytes_.count > 0) before = {bytes_, label_bytes_};
    return open_table(path_, format_, bytes_, label_bytes_);
  };
  outline_ = outline_table(open, format_, options, [&](double part) {
    interrupt_->check();
    if (progress) progress(part);
  });
  if (before && *before != std::pair(bytes_, label_bytes_))
    fail_changed(path_, "its contents are not those that were read first");
  if (!sparse()) {
    const Index rows = block_rows({.rows_per_block = kBlockRows}, features());
    options.memory.require(8.0 * static_cast<double>((1 + kAhead) * rows) * static_cast<double>(features()),
                           fmt::format("{} blocks of {} rows and {} features", 1 + kAhead, rows, features()),
                           "allow more with `memory`, or is a nominal column an identifier?");
  }
  for (int c = 0; c < class_count(); ++c) class_of_[classes()[static_cast<std::size_t>(c)]] = c;
  by_position_ = outline_.schema;
  by_position_.named = false;
}

std::vector<std::string> TableStream::folds() const {
  std::vector<std::string> out;
  out.reserve(outline_.fold_of_row.size());
  for (const std::uint32_t code : outline_.fold_of_row) out.push_back(outline_.folds[code]);
  return out;
}

void TableStream::pass(const Use& use, Index rows_per_block) const {
  interrupt_->check();
  std::optional<Reading> reading;
  try {
    reading.emplace(*this, rows_per_block);
  } catch (const InputError& error) {
    fail_changed(path_, error.complaint().words());
  }
  ReadAhead<LabelledBlock> blocks([&] { return reading->next(); }, static_cast<std::size_t>(kAhead));
  while (const std::optional<LabelledBlock> block = blocks.next()) {
    interrupt_->check();
    if (block->features.rows() > 0) use(block->features, block->labels, block->first);
  }
}

}  // namespace manyone
