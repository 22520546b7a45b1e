// SPDX-License-Identifier: Apache-2.0
//
// Values that users choose by name from a list: finding one, what to say about a name that is not there, and lists that
// are too long to be said whole.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/numbers.hpp"
#include "manyone/errors.hpp"

namespace manyone {

template <class Info>
std::string_view name_in(const Info& info) {
  return info.name;
}
template <class Info>
std::string_view name_in(const Info* info) {
  return info->name;
}

/// The entry of `list` (values with a member `name`, or pointers to such) that is called `name`. Throws ConfigError
/// that lists the names and suggests the nearest; `kind` is the word for one of them, `parameter` the one that takes
/// it.
template <class Info>
const Info& named(std::span<const Info> list, std::string_view name, std::string_view kind,
                  std::string_view parameter) {
  std::vector<std::string_view> names;
  for (const Info& info : list) {
    if (name_in(info) == name) return info;
    names.push_back(name_in(info));
  }
  const auto nearest = nearest_word(name, names);
  throw ConfigError(
      std::string(parameter),
      fmt::format("{} '{}' is not known{}", kind, name, nearest ? fmt::format(" (did you mean '{}'?)", *nearest) : ""),
      fmt::format("{}s are {}", kind, fmt::join(names, ", ")));
}

/// "a, b, c, … (40 in all)"
inline std::string shortened(std::span<const std::string> names, std::size_t shown) {
  if (names.size() <= shown) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{}, … ({} in all)", fmt::join(names.first(shown), ", "), names.size());
}

/// The name of the entry of `list` (values with members `name` and `kind`) that stands for `kind`.
template <class Info, class Kind>
std::string_view name_of_kind(std::span<const Info> list, Kind kind) {
  for (const Info& info : list) {
    if (info.kind == kind) return info.name;
  }
  return "";
}

}  // namespace manyone
