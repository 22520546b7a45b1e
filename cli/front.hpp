// SPDX-License-Identifier: Apache-2.0
//
// The front of a program: dispatch to its commands, and the one place where errors become a line on stderr and an exit
// code.
#pragma once

#include <span>
#include <string_view>

#include "cli/commands.hpp"

namespace manyone::cli {

struct Command {
  std::string_view name;
  void (*add)(Tool&);
  bool describes_all = false;  ///< needs the options of every command
};

/// What main() returns. `words`: the program's name and its arguments.
int run_program(std::span<char* const> words, std::span<const Command> commands);

}  // namespace manyone::cli
