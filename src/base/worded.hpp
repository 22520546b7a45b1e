// SPDX-License-Identifier: Apache-2.0
//
// worded("`sigma` must be above 0, found '{}'", text): fmt::format() for Words. Marks are read in the format alone,
// never in the values; values that are Words themselves keep theirs.
#pragma once

#include <type_traits>

#include <fmt/format.h>

#include "manyone/words.hpp"

namespace manyone {

class Wording {
 public:
  /// Words among the values; nothing else formats them, so that marks do not get into text without being seen.
  struct Part {
    std::string_view text;
  };
  template <class T>
  using Value =
      std::conditional_t<std::is_same_v<std::remove_cvref_t<T>, Words>, Part, const std::remove_reference_t<T>&>;

  template <class T>
  static Value<T> value(const T& of) {
    if constexpr (std::is_same_v<T, Words>) {
      return {of.text_};
    } else {
      return of;
    }
  }
  template <class T>
  static std::size_t marks(const T& of) {
    if constexpr (std::is_same_v<T, Words>) {
      return of.marks();
    } else {
      return 0;
    }
  }
  /// `marks`: how many the values have.
  static Words formatted(fmt::string_view format, fmt::format_args values, std::size_t marks);
  template <class... Values>
  static Words formatted_values(fmt::string_view format, std::size_t marks, const Values&... values) {
    return formatted(format, fmt::make_format_args(values...), marks);
  }
};

}  // namespace manyone

template <>
struct fmt::formatter<manyone::Wording::Part> : fmt::formatter<fmt::string_view> {
  template <class Context>
  auto format(const manyone::Wording::Part& part, Context& context) const {
    return fmt::formatter<fmt::string_view>::format({part.text.data(), part.text.size()}, context);
  }
};

namespace manyone {

template <class... Args>
Words worded(fmt::format_string<std::remove_cvref_t<Wording::Value<Args>>...> format, const Args&... args) {
  return Wording::formatted_values(fmt::string_view(format), (std::size_t{0} + ... + Wording::marks(args)),
                                   Wording::value(args)...);
}

}  // namespace manyone
