// SPDX-License-Identifier: Apache-2.0
//
// Man pages in the macros that man(7) describes: one for the tool, one for each command.
#pragma once

#include <string>

#include "cli/definition.hpp"

namespace manyone::cli {

/// manyone.1
std::string tool_page(const ToolText& tool, const std::string& version);
/// manyone-fit.1 and so on.
std::string command_page(const ToolText& tool, const CommandText& command, const std::string& version);

}  // namespace manyone::cli
