// SPDX-License-Identifier: Apache-2.0
#include "data/number_table.hpp"

#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "data/bytes/byte_window.hpp"
#include "manyone/errors.hpp"

namespace manyone {

namespace {

struct Line {
  std::size_t number;
  std::string text;
};

std::vector<Line> non_empty_lines(const std::string& path, const MemoryBudget& memory) {
  LineReader reader{ByteWindow(open_bytes(path), memory)};
  std::vector<Line> lines;
  std::size_t bytes = 0;
  std::size_t seen = 0;
  std::string_view text;
  while (reader.next(text)) {
    const std::string_view content = trim(text);
    if (content.empty()) continue;
    lines.push_back({reader.line(), std::string(content)});
    // A number of 8 bytes for two of text, a digit and a separator; the list of them grows by copies, and becomes a
    // matrix.
    constexpr std::size_t kNumbers = 16;
    bytes += 2 * sizeof(Line) + content.size() * (1 + kNumbers);
    constexpr std::size_t kOften = std::size_t{1} << 18;  // bytes between two looks at the budget
    if (bytes > seen + kOften) {
      seen = bytes;
      memory.require(static_cast<double>(bytes), "reading " + path, "this does not look like a small file of numbers");
    }
  }
  return lines;
}

constexpr std::string_view separators = ",;\t ";

/// Names of columns: not one of the words is a number.
bool is_header(std::string_view line) {
  while (true) {
    const auto end = line.find_first_of(separators);
    const std::string_view cell = line.substr(0, end);
    if (!cell.empty() && parse_double(cell)) return false;
    if (end == std::string_view::npos) return true;
    line.remove_prefix(end + 1);
  }
}

}  // namespace

Matrix read_number_table(const std::string& path, const MemoryBudget& memory) {
  std::vector<double> values;
  Index columns = -1;
  auto lines = non_empty_lines(path, memory);
  if (lines.size() > 1 && is_header(lines.front().text)) lines.erase(lines.begin());
  for (const Line& line : lines) {
    Index column = 0;
    std::string_view rest = line.text;
    while (!rest.empty()) {
      const auto end = rest.find_first_of(separators);
      const std::string_view cell = rest.substr(0, end);
      ++column;
      const Place place{path, line.number, static_cast<std::size_t>(column)};
      const auto value = parse_double(cell);
      if (!value || !std::isfinite(*value))
        throw InputError(place, fmt::format("expected a finite number, found '{}'", cell), "correct it");
      values.push_back(*value);
      if (end == std::string_view::npos) break;
      const bool hard = rest[end] != ' ';  // runs of blanks are one separator, also around a comma
      rest.remove_prefix(end + 1);
      const auto next = rest.find_first_not_of(' ');
      rest.remove_prefix(next == std::string_view::npos ? rest.size() : next);
      if (!hard && !rest.empty() && separators.find(rest.front()) != std::string_view::npos) {
        rest.remove_prefix(1);
        const auto start = rest.find_first_not_of(' ');
        rest.remove_prefix(start == std::string_view::npos ? rest.size() : start);
      }
    }
    if (columns >= 0 && column != columns) {
      throw InputError(Place{path, line.number},
                       fmt::format("expected {} numbers as in the first row, found {}", columns, column),
                       "give every row as many");
    }
    columns = column;
  }
  if (lines.empty())
    throw InputError(Place{path}, "expected numbers, found an empty file", "write one row on each line");
  return Eigen::Map<const Matrix>(values.data(), static_cast<Index>(lines.size()), columns);
}

std::vector<std::string> read_lines(const std::string& path, const MemoryBudget& memory) {
  std::vector<std::string> out;
  for (auto& line : non_empty_lines(path, memory)) out.push_back(std::move(line.text));
  return out;
}

}  // namespace manyone
