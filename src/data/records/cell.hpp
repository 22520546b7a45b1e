// SPDX-License-Identifier: Apache-2.0
//
// What one cell of a text table means: a number, a missing value or a word. All text formats and both directions
// (training, prediction) decide it here, so that the same cell always means the same.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "manyone/errors.hpp"
#include "manyone/words.hpp"

namespace manyone {

/// The whole of `text` as a double, correctly rounded, equal in all bits to parse_double(). False if it is no number;
/// "nan" and "inf" are numbers here and the caller refuses them.
inline bool parse_number(std::string_view text, double& value);

/// Empty, "?", "NA", "N/A", "NaN", "null" and the other ways in which R, pandas and Excel write "nothing". Case counts
/// for NA alone: "Na" is sodium.
bool is_missing(std::string_view text);

/// "3,5" is "3.5" for those who write decimal commas; false for text that is no such number.
bool replace_decimal_comma(std::string_view text, std::string& number);

/// A number with marks that are not read as parts of one: "1,234.50", "1.234,5", "12.3%".
bool is_marked_number(std::string_view text);

/// The one spelling of a nominal value: numbers as format_double() writes them (so that "1", "1.0" and "+1" agree),
/// other text as it is.
std::string canonical_value(std::string_view text);
std::string canonical_value(double value);

/// `text` in quotes for a message: shortened, control bytes and broken UTF-8 replaced.
std::string shown(std::string_view text);

/// "column 'width'" or, without a name, "column 3".
Words column_label(std::string_view name, std::size_t position);

/// Throws InputError unless `text` is UTF-8 (names, labels and values end up in JSON and model files).
void require_utf8(std::string_view text, const Place& place);

/// Throws the InputError for a number that is NaN, infinite or out of range.
[[noreturn]] void fail_not_finite(std::string_view text, const Place& place, const Words& column);

/// parse_number() for text of any length.
bool parse_long_number(std::string_view text, double& value);

bool parse_number(std::string_view text, double& value) {
  // Whole numbers of one to three digits fill many tables, and their lengths change from cell to cell: no branch here
  // depends on the length. For one digit first = middle = last, for two middle = last.
  const std::size_t size = text.size();
  if (size - 1 >= 3) return parse_long_number(text, value);
  constexpr unsigned kWeights[3][2] = {{0, 0}, {10, 0}, {100, 10}};
  const unsigned first = static_cast<unsigned char>(text[0]) - unsigned{'0'};
  const unsigned middle = static_cast<unsigned char>(text[size / 2]) - unsigned{'0'};
  const unsigned last = static_cast<unsigned char>(text[size - 1]) - unsigned{'0'};
  if (first > 9 || middle > 9 || last > 9) return parse_long_number(text, value);
  value = static_cast<double>(first * kWeights[size - 1][0] + middle * kWeights[size - 1][1] + last);
  return true;
}

}  // namespace manyone
