// SPDX-License-Identifier: Apache-2.0
//
// Text <-> number, exactly and without locale: what is printed reads back to the same bits.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace manyone {

/// The whole of `text` as a finite or non-finite double ("nan", "inf" are numbers here); a leading '+' is allowed,
/// surrounding blanks are not. Empty or trailing characters give nothing. Magnitudes out of range become 0 or infinity.
std::optional<double> parse_double(std::string_view text);

/// The whole of `text` as a decimal integer.
std::optional<std::int64_t> parse_integer(std::string_view text);

/// Bytes from "8G", "512M", "64k", "1000000" or "1.5G" (powers of 1024).
std::optional<std::uint64_t> parse_bytes(std::string_view text);

/// Shortest decimal text that reads back to the same double.
std::string format_double(double value);

/// "1.5 GB" and the like, for people.
std::string format_bytes(std::uint64_t bytes);

/// "0.42 s", "3 min 05 s", "1 h 02 min", for people.
std::string format_seconds(double seconds);

/// ASCII letters in lower case.
std::string lower_case(std::string_view text);

/// `text` without blanks, tabs and carriage returns at both ends.
std::string_view trim(std::string_view text);

/// The candidate with the smallest edit distance to `word`, if it is near enough to be a slip of the finger.
template <class Range>
std::optional<std::string> nearest_word(std::string_view word, const Range& candidates);

/// Levenshtein distance.
std::size_t edit_distance(std::string_view a, std::string_view b);

template <class Range>
std::optional<std::string> nearest_word(std::string_view word, const Range& candidates) {
  std::optional<std::string> best;
  const std::size_t letters = word.size() - std::min(word.find_first_not_of('-'), word.size());
  std::size_t best_distance = 1 + letters / 3;  // one slip in short words, a third of a long one
  for (const auto& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance || (distance == best_distance && !best)) {
      best = std::string(candidate);
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace manyone
