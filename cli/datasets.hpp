// SPDX-License-Identifier: Apache-2.0
//
// Where tables are found by name.
#pragma once

#include <optional>
#include <string>

namespace manyone::cli {

/// The path of the table NAME.csv, .csv.gz or of another format: in $MANYONE_DATA, which a user sets on purpose, then
/// ./data, the data cache and the installed ones.
std::optional<std::string> find_table(const std::string& name);

}  // namespace manyone::cli
