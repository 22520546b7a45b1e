// SPDX-License-Identifier: Apache-2.0
//
// The options of all commands as Markdown tables, for docs/parameters.md.
#pragma once

#include <string>

#include "cli/definition.hpp"

namespace manyone::cli {

/// A table for each group of options that commands share, then one for each command with what is its own.
std::string option_tables(const ToolText& tool);

}  // namespace manyone::cli
