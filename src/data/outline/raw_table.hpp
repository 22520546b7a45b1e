// SPDX-License-Identifier: Apache-2.0
//
// RawTable: a text table, or some rows of it, before it is known what its columns are. A cell takes 8 bytes: a number
// is itself, a word is a NaN whose payload is its code in the column's dictionary, a missing cell is the NaN with
// payload 0 (a real NaN never gets in). So one pass suffices, and a column that turns out to be nominal needs no second
// look at the text.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/matrix.hpp"
#include "data/records/record.hpp"
#include "manyone/words.hpp"

namespace manyone {

inline constexpr std::uint64_t kBox = 0x7ff8'0000'0000'0000;  // quiet NaN; the payload is in the low bits
inline constexpr double kMissingCell = std::bit_cast<double>(kBox);

inline double word_cell(std::uint32_t code) { return std::bit_cast<double>(kBox | (std::uint64_t{code} + 1)); }
inline bool is_number_cell(double cell) { return cell == cell; }
inline bool is_missing_cell(double cell) { return std::bit_cast<std::uint64_t>(cell) == kBox; }
/// Precondition: neither a number nor missing.
inline std::size_t word_code(double cell) {
  return static_cast<std::size_t>((std::bit_cast<std::uint64_t>(cell) ^ kBox) - 1);
}

/// Words numbered in the order in which they come. Small while it is empty: every column has one.
class Dictionary {
 public:
  Dictionary() = default;
  Dictionary(Dictionary&&) = default;
  Dictionary& operator=(Dictionary&&) = default;

  /// Number of `word`, a new one if it has none yet.
  std::uint32_t code(std::string_view word);
  std::size_t size() const { return words_.size(); }
  std::vector<std::string> words() const;
  double bytes() const { return bytes_; }

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> codes_;
  std::vector<const std::string*> words_;  // the keys, which stay where they are
  double bytes_ = 0;
};

struct RawColumn {
  enum class Role { feature, target, fold, ignored };
  Role role = Role::feature;
  DeclaredColumn declared;
  bool nominal = false;     ///< declared or asked for; else the cells decide
  bool identifier = false;  ///< of a row; known when all rows have been seen: no feature after all
  Dictionary words;
  Index word_cells = 0;
  Index missing_cells = 0;
  Place first_word;  ///< of an undeclared column
  std::string first_word_text;
};

/// Categories, of which a file has `cells` that are not missing? Declared or asked for, or words. A number column with
/// slips, or categories some of which look like numbers ("2", "4", "more")? Up to a tenth of words means slips.
inline bool looks_nominal(const RawColumn& column, Index cells) {
  return column.nominal || 10 * column.word_cells > cells;
}

struct RawTable {
  std::string source;
  bool named = false;
  std::vector<Words> notes;  ///< of the reader
  std::vector<RawColumn> columns;
  std::size_t target = 0;
  Index rows = 0;                     ///< rows held
  Matrix cells;                       ///< of the feature columns; the first `rows` rows are in use
  std::vector<std::uint32_t> labels;  ///< codes of the target
  std::vector<std::uint32_t> folds;   ///< codes of the fold column, if there is one
  Index rows_seen = 0;                ///< rows of the file, also those that were dropped
  std::vector<Index> kept;            ///< with rows dropped: the file row of each row of `cells`
};

}  // namespace manyone
