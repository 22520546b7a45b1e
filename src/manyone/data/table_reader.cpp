// SPDX-License-Identifier: Apache-2.0
#include "manyone/data/table_reader.hpp"

#include <utility>

#include <fmt/format.h>

#include "manyone/base/errors.hpp"
#include "manyone/data/arff_reader.hpp"
#include "manyone/data/csv_reader.hpp"
#include "manyone/data/idx_reader.hpp"
#include "manyone/data/libsvm_reader.hpp"
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

/// LIBSVM and IDX keep labels apart and have numbers only: there are no columns to choose.
void refuse_column_options(const ReadOptions& options, const char* format) {
  const auto refuse = [&](const char* name, bool given) {
    if (given)
      throw ConfigError(fmt::format("{}: {} files have no columns to choose from; leave it out", name, format));
  };
  refuse("target", !options.target.empty());
  refuse("fold column", !options.fold_column.empty());
  refuse("nominal", !options.nominal.empty());
}

Dataset read_table(ByteWindow window, TableFormat format, const ReadOptions& options,
                   std::unique_ptr<ByteSource> labels) {
  switch (format) {
    case TableFormat::libsvm: refuse_column_options(options, "LIBSVM"); return read_libsvm(std::move(window), options);
    case TableFormat::idx:
      refuse_column_options(options, "IDX");
      return read_idx(std::move(window), std::move(labels), options);
    case TableFormat::arff: {
      ArffReader reader(std::move(window));
      return read_records(reader, options);
    }
    default: {
      CsvReader reader(std::move(window), [&](std::span<const OwnedRow> rows) {
        return options.header.value_or(looks_like_header(rows));
      });
      return read_records(reader, options);
    }
  }
}

}  // namespace

Dataset read_dataset(const std::string& path, const ReadOptions& options) {
  ByteWindow window(open_bytes(path));
  const TableFormat format = find_format(options.format, window);
  return read_table(std::move(window), format, options, format == TableFormat::idx ? open_idx_labels(path) : nullptr);
}

Dataset read_dataset(std::unique_ptr<ByteSource> source, const ReadOptions& options,
                     std::unique_ptr<ByteSource> labels) {
  ByteWindow window(std::move(source));
  const TableFormat format = find_format(options.format, window);
  return read_table(std::move(window), format, options, std::move(labels));
}

}  // namespace manyone
