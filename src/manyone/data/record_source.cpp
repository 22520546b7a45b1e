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

std::unique_ptr<RecordReader> open_records(ByteWindow window, TableFormat format, const ReadOptions& options) {
  if (format == TableFormat::arff) return std::make_unique<ArffReader>(std::move(window));
  return std::make_unique<CsvReader>(std::move(window), [&](std::span<const OwnedRow> rows) {
    return options.header.value_or(looks_like_header(rows));
  });
}

}  // namespace manyone
