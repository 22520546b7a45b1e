// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/completion_scripts.hpp"
#include "cli/printing.hpp"

namespace manyone::cli {

void add_completion(Tool& app) {
  auto shell = std::make_shared<std::string>();
  CLI::App* sub = app.add_subcommand("completion", "A script that completes commands, options and names in a shell");
  sub->add_option("SHELL", *shell, "bash or zsh")->check(CLI::IsMember({"bash", "zsh"}))->required();
  sub->footer(
      "Packages and cmake --install put it in place. By hand:\n"
      "Example:\n  manyone completion bash > ~/.local/share/bash-completion/completions/manyone\n"
      "  manyone completion zsh > ~/.zsh/completions/_manyone");
  sub->callback([shell, &app] {
    const ToolText tool = describe(app);
    print(stdout, *shell == "bash" ? bash_completion(tool) : zsh_completion(tool));
  });
}

}  // namespace manyone::cli
