// SPDX-License-Identifier: Apache-2.0
//
// Other programs of the system: where they are, and one run of them from beginning to end, without a shell.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace manyone {

/// The file of a program in the folders of $PATH; empty: there is none.
std::string program_on_path(std::string_view name);

struct ProgramRun {
  std::string failure;     ///< why it did not end well, with the first line of what it complained; empty: it did
  std::string output;      ///< its standard output
  double cpu_seconds = 0;  ///< its own, of the user and of the system
};

struct ProgramLimits {
  std::chrono::seconds time = std::chrono::hours(24);
  std::size_t output = std::size_t{64} << 20;
};

/// `words`: the file of the program and its arguments; `input`: what it reads on standard input. The program does not
/// outlive the call: it is killed when it crosses a limit, and when a signal asks us to stop (SignalGuard::check()),
/// which throws Interrupted.
ProgramRun run_other_program(std::vector<std::string> words, std::string_view input, const ProgramLimits& limits);

}  // namespace manyone
