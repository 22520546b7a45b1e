// SPDX-License-Identifier: Apache-2.0
#include "manyone/data/table_reader.hpp"

#include <utility>

#include "manyone/data/idx_reader.hpp"
#include "manyone/data/libsvm_reader.hpp"
#include "manyone/data/record_source.hpp"
#include "manyone/data/table_builder.hpp"
#include "manyone/data/table_encoder.hpp"
#include "manyone/data/table_format.hpp"

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

}  // namespace manyone
