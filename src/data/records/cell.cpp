// SPDX-License-Identifier: Apache-2.0
#include "data/records/cell.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "base/printable.hpp"
#include "base/worded.hpp"

namespace manyone {

namespace {

// 10^22 is the largest power of ten that is a double exactly.
constexpr std::array<double, 23> kPowersOfTen = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                                 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

bool parse_general(std::string_view text, double& value) {
  const auto parsed = parse_double(text);
  if (parsed) value = *parsed;
  return parsed.has_value();
}

}  // namespace

// Most cells are short decimals. A mantissa of at most 15 digits is a double exactly, and so is 10^k for k <= 22; one
// multiplication or division of the two is then correctly rounded (Clinger 1990). All else goes to from_chars.
bool parse_long_number(std::string_view text, double& value) {
  const char* p = text.data();
  const char* const end = p + text.size();
  if (p == end) return false;
  const bool negative = *p == '-';
  if (negative || *p == '+') ++p;

  std::uint64_t mantissa = 0;
  const char* const digits = p;
  const auto digit = [&](unsigned& d) { return p != end && (d = static_cast<unsigned char>(*p) - unsigned{'0'}) < 10; };
  unsigned d = 0;
  for (; digit(d); ++p) mantissa = 10 * mantissa + d;
  auto count = p - digits;
  std::ptrdiff_t exponent = 0;
  if (p != end && *p == '.') {
    const char* const fraction = ++p;
    for (; digit(d); ++p) mantissa = 10 * mantissa + d;
    exponent = fraction - p;
    count -= exponent;
  }
  // More than 15 digits may have overflowed the mantissa; an exponent, a word or a lone sign is not for this path.
  if (p != end || count == 0 || count > 15) return parse_general(text, value);
  const double magnitude = static_cast<double>(mantissa) / kPowersOfTen[static_cast<std::size_t>(-exponent)];
  value = negative ? -magnitude : magnitude;
  return true;
}

bool is_missing(std::string_view text) {
  if (text.empty()) return true;
  constexpr std::size_t kLongest = 4;
  if (text.size() > kLongest) return false;
  constexpr std::array<std::string_view, 4> kAsWritten = {"?", "NA", "<NA>", "#N/A"};
  constexpr std::array<std::string_view, 4> kAnyCase = {"nan", "-nan", "null", "n/a"};  // "-nan": of C's printf
  const auto same = [&](std::string_view word) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return std::equal(text.begin(), text.end(), word.begin(), word.end(),
                      [&](char a, char b) { return lower(a) == b; });
  };
  return std::find(kAsWritten.begin(), kAsWritten.end(), text) != kAsWritten.end() ||
         std::any_of(kAnyCase.begin(), kAnyCase.end(), same);
}

bool replace_decimal_comma(std::string_view text, std::string& number) {
  const auto comma = text.find(',');
  if (comma == std::string_view::npos) return false;
  number = text;
  number[comma] = '.';
  double value = 0;
  return parse_number(number, value) && value - value == 0;
}

bool is_marked_number(std::string_view text) {
  const bool share = text.ends_with('%');
  text = trim(text.substr(0, text.size() - (share ? 1 : 0)));
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  constexpr std::string_view kMarks = ".,' ";
  constexpr std::size_t kGroup = 3;
  const auto digits = [&] { return std::min(text.find_first_not_of("0123456789"), text.size()); };
  bool groups = false;
  std::size_t count = digits();
  if (count == 0) return false;
  const bool short_head = count <= kGroup;
  text.remove_prefix(count);
  while (!text.empty()) {
    const char mark = text.front();
    if (kMarks.find(mark) == std::string_view::npos) return false;
    text.remove_prefix(1);
    count = digits();
    if (count == 0) return false;
    text.remove_prefix(count);
    const bool group = short_head && count == kGroup;
    if (text.empty()) return share || groups || mark == ',' || (group && mark != '.');  // decimals, or the last group
    if (!group) return false;  // 1.2.3 and dates are no numbers
    groups = true;
  }
  return share;
}

std::string canonical_value(double value) { return format_double(value == 0 ? 0.0 : value); }

std::string canonical_value(std::string_view text) {
  double value = 0;
  if (!parse_number(text, value)) return std::string(text);
  return value - value == 0 ? canonical_value(value) : std::string(text);
}

std::string shown(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::string out = "'";
  for (std::size_t i = 0; i < text.size();) {
    if (out.size() > kLongest) return out + "...'";
    const std::size_t length = std::max<std::size_t>(utf8_length(text.substr(i)), 1);
    out += escaped(text.substr(i, length));
    i += length;
  }
  return out + "'";
}

Words column_label(std::string_view name, std::size_t position) {
  return name.empty() ? worded("`column#{}`", position + 1) : Words("column " + shown(name));
}

void require_utf8(std::string_view text, const Place& place) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text.substr(i));
    if (length == 0) {
      throw InputError(place, fmt::format("expected UTF-8 text, found {}", shown(text)),
                       "convert the file, for example with iconv -f latin1 -t utf-8");
    }
    i += length;
  }
}

void fail_not_finite(std::string_view text, const Place& place, const Words& column) {
  throw InputError(place, worded("{} in {} is not finite", shown(text), column),
                   "if the value is missing, leave the cell empty (NaN)", "missing");
}

}  // namespace manyone
