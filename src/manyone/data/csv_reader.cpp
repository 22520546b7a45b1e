// SPDX-License-Identifier: Apache-2.0
#include "manyone/data/csv_reader.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "manyone/data/cell.hpp"
#include "manyone/data/record_source.hpp"

namespace manyone {

namespace {

bool is_number(std::string_view cell) {
  double value = 0;
  return parse_number(cell, value);
}

bool only_words(const OwnedRow& row) {
  return std::none_of(row.begin(), row.end(), [](const auto& cell) { return is_missing(cell) || is_number(cell); });
}

}  // namespace

bool header_above_numbers(std::span<const OwnedRow> rows) {
  if (rows.size() < 2 || !only_words(rows[0])) return false;
  for (std::size_t k = 0; k < rows[0].size(); ++k) {
    bool any = false;
    const bool all = std::all_of(rows.begin() + 1, rows.end(), [&](const OwnedRow& row) {
      if (k >= row.size() || is_missing(row[k])) return true;
      return any = is_number(row[k]);
    });
    if (any && all) return true;
  }
  return false;
}

bool looks_like_header(std::span<const OwnedRow> rows) {
  if (rows.empty() || !only_words(rows[0])) return false;
  if (header_above_numbers(rows)) return true;
  for (std::size_t k = 0; k < rows[0].size(); ++k) {
    const bool again = std::any_of(rows.begin() + 1, rows.end(),
                                   [&](const OwnedRow& row) { return k < row.size() && row[k] == rows[0][k]; });
    if (again) return false;
  }
  return true;
}

CsvReader::CsvReader(ByteWindow window, const HeaderRule& has_header, const MemoryBudget& memory)
    : scanner_(std::move(window)) {
  // Enough to see a value come again; a wide table reaches the limit in bytes first.
  constexpr std::size_t kRows = 200;
  constexpr std::size_t kBytes = std::size_t{1} << 20;
  std::size_t bytes = 0;
  Record record;
  while (first_rows_.size() < kRows && bytes < kBytes && scanner_.next(record)) {
    require_columns(memory, record.cells.size(), name());
    first_rows_.emplace_back(record.cells.begin(), record.cells.end());
    first_places_.push_back({{}, record.line, record.one_line});
    for (const auto cell : record.cells) bytes += cell.size() + sizeof(std::string);
  }
  if (first_rows_.empty()) throw InputError(Place{name()}, "the file is empty; expected rows of comma-separated cells");
  columns_.resize(first_rows_[0].size());
  named_ = has_header(first_rows_);
  if (named_) take_header();
}

void CsvReader::take_header() {
  std::unordered_set<std::string_view> seen;
  Record header = first_places_[0];
  header.cells.assign(first_rows_[0].begin(), first_rows_[0].end());
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const std::string& text = first_rows_[0][k];
    require_utf8(text, header.place(name(), k));
    if (!text.empty() && !seen.insert(text).second) {
      throw InputError(header.place(name(), k), fmt::format("two columns are called {}; rename one", shown(text)));
    }
    columns_[k].name = text;
  }
  replayed_ = 1;
}

bool CsvReader::next(Record& record) {
  if (replayed_ < first_rows_.size()) {
    record = first_places_[replayed_];
    record.cells.assign(first_rows_[replayed_].begin(), first_rows_[replayed_].end());
    ++replayed_;
  } else if (!scanner_.next(record)) {
    return false;
  }
  if (record.cells.size() != columns_.size()) {
    throw InputError(Place{name(), record.line, std::min(record.cells.size(), columns_.size() + 1)},
                     fmt::format("expected {} cells as in the first row, found {}; quote a cell that holds a {}",
                                 columns_.size(), record.cells.size(),
                                 scanner_.delimiter() == '\t' ? "tab" : fmt::format("'{}'", scanner_.delimiter())));
  }
  return true;
}

bool CsvReader::missing(std::string_view cell) const { return is_missing(cell); }

}  // namespace manyone
