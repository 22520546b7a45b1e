// SPDX-License-Identifier: Apache-2.0
#include "cli/spelling.hpp"

#include <algorithm>

#include "base/printable.hpp"

namespace manyone::cli {

std::string as_option(std::string_view name, std::string_view value) {
  const bool place = name.empty() || name == "row" || name == "column" || name == "class";
  if (place) return Words::as_in_recipes(name, value);
  std::string out = name == "keep_identifiers" ? "--keep-ids" : "--" + std::string(name);
  std::ranges::replace(out, '_', '-');
  return value.empty() ? out : out + ' ' + std::string(value.substr(1));
}

std::string message_of(const Error& error) { return printable_line(error.complaint().words().in(as_option)); }

}  // namespace manyone::cli
