// SPDX-License-Identifier: Apache-2.0
//
// The command line of the studies.
#pragma once

#include "cli/commands.hpp"

namespace manyone::cli {

void add_reproduce(Tool& app);

}  // namespace manyone::cli
