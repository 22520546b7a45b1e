// SPDX-License-Identifier: Apache-2.0
#include "data/records/csv_reader.hpp"

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "base/worded.hpp"
#include "data/records/cell.hpp"
#include "data/records/record_source.hpp"

namespace manyone {

namespace {

bool is_number(std::string_view cell) {
  double value = 0;
  return parse_number(cell, value);
}

/// A row with this first cell; "#1" may be a category where the number of cells is right.
bool is_comment(std::string_view first, bool other_cells) {
  return first.starts_with('#') && (other_cells || first.starts_with("# "));
}

bool only_words(const OwnedRow& row) {
  const bool nameless = row.size() > 1 && row[0].empty();
  return std::none_of(row.begin() + (nameless ? 1 : 0), row.end(),
                      [](const auto& cell) { return is_missing(cell) || is_number(cell); });
}

/// 0, 1, 2, …: what pandas calls columns without names.
bool counts_from_zero(const OwnedRow& row) {
  const std::size_t from = row[0].empty() ? 1 : 0;  // beside the index
  for (std::size_t k = from; k < row.size(); ++k) {
    if (row[k] != std::to_string(k - from)) return false;
  }
  return row.size() > from + 1;
}

/// Three numbers at least, each above 0 and the one before, as wavelengths, times or sizes are.
bool numbers_increase(const OwnedRow& row) {
  std::size_t count = 0;
  double before = 0;
  for (const std::string& cell : row) {
    double value = 0;
    if (!parse_number(cell, value)) continue;
    if (!(value > before)) return false;
    ++count;
    before = value;
  }
  constexpr std::size_t kFew = 3;
  return count >= kFew;
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

bool sounds_like_class(std::string_view name) {
  std::string lower(name);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower == "class" || lower == "label" || lower == "target";
}

bool class_cell_stands_out(std::span<const OwnedRow> rows, std::size_t column) {
  const auto cell_of = [&](const OwnedRow& row) {
    return column < row.size() ? std::string_view(row[column]) : std::string_view();
  };
  const std::string_view first = cell_of(rows[0]);
  if (rows.size() < 2 || is_missing(first)) return false;
  std::map<std::string_view, int> counts;
  for (const OwnedRow& row : rows.subspan(1)) ++counts[cell_of(row)];
  if (counts.contains(first)) return false;
  const auto numbers = std::count_if(counts.begin(), counts.end(), [](const auto& e) { return is_number(e.first); });
  constexpr std::size_t kFewRowsToCompare = 3;
  const bool comparable = rows.size() >= kFewRowsToCompare;
  const bool rises =
      comparable && ((numbers_increase(rows[0]) && std::none_of(rows.begin() + 1, rows.end(), numbers_increase)) ||
                     (counts_from_zero(rows[0]) && std::none_of(rows.begin() + 1, rows.end(), counts_from_zero)));
  constexpr std::size_t kFewRows = 10;  // among so few, a row may well be the only one of its class
  const bool others_come_again =
      rows.size() > kFewRows && counts.size() > 1 &&
      std::all_of(counts.begin(), counts.end(), [](const auto& entry) { return entry.second > 1; });
  if (is_number(first)) return numbers == 0 ? rises || others_come_again : rises && others_come_again;
  if (numbers == std::ssize(counts)) return true;
  return sounds_like_class(first) || rises || others_come_again;
}

CsvReader::CsvReader(ByteWindow window, const HeaderRule& has_header, std::optional<bool> decimal_comma,
                     const MemoryBudget& memory)
    : scanner_(std::move(window)) {
  read_first_rows(memory);
  decimal_comma_ = decimal_comma ? *decimal_comma : uses_decimal_commas();
  if (decimal_comma_) {
    for (OwnedRow& row : first_rows_) {
      std::string number;
      for (std::string& cell : row) {
        if (replace_decimal_comma(cell, number)) cell = number;
      }
    }
  }
  const bool row_names = lacks_a_first_cell();
  if (row_names) first_rows_[0].insert(first_rows_[0].begin(), "");
  empty_end_ = has_empty_end();
  if (empty_end_) {
    for (OwnedRow& row : first_rows_) row.pop_back();
  }
  named_ = has_header(first_rows_, notes_);
  if (!named_) {  // the first row is one like all others
    if (row_names) first_rows_[0].erase(first_rows_[0].begin());
    if (empty_end_) {
      for (OwnedRow& row : first_rows_) row.emplace_back();
    }
    empty_end_ = false;
  }
  columns_.resize(first_rows_[0].size());
  if (named_) take_header();
}

bool CsvReader::has_empty_end() const {
  const std::size_t cells = first_rows_[0].size();
  return cells > 2 && std::all_of(first_rows_.begin(), first_rows_.end(),
                                  [&](const OwnedRow& row) { return row.size() == cells && row.back().empty(); });
}

void CsvReader::read_first_rows(const MemoryBudget& memory) {
  // Enough to see a value come again; a wide table reaches the limit in bytes first.
  constexpr std::size_t kRows = 200;
  constexpr std::size_t kBytes = std::size_t{1} << 20;
  std::size_t bytes = 0;
  std::size_t cells = 0;  // of the last row that is no comment for certain
  Record record;
  while (first_rows_.size() < kRows && bytes < kBytes && scanner_.next(record)) {
    require_columns(memory, record.cells.size(), name());
    if (!record.cells[0].starts_with('#')) cells = record.cells.size();
    first_rows_.emplace_back(record.cells.begin(), record.cells.end());
    first_places_.push_back({{}, record.line, record.one_line});
    for (const auto cell : record.cells) bytes += cell.size() + sizeof(std::string);
  }
  if (first_rows_.empty())
    throw InputError(Place{name()}, "the file is empty", "expected rows of comma-separated cells");
  if (cells == 0) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < first_rows_.size(); ++i) {
    const std::string& first = first_rows_[i][0];
    const bool other_cells = first_rows_[i].size() != cells;
    // numpy writes the header behind "# ".
    if (kept == 0 ? other_cells && first.starts_with('#') : is_comment(first, other_cells)) continue;
    if (kept != i) first_rows_[kept] = std::move(first_rows_[i]);
    first_places_[kept++] = first_places_[i];
  }
  first_rows_.resize(kept);
  first_places_.resize(kept);
}

bool CsvReader::lacks_a_first_cell() const {
  const std::size_t cells = first_rows_[0].size();
  return first_rows_.size() > 1 && std::all_of(first_rows_.begin() + 1, first_rows_.end(),
                                               [&](const OwnedRow& row) { return row.size() == cells + 1; });
}

bool CsvReader::uses_decimal_commas() {
  if (scanner_.delimiter() == ',') return false;
  const std::string* found = nullptr;
  std::string number;
  for (const OwnedRow& row : first_rows_) {
    for (const std::string& cell : row) {
      if (replace_decimal_comma(cell, number)) {
        if (found == nullptr) found = &cell;
      } else if (cell.find('.') != std::string::npos && is_number(cell)) {
        return false;
      }
    }
  }
  if (found == nullptr) return false;
  replace_decimal_comma(*found, number);
  notes_.push_back(worded("numbers are read with decimal commas: {} is {} (`decimal=point`: they are words)",
                          shown(*found), number));
  return true;
}

void CsvReader::take_header() {
  std::unordered_set<std::string_view> seen;
  Record header = first_places_[0];
  header.cells.assign(first_rows_[0].begin(), first_rows_[0].end());
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const std::string& text = first_rows_[0][k];
    require_utf8(text, header.place(name(), k));
    if (!text.empty() && !seen.insert(text).second) {
      throw InputError(header.place(name(), k), fmt::format("two columns are called {}", shown(text)), "rename one");
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
  } else if (!next_row(record)) {
    return false;
  }
  if (empty_end_ && record.cells.size() == columns_.size() + 1 && record.cells.back().empty()) record.cells.pop_back();
  if (record.cells.size() != columns_.size()) {
    const char delimiter = scanner_.delimiter();
    throw InputError(Place{name(), record.line, std::min(record.cells.size(), columns_.size() + 1)},
                     fmt::format("expected {} cells as in the first row, found {}; quote a cell that holds a {}",
                                 columns_.size(), record.cells.size(),
                                 delimiter == '\t'  ? "tab"
                                 : delimiter == ' ' ? "blank"
                                                    : fmt::format("'{}'", delimiter)));
  }
  return true;
}

bool CsvReader::next_row(Record& record) {
  do {
    if (!scanner_.next(record)) return false;
  } while (is_comment(record.cells[0], record.cells.size() != columns_.size() + (empty_end_ ? 1 : 0)));
  if (!decimal_comma_) return true;
  numbers_.resize(record.cells.size());
  for (std::size_t k = 0; k < record.cells.size(); ++k) {
    if (replace_decimal_comma(record.cells[k], numbers_[k])) record.cells[k] = numbers_[k];
  }
  return true;
}

bool CsvReader::missing(std::string_view cell) const { return is_missing(cell); }

}  // namespace manyone
