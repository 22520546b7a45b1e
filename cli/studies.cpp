// SPDX-License-Identifier: Apache-2.0
//
// `manyone reproduce`: the program manyone-reproduce (studies/), which is installed by itself.
#include <unistd.h>

#include <filesystem>

#include "cli/commands.hpp"
#include "manyone/errors.hpp"

namespace manyone::cli {

namespace {

constexpr const char* kProgram = "manyone-reproduce";

/// Beside this program, or where programs are looked for. Returns where there is none.
void become_the_program(std::vector<std::string> arguments) {
  arguments.front() = kProgram;
  std::vector<char*> words;
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  std::error_code failure;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", failure);
  if (!failure) ::execv((self.parent_path() / kProgram).c_str(), words.data());
  ::execvp(kProgram, words.data());
}

}  // namespace

void add_studies(Tool& app) {
  CLI::App* sub = app.add_subcommand("reproduce", "A published table beside ours, by the program manyone-reproduce");
  sub->prefix_command();
  sub->set_help_flag();
  sub->footer(
      "manyone-reproduce --help lists the tables and the options.\n"
      "Example:\n  manyone reproduce honeine-table4 --machines onelsm,vo-lssvm --datasets iris,wine");
  sub->callback([&app] {
    become_the_program({app.words.begin() + 1, app.words.end()});
    throw ConfigError(
        "reproduce is a program of its own, manyone-reproduce, and is neither beside this one nor on the PATH; it "
        "comes "
        "with the package manyone-studies and with a build from source");
  });
}

}  // namespace manyone::cli
