// SPDX-License-Identifier: Apache-2.0
//
// manyone-reproduce: published tables beside ours. `manyone reproduce` calls it.
#include <array>
#include <string_view>
#include <vector>

#include "cli/front.hpp"
#include "studies/command.hpp"

namespace {

using namespace manyone::cli;

constexpr std::array kCommands = {Command{"reproduce", add_reproduce}, Command{"manual", add_manual, true}};

}  // namespace

int main(int argc, char** argv) {
  std::vector<char*> words(argv, argv + argc);
  // One command, which need not be said.
  static char command[] = "reproduce";
  if (argc < 2 || std::string_view(argv[1]) != "manual") words.insert(words.begin() + (argc > 0 ? 1 : 0), command);
  return run_program(words, kCommands);
}
