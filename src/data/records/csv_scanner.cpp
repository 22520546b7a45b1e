// SPDX-License-Identifier: Apache-2.0
#include "data/records/csv_scanner.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "data/records/cell.hpp"

namespace manyone {

namespace {

bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

constexpr std::uint64_t repeated(char c) { return 0x0101010101010101 * static_cast<unsigned char>(c); }

/// The high bit of every byte of `word` that equals the byte repeated in `pattern`.
std::uint64_t matches(std::uint64_t word, std::uint64_t pattern) {
  constexpr std::uint64_t kLow7 = 0x7f7f7f7f7f7f7f7f;
  const std::uint64_t difference = word ^ pattern;
  return ~(((difference & kLow7) + kLow7) | difference | kLow7);
}

/// Eight bytes, the first in the lowest.
std::uint64_t load(const char* p) {
  std::uint64_t word;
  std::memcpy(&word, p, sizeof word);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word;
}

/// The first lines that are wholly in `text` (all of them if it is `complete`), line ends inside quotes included.
/// Comments are left out, unless there is nothing else.
std::vector<std::string_view> first_lines(std::string_view text, bool complete) {
  constexpr std::size_t kLines = 10;
  std::vector<std::string_view> lines;
  std::vector<std::string_view> comments;
  bool quoted = false;
  std::size_t start = 0;
  const auto take = [&](std::size_t end) {
    const std::string_view line = text.substr(start, end - start);
    start = end + 1;
    if (std::all_of(line.begin(), line.end(), [](char c) { return c == ' ' || c == '\r'; })) return;
    (line[0] == '#' ? comments : lines).push_back(line);
  };
  for (std::size_t i = 0; i < text.size() && lines.size() < kLines; ++i) {
    if (text[i] == '"' && text[start] != '#') quoted = !quoted;
    if (text[i] == '\n' && !quoted) take(i);
  }
  if (start < text.size() && lines.size() < kLines && (complete || lines.empty())) take(text.size());
  return lines.empty() ? comments : lines;
}

/// Calls use(part) for what stands between the delimiters of a line; a blank: between runs of blanks.
template <class Use>
void split(std::string_view line, char delimiter, const Use& use) {
  const std::string_view any = delimiter == ' ' ? std::string_view(" \t") : std::string_view(&delimiter, 1);
  if (delimiter == ' ') line = trim(line);
  bool quoted = false;
  std::size_t start = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    if (quoted || any.find(line[i]) == std::string_view::npos) continue;
    if (delimiter != ' ' || i > start) use(line.substr(start, i - start));
    start = i + 1;
  }
  use(line.substr(start));
}

std::size_t cells_of(std::string_view line, char delimiter) {
  std::size_t count = 0;
  split(line, delimiter, [&](std::string_view) { ++count; });
  return count;
}

/// Every comma of the lines is the decimal comma of a number between these delimiters.
bool commas_are_decimal(const std::vector<std::string_view>& lines, char delimiter) {
  bool all = true;
  std::string number;
  for (const std::string_view line : lines) {
    split(line, delimiter, [&](std::string_view cell) {
      cell = trim(cell);
      if (!cell.starts_with('"') && cell.find(',') != std::string_view::npos)
        all = all && replace_decimal_comma(cell, number);
    });
  }
  return all;
}

/// The candidate that splits the first lines into equally many cells, and into the most; without such a one, runs of
/// blanks if they do; else the most frequent of the first line. Ties go to the earlier candidate: beside tabs or
/// semicolons, commas are part of the text or of numbers. The first line may be a cell short: R names no row names.
char detect_delimiter(std::string_view text, bool complete) {
  const auto lines = first_lines(text, complete);
  const auto rank = [&](char candidate) {
    std::vector<std::size_t> cells;
    for (const std::string_view line : lines) cells.push_back(cells_of(line, candidate));
    if (cells.empty() || cells.front() == 1) return std::pair{false, std::size_t{0}};
    const bool equal = std::all_of(cells.begin() + 1, cells.end(), [&](std::size_t n) { return n == cells.back(); });
    return std::pair{equal && (cells.front() == cells.back() || cells.front() + 1 == cells.back()), cells.front()};
  };
  char best = ',';
  std::pair<bool, std::size_t> best_rank{false, 0};
  for (const char candidate : {'\t', ';', '|', ','}) {
    const auto found = rank(candidate);
    if (candidate == ',' && best_rank.first && commas_are_decimal(lines, best)) break;
    if (found > best_rank) best = candidate, best_rank = found;
  }
  return !best_rank.first && rank(' ').first ? ' ' : best;
}

}  // namespace

CsvScanner::CsvScanner(ByteWindow window) : window_(std::move(window)) {
  constexpr std::size_t kLook = std::size_t{1} << 16;
  window_.expect_text();
  window_.expect(kLook);
  // Excel says what it uses in a first line: "sep=;".
  const std::string_view start = window_.view().substr(0, 7);
  constexpr std::string_view kSays = "sep=";
  if (start.starts_with(kSays) && start.size() > 5 && (start[5] == '\n' || start.substr(5) == "\r\n")) {
    delimiter_ = start[kSays.size()];
    window_.consume(start[5] == '\n' ? 6 : 7);
    line_ = 2;
    return;
  }
  delimiter_ = detect_delimiter(window_.view().substr(0, kLook), window_.size() < kLook);
}

bool CsvScanner::next(Record& record) {
  bool last = false;
  for (;;) {
    if (last && window_.size() == 0) return false;
    const std::size_t bytes = window_.size() == 0 ? 0
                              : delimiter_ == ' ' ? scan_words(record, last)
                                                  : scan(record, last);
    if (bytes == 0) {
      check_limits(record);
      constexpr double kCellBytes = 64;  // in the record, and in what is made of it
      window_.memory().require(kCellBytes * static_cast<double>(record.cells.size()),
                               fmt::format("a line of {} cells in {}", record.cells.size(), name()),
                               "allow more with `memory` or take fewer columns");
      last = !window_.more();
      if (last && window_.met_nul()) fail_on_nul(name(), line_ + inner_lines_);
      continue;
    }
    if (record.cells.size() > kMaxColumns) check_limits(record);
    record.line = line_;
    record.one_line = inner_lines_ == 0;
    line_ += inner_lines_ + 1;
    window_.consume(std::min(bytes, window_.size()));  // the last line may end at the window's own newline
    const bool nothing = record.cells.empty() || (record.cells.size() == 1 && record.cells[0].empty());
    if (!nothing) return true;
  }
}

std::size_t CsvScanner::scan(Record& record, bool last) {
  const char* const begin = window_.begin();
  const char* const end = window_.end();
  const std::uint64_t delimiters = repeated(delimiter_);
  const bool comment = *begin == '#';  // quotes mean nothing there
  record.cells.clear();
  inner_lines_ = 0;
  unquoted_count_ = 0;
  open_quote_ = false;
  const char* start = begin;
  for (const char* p = begin;; p += 8) {
    const std::uint64_t word = load(p);
    std::uint64_t stops = matches(word, delimiters) | matches(word, repeated('\n'));
    for (; stops != 0; stops &= stops - 1) {
      const char* stop = p + std::countr_zero(stops) / 8;
      if (stop == end && !last) {
        open_quote_ = *start == '"';
        open_bytes_ = static_cast<std::size_t>(stop - start);
        return 0;
      }
      if (start != stop && (*start <= '"' || stop[-1] <= ' ')) {  // blanks or a quote, perhaps
        const char* first = start;
        while (first != stop && blank(*first)) ++first;
        if (first != stop && *first == '"' && !comment) {
          stop = scan_quoted(first, record, last);
          if (stop == nullptr) return 0;
          p = stop - 7;  // go on behind it
          stops = 0;
        } else {
          record.cells.push_back(trim({first, static_cast<std::size_t>(stop - first)}));
        }
      } else {
        record.cells.emplace_back(start, static_cast<std::size_t>(stop - start));
      }
      if (*stop == '\n') return static_cast<std::size_t>(stop - begin) + 1;
      start = stop + 1;
      if (stops == 0) break;
    }
  }
}

std::size_t CsvScanner::scan_words(Record& record, bool last) {
  const char* const begin = window_.begin();
  const char* const end = window_.end();
  record.cells.clear();
  inner_lines_ = 0;
  unquoted_count_ = 0;
  open_quote_ = false;
  const char* p = begin;
  for (;;) {
    while (p != end && blank(*p)) ++p;
    const char* const start = p;
    if (p != end && *p == '"' && *begin != '#') {
      p = scan_quoted(p, record, last);
      if (p == nullptr) return 0;
      continue;
    }
    while (p != end && *p != '\n' && !blank(*p)) ++p;
    if (p == end && !last) {
      open_bytes_ = static_cast<std::size_t>(p - start);
      return 0;
    }
    if (p == start) return static_cast<std::size_t>(p - begin) + 1;  // the line ends here
    record.cells.emplace_back(start, static_cast<std::size_t>(p - start));
  }
}

const char* CsvScanner::scan_quoted(const char* quote, Record& record, bool last) {
  const char* const end = window_.end();
  const char* const start = quote + 1;
  std::string* unfolded = nullptr;
  const char* piece = start;
  const char* p = start;
  for (;;) {
    p = static_cast<const char*>(std::memchr(p, '"', static_cast<std::size_t>(end - p)));
    if (p == nullptr || (p + 1 == end && !last)) {  // a quote at the very end may be the first of two
      open_quote_ = true;
      open_bytes_ = static_cast<std::size_t>(end - start);
      if (last) {
        throw InputError(Place{name(), line_ + inner_lines_, record.cells.size() + 1},
                         "the quote that opens here is never closed", "write a quote inside a quoted cell twice");
      }
      return nullptr;
    }
    if (p[1] != '"' || p + 1 == end) break;
    if (unfolded == nullptr) {
      if (unquoted_count_ == unquoted_.size()) unquoted_.emplace_back();
      unfolded = &unquoted_[unquoted_count_++];
      unfolded->clear();
    }
    unfolded->append(piece, p + 1);
    p += 2;
    piece = p;
  }
  const char* const close = p++;
  while (p != end && blank(*p) && !separates(*p)) ++p;
  if (p == end && !last) {
    open_bytes_ = static_cast<std::size_t>(end - start);
    return nullptr;
  }
  if (p != end && !separates(*p) && *p != '\n') {
    const auto lines = static_cast<std::size_t>(std::count(start, close, '\n'));
    throw InputError(Place{name(), line_ + inner_lines_ + lines, record.cells.size() + 1},
                     fmt::format("expected a delimiter behind the closing quote, found {}", shown({p, 1})),
                     "write a quote inside a quoted cell twice");
  }
  if (unfolded != nullptr) {
    unfolded->append(piece, close);
    record.cells.push_back(trim(*unfolded));
  } else {
    record.cells.push_back(trim({start, static_cast<std::size_t>(close - start)}));
  }
  inner_lines_ += static_cast<std::size_t>(std::count(start, close, '\n'));
  return p;
}

void CsvScanner::check_limits(const Record& record) const {
  const Place place{name(), line_ + inner_lines_, record.cells.size() + 1};
  if (window_.size() > 0 && open_bytes_ > kMaxFieldBytes) {
    throw InputError(place, open_quote_ ? Words("the quote that opens here is not closed within 1 MB")
                                        : Words("the cell is longer than 1 MB; this does not look like a table"));
  }
  if (record.cells.size() > kMaxColumns || window_.size() > kMaxRecordBytes) {
    throw InputError(Place{name(), line_}, "the row has more than 10 million cells or 256 MB",
                     "this does not look like a table");
  }
}

}  // namespace manyone
