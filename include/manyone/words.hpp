// SPDX-License-Identifier: Apache-2.0
//
// Text for people that names parameters and rows, which every front end spells its own way: the command line says
// --scale range where Python says scale='range' and a recipe has scale=range.
//
// In a literal a mark stands in backquotes: "leave `reduce` out", "use `scale=maxabs` or none", "`row#3` is empty".
// Names are those of recipes (centers_from); behind '=' stands what to give, behind '#' a number counted from 1. Only
// literals are read for marks. A std::string may come from a user's file: whatever it holds is taken as it is, so that
// a column of the name `scale` stays one. Text with values in it is made by worded() (base/worded.hpp).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace manyone {

class Words {
 public:
  /// How a front end says a mark. `value` is what stands behind the name, with its '=' or '#'; or empty.
  using Spelling = std::string (*)(std::string_view name, std::string_view value);

  Words() = default;
  template <std::size_t N>
  Words(const char (&literal)[N]) : text_(with_marks(std::string_view(literal, N - 1))) {}
  Words(const std::string& plain);

  bool empty() const { return text_.empty(); }
  /// In the words of a program: "scale=maxabs", "row 3".
  std::string text() const { return in(as_in_recipes); }
  std::string in(Spelling spelling) const;
  /// The names of the parameters in it.
  std::vector<std::string> parameters() const;

  Words& operator+=(const Words& more);
  friend Words operator+(Words left, const Words& right) { return left += right; }
  friend bool operator==(const Words&, const Words&) = default;

  /// The spelling of text(), and of what a front end has no words of its own for.
  static std::string as_in_recipes(std::string_view name, std::string_view value);

 private:
  friend class Wording;
  // Marks stand between bytes that text of any other origin loses.
  static constexpr char kOpen = '\x0e';
  static constexpr char kClose = '\x0f';
  /// `format` with its backquotes replaced by the bytes above.
  static std::string with_marks(std::string_view format);
  static std::string without_marks(std::string_view text);
  std::size_t marks() const;

  std::string text_;
};

}  // namespace manyone
