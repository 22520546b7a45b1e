// SPDX-License-Identifier: Apache-2.0
//
// Completion for shells, as scripts that hold all words themselves: no program is started when the user presses Tab.
#pragma once

#include <string>

#include "cli/definition.hpp"

namespace manyone::cli {

std::string bash_completion(const ToolText& tool);
std::string zsh_completion(const ToolText& tool);

}  // namespace manyone::cli
