// SPDX-License-Identifier: Apache-2.0
#include "data/records/column_choice.hpp"

#include <vector>

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "data/records/cell.hpp"

namespace manyone {

std::size_t find_column(std::span<const DeclaredColumn> columns, const std::string& wanted,
                        const std::string& parameter, const std::string& file) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (columns[k].name == wanted) return k;
    if (!columns[k].name.empty()) names.push_back(columns[k].name);
  }
  const auto number = parse_integer(wanted);
  if (number && *number >= 1 && *number <= std::ssize(columns)) return static_cast<std::size_t>(*number - 1);
  const auto near = number ? std::nullopt : nearest_word(wanted, names);
  const std::string role = parameter == "fold_column" ? "column of folds or groups" : parameter;
  throw ConfigError(
      parameter, fmt::format("{} {}: {} has no such column", role, shown(wanted), file),
      near ? fmt::format("did you mean {}?", shown(*near))
           : fmt::format("give a {}number from 1 to {}", names.empty() ? "" : "name or a ", columns.size()));
}

}  // namespace manyone
