// SPDX-License-Identifier: Apache-2.0
#include "manyone/data/record_source.hpp"

#include <utility>

#include <fmt/format.h>

#include "manyone/base/errors.hpp"
#include "manyone/data/arff_reader.hpp"
#include "manyone/data/csv_reader.hpp"

namespace manyone {

void refuse_column_options(TableFormat format, const ReadOptions& options) {
  if (format != TableFormat::libsvm && format != TableFormat::idx) return;
  const auto refuse = [&](const char* name, bool given) {
    if (!given) return;
    throw ConfigError(fmt::format("{}: {} files have no columns to choose from; leave it out", name,
                                  format == TableFormat::libsvm ? "LIBSVM" : "IDX"));
  };
  refuse("target", !options.target.empty());
  refuse("fold column", !options.fold_column.empty());
  refuse("nominal", !options.nominal.empty());
}

void require_columns(const MemoryBudget& memory, std::size_t count, const std::string& file) {
  memory.require(kColumnBytes * static_cast<double>(count), fmt::format("reading {} columns of {}", count, file),
                 "allow more with --memory or take fewer columns");
}

std::unique_ptr<RecordReader> open_records(ByteWindow window, TableFormat format, const ReadOptions& options) {
  if (format == TableFormat::arff) return std::make_unique<ArffReader>(std::move(window), options.memory);
  const HeaderRule rule = [&](std::span<const OwnedRow> rows) {
    return options.header.value_or(looks_like_header(rows));
  };
  return std::make_unique<CsvReader>(std::move(window), rule, options.memory);
}

}  // namespace manyone
