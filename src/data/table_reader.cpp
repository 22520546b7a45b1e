// SPDX-License-Identifier: Apache-2.0
#include "data/table_reader.hpp"

#include <algorithm>
#include <utility>

#include "data/bytes/table_format.hpp"
#include "data/outline/table_builder.hpp"
#include "data/records/idx_reader.hpp"
#include "data/records/libsvm_reader.hpp"
#include "data/records/record_source.hpp"
#include "data/rows/table_encoder.hpp"

namespace manyone {

namespace {

Dataset read_records(RecordReader& reader, const ReadOptions& options) {
  TableBuilder builder(reader, options);
  Record record;
  while (reader.next(record)) builder.add(record);
  return encode_table(builder.take(), options);
}

Dataset read_table(ByteWindow window, TableFormat format, const ReadOptions& options,
                   std::unique_ptr<ByteSource> labels) {
  refuse_column_options(format, options);
  switch (format) {
    case TableFormat::libsvm: return read_libsvm(std::move(window), options);
    case TableFormat::idx: return read_idx(std::move(window), std::move(labels), options);
    default: return read_records(*open_records(std::move(window), format, options), options);
  }
}

}  // namespace

Dataset read_dataset(const std::string& path, const ReadOptions& options) {
  ByteWindow window(open_bytes(path), options.memory);
  const TableFormat format = find_format(options.format, window);
  return read_table(std::move(window), format, options, format == TableFormat::idx ? open_idx_labels(path) : nullptr);
}

Dataset read_dataset(std::unique_ptr<ByteSource> source, const ReadOptions& options,
                     std::unique_ptr<ByteSource> labels) {
  ByteWindow window(std::move(source), options.memory);
  const TableFormat format = find_format(options.format, window);
  return read_table(std::move(window), format, options, std::move(labels));
}

Index block_rows(const BlockOptions& options, Index features) {
  constexpr Index kMostNumbers = Index{1} << 23;
  return std::clamp<Index>(kMostNumbers / std::max<Index>(features, 1), 1, std::max<Index>(options.rows_per_block, 1));
}

}  // namespace manyone
