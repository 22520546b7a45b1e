// SPDX-License-Identifier: Apache-2.0
//
// Which column does the user mean? Options name columns by name or by 1-based number.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "data/records/record.hpp"

namespace manyone {

/// Position of the column called `wanted`, or else of the column with that 1-based number. `parameter`
/// ("target", "fold_column") and `file` are for the ConfigError that is thrown when there is none.
std::size_t find_column(std::span<const DeclaredColumn> columns, const std::string& wanted,
                        const std::string& parameter, const std::string& file);

}  // namespace manyone
