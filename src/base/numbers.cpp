// SPDX-License-Identifier: Apache-2.0
#include "base/numbers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <vector>

#include <fmt/format.h>

namespace manyone {

namespace {

/// from_chars knows no plus sign; "+-" is no sign at all and becomes the empty text.
std::string_view without_plus(std::string_view text) {
  if (!text.starts_with('+')) return text;
  return text.starts_with("+-") ? std::string_view() : text.substr(1);
}

/// What a decimal number outside the range of double is: the power of ten of its first digit tells 0 from infinity.
double out_of_range_value(std::string_view text) {
  const auto mark = text.find_first_of("eE");
  const std::string_view mantissa = text.substr(0, mark);
  const double exponent = mark == std::string_view::npos ? 0.0 : parse_double(text.substr(mark + 1)).value();
  const auto point = static_cast<double>(std::min(mantissa.find('.'), mantissa.size()));
  const auto digit = static_cast<double>(mantissa.find_first_of("123456789"));
  const double magnitude = point - digit + exponent > 0 ? HUGE_VAL : 0.0;
  return text.front() == '-' ? -magnitude : magnitude;
}

}  // namespace

std::optional<double> parse_double(std::string_view text) {
  text = without_plus(text);
  if (text.empty()) return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range && end == text.data() + text.size()) return out_of_range_value(text);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  text = without_plus(text);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  if (text.empty()) return std::nullopt;
  double unit = 1;
  if (text.back() == 'B' || text.back() == 'b') text.remove_suffix(1);
  if (text.empty()) return std::nullopt;
  switch (text.back()) {
    case 'k':
    case 'K': unit = 1024.0; break;
    case 'm':
    case 'M': unit = 1024.0 * 1024; break;
    case 'g':
    case 'G': unit = 1024.0 * 1024 * 1024; break;
    case 't':
    case 'T': unit = 1024.0 * 1024 * 1024 * 1024; break;
    default: break;
  }
  if (unit > 1) text.remove_suffix(1);
  const auto value = parse_double(trim(text));
  if (!value || !(*value * unit >= 1) || *value * unit > 1e18) return std::nullopt;
  return static_cast<std::uint64_t>(*value * unit);
}

std::string format_double(double value) {
  std::array<char, 32> buffer;
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), end};
}

std::string format_bytes(std::uint64_t bytes) {
  constexpr std::array units = {"B", "kB", "MB", "GB", "TB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1023.95 && unit + 1 < units.size(); ++unit) value /= 1024;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", value, units[unit]);
}

std::string format_seconds(double seconds) {
  if (seconds < 59.5) return fmt::format("{:.{}f} s", seconds, seconds < 9.95 ? 2 : 0);
  const long long whole = std::llround(seconds < 1e15 ? seconds : 1e15);  // an estimate may be infinite
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

}  // namespace manyone
