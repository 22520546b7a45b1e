// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "data/bytes/table_format.hpp"
#include "data/rows/block_source.hpp"
#include "data/table_reader.hpp"
#include "manyone/errors.hpp"

namespace manyone {

namespace {

std::unique_ptr<BlockSource> open_blocks(ByteWindow window, TableFormat format, const Schema& schema,
                                         const BlockOptions& options, std::unique_ptr<ByteSource> labels) {
  if (!options.keep.empty() && (format == TableFormat::libsvm || format == TableFormat::idx)) {
    throw ConfigError("keep", "keep: LIBSVM and IDX files have no columns to choose from", "leave it out");
  }
  switch (format) {
    case TableFormat::libsvm: return libsvm_blocks(std::move(window), schema, options);
    case TableFormat::idx: return idx_blocks(std::move(window), std::move(labels), schema, options);
    case TableFormat::arff: return arff_blocks(std::move(window), schema, options);
    default: return csv_blocks(std::move(window), schema, options);
  }
}

}  // namespace

struct BlockReader::State {
  std::unique_ptr<BlockSource> source;
};

BlockReader::BlockReader(const std::string& path, const Schema& schema, const BlockOptions& options)
    : state_(std::make_unique<State>()) {
  ByteWindow window(open_bytes(path), options.memory);
  const TableFormat format = find_format(options.format, window);
  auto labels = format == TableFormat::idx ? open_idx_labels(path) : nullptr;
  state_->source = open_blocks(std::move(window), format, schema, options, std::move(labels));
}

BlockReader::BlockReader(std::unique_ptr<ByteSource> source, const Schema& schema, const BlockOptions& options,
                         std::unique_ptr<ByteSource> labels)
    : state_(std::make_unique<State>()) {
  ByteWindow window(std::move(source), options.memory);
  const TableFormat format = find_format(options.format, window);
  state_->source = open_blocks(std::move(window), format, schema, options, std::move(labels));
}

BlockReader::~BlockReader() = default;
BlockReader::BlockReader(BlockReader&&) noexcept = default;

bool BlockReader::next(Block& block) { return state_->source->next(block); }
bool BlockReader::has_target() const { return state_->source->has_target(); }
std::vector<std::string> BlockReader::kept_names() const { return state_->source->kept_names(); }
std::vector<Words> BlockReader::notes() const { return state_->source->notes(); }
double BlockReader::progress() const { return state_->source->progress(); }

Index numbered_features(const Schema& schema, const std::string& file) {
  for (const Column& column : schema.columns) {
    if (column.width() != 1 || column.nominal) {
      throw InputError(Place{file}, "expected a table with the columns of the model, some of which are nominal",
                       "this format has numbers only");
    }
  }
  return schema.features();
}

void require_target(const BlockOptions& options, bool has_target, const std::string& file) {
  if (!options.require_target || has_target) return;
  throw InputError(Place{file}, "expected the classes beside the features, found none",
                   "without them there is nothing to compare with");
}

}  // namespace manyone
