// SPDX-License-Identifier: Apache-2.0
#include "data/records/record_source.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "base/worded.hpp"
#include "data/records/arff_reader.hpp"
#include "data/records/cell.hpp"
#include "data/records/csv_reader.hpp"
#include "manyone/errors.hpp"

namespace manyone {

void refuse_column_options(TableFormat format, const ReadOptions& options) {
  if (format != TableFormat::libsvm && format != TableFormat::idx) return;
  const auto refuse = [&](const char* parameter, const char* name, bool given) {
    if (!given) return;
    throw ConfigError(parameter,
                      fmt::format("{}: {} files have no columns to choose from", name,
                                  format == TableFormat::libsvm ? "LIBSVM" : "IDX"),
                      "leave it out");
  };
  refuse("target", "target", !options.target.empty());
  refuse("fold_column", "fold column", !options.fold_column.empty());
  refuse("nominal", "nominal", !options.nominal.empty());
  refuse("ignore", "ignore", !options.ignore.empty());
}

void require_columns(const MemoryBudget& memory, std::size_t count, const std::string& file) {
  memory.require(kColumnBytes * static_cast<double>(count), fmt::format("reading {} columns of {}", count, file),
                 "allow more with `memory` or take fewer columns");
}

namespace {

/// An option that names a column by more than a number says that there are names.
bool names_a_column(const ReadOptions& options, std::size_t columns) {
  const auto is_name = [&](const std::string& wanted) {
    if (wanted.empty()) return false;
    const auto number = parse_integer(wanted);
    return !number || *number < 1 || *number > static_cast<std::int64_t>(columns);
  };
  return is_name(options.target) || is_name(options.fold_column) || std::ranges::any_of(options.nominal, is_name) ||
         std::ranges::any_of(options.ignore, is_name);
}

bool has_header(std::span<const OwnedRow> rows, const ReadOptions& options, std::vector<Words>& notes) {
  if (options.header) return *options.header;
  const std::size_t columns = rows[0].size();
  if (names_a_column(options, columns) || looks_like_header(rows)) return true;
  const auto number = parse_integer(options.target);
  std::size_t column = number ? static_cast<std::size_t>(*number - 1) : columns - 1;
  if (!class_cell_stands_out(rows, column)) {
    if (number || !class_cell_stands_out(rows, 0)) return false;
    column = 0;
  }
  if (!sounds_like_class(rows[0][column])) {
    notes.push_back(
        worded("the first line is read as a header, for {} stands nowhere below it (`header=no`: it is a row)",
               shown(rows[0][column])));
  }
  return true;
}

}  // namespace

std::unique_ptr<RecordReader> open_records(ByteWindow window, TableFormat format, const ReadOptions& options) {
  if (format == TableFormat::arff) return std::make_unique<ArffReader>(std::move(window), options.memory);
  return std::make_unique<CsvReader>(
      std::move(window),
      [&](std::span<const OwnedRow> rows, std::vector<Words>& notes) { return has_header(rows, options, notes); },
      options.decimal_comma, options.memory);
}

}  // namespace manyone
