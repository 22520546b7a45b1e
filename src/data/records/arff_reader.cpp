// SPDX-License-Identifier: Apache-2.0
#include "data/records/arff_reader.hpp"

#include <algorithm>
#include <cctype>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "data/records/cell.hpp"
#include "data/records/record_source.hpp"

namespace manyone {

namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

}  // namespace

ArffReader::ArffReader(ByteWindow window, const MemoryBudget& memory) : lines_(std::move(window)), memory_(memory) {
  read_header();
}

void ArffReader::fail(const std::string& message, std::size_t field) const {
  throw InputError(Place{name(), lines_.line(), field}, message);
}

void ArffReader::read_header() {
  std::string_view line;
  while (lines_.next(line)) {
    std::string_view text = trim(line);
    if (text.empty() || text[0] == '%') continue;
    const std::string keyword = lower(text.substr(0, std::min(text.find_first_of(" \t{"), text.size())));
    unescaped_count_ = 0;
    if (keyword == "@relation") continue;
    if (keyword == "@attribute") {
      read_attribute(trim(text.substr(keyword.size())));
    } else if (keyword == "@data") {
      if (columns_.empty()) fail("@data comes before any @attribute; declare the columns first");
      return;
    } else {
      fail(fmt::format("expected @relation, @attribute, @data or a comment (%), found {}; correct the line",
                       shown(text)));
    }
  }
  fail(columns_.empty() ? "the file is empty; expected @relation, @attribute lines and @data"
                        : "the file ends without an @data line; expected @data and the rows below it");
}

void ArffReader::read_attribute(std::string_view text) {
  DeclaredColumn column;
  column.name = take_word(text, " \t{");
  require_utf8(column.name, Place{name(), lines_.line()});
  if (!names_.insert(column.name).second)
    fail(fmt::format("two attributes are called {}; rename one", shown(column.name)));
  text = trim(text);
  if (text.starts_with('{')) {
    column.kind = DeclaredColumn::Kind::nominal;
    text.remove_prefix(1);
    std::unordered_set<std::string> seen;
    std::size_t bytes = 0;
    std::size_t looked = 0;
    for (;;) {
      const std::string value = canonical_value(take_word(text, ",}"));
      text = trim(text);
      require_utf8(value, Place{name(), lines_.line()});
      if (!seen.insert(value).second)
        fail(fmt::format("attribute {} declares {} twice; remove one", shown(column.name), shown(value)));
      column.values.push_back(value);
      bytes += 4 * (sizeof(std::string) + value.size());    // here, in the list, and in what is made of it
      constexpr std::size_t kOften = std::size_t{1} << 20;  // bytes between two looks at the budget
      if (bytes > looked + kOften) {
        looked = bytes;
        memory_.require(static_cast<double>(bytes), fmt::format("the values of attribute {}", shown(column.name)),
                        "allow more with `memory`");
      }
      if (text.starts_with('}')) break;
      if (!text.starts_with(','))
        fail(fmt::format("the value list of attribute {} does not end in '}}'; close it on its line",
                         shown(column.name)));
      text.remove_prefix(1);
    }
    omitted_.push_back(column.values.front());
  } else {
    const std::string type = lower(text.substr(0, std::min(text.find_first_of(" \t"), text.size())));
    if (type == "numeric" || type == "real" || type == "integer") {
      column.kind = DeclaredColumn::Kind::numeric;
    } else if (type == "string" || type == "date") {
      column.kind = DeclaredColumn::Kind::text;
    } else {
      fail(
          fmt::format("expected numeric, real, integer, string, date or {{...}} as type of attribute {}, found {}; "
                      "write categories as {{a,b}}",
                      shown(column.name), shown(type)));
    }
    omitted_.push_back(type == "string" || type == "date" ? "?" : "0");
  }
  columns_.push_back(std::move(column));
  constexpr std::size_t kOften = 4096;  // columns between two looks at the budget
  if (columns_.size() % kOften == 0) require_columns(memory_, columns_.size(), name());
  if (columns_.size() > kMaxColumns) fail("more than 10 million attributes");
}

std::string_view ArffReader::take_word(std::string_view& text, std::string_view stops) {
  text = trim(text);
  if (text.empty() || (text[0] != '\'' && text[0] != '"')) {
    const std::size_t end = std::min(text.find_first_of(stops), text.size());
    const std::string_view word = trim(text.substr(0, end));
    text.remove_prefix(end);
    return word;
  }
  const char quote = text[0];
  std::size_t i = 1;
  bool escaped = false;
  for (; i < text.size() && text[i] != quote; ++i) {
    if (text[i] == '\\') escaped = true, ++i;
  }
  if (i >= text.size())
    fail("a quote that opens here is never closed; write a quote inside quotes as \\" + std::string(1, quote));
  const std::string_view word = text.substr(1, i - 1);
  text.remove_prefix(i + 1);
  if (!escaped) return word;
  if (unescaped_count_ == unescaped_.size()) unescaped_.emplace_back();
  std::string& plain = unescaped_[unescaped_count_++];
  plain.clear();
  for (std::size_t k = 0; k < word.size(); ++k) {
    if (word[k] == '\\' && k + 1 < word.size()) ++k;
    plain += word[k];
  }
  return plain;
}

bool ArffReader::next(Record& record) {
  std::string_view line;
  while (lines_.next(line)) {
    const std::string_view text = trim(line);
    if (text.empty() || text[0] == '%') continue;
    record.cells.clear();
    record.line = lines_.line();
    record.one_line = true;
    unescaped_count_ = 0;
    if (text[0] == '{') {
      read_sparse(text, record);
    } else {
      read_dense(text, record);
    }
    return true;
  }
  return false;
}

void ArffReader::read_dense(std::string_view text, Record& record) {
  for (;;) {
    record.cells.push_back(take_word(text, ","));
    text = trim(text);
    if (record.cells.size() == columns_.size() + 1 || text.empty()) break;
    if (text[0] != ',')
      fail(fmt::format(
               "expected a comma behind the closing quote, found {}; write a quote inside quotes with a backslash",
               shown(text.substr(0, 1))),
           record.cells.size());
    text.remove_prefix(1);
  }
  if (record.cells.size() != columns_.size()) {
    fail(fmt::format("expected {} values, one for each attribute, found {}{}; quote a value that holds a comma",
                     columns_.size(), record.cells.size() > columns_.size() ? "at least " : "", record.cells.size()),
         std::min(record.cells.size(), columns_.size() + 1));
  }
}

void ArffReader::read_sparse(std::string_view text, Record& record) {
  record.cells.assign(omitted_.begin(), omitted_.end());
  text.remove_prefix(1);
  text = trim(text);
  std::int64_t previous = -1;
  for (std::size_t entry = 1; !text.starts_with('}'); ++entry) {
    const std::string_view number = take_word(text, " \t,}");
    const auto index = parse_integer(number);
    if (!index || *index < 0 || *index >= std::ssize(columns_)) {
      fail(fmt::format("expected an attribute number from 0 to {}, found {}; the first attribute is 0",
                       columns_.size() - 1, shown(number)),
           entry);
    }
    if (*index <= previous)
      fail(fmt::format("attribute numbers must increase, found {} after {}; sort the entries of the row", *index,
                       previous),
           entry);
    previous = *index;
    record.cells[static_cast<std::size_t>(*index)] = take_word(text, ",}");
    text = trim(text);
    if (text.starts_with(',')) {
      text = trim(text.substr(1));
    } else if (!text.starts_with('}')) {
      fail("the sparse row does not end in '}'; close it on its line", entry);
    }
  }
  if (!trim(text.substr(1)).empty())
    fail(fmt::format("expected nothing behind '}}', found {}; row weights cannot be read", shown(text.substr(1))));
}

}  // namespace manyone
