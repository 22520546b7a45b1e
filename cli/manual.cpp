// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>
#include <span>

#include <fmt/format.h>

#include "base/atomic_file.hpp"
#include "cli/commands.hpp"
#include "cli/man_page.hpp"
#include "cli/option_tables.hpp"
#include "cli/printing.hpp"
#include "manyone/errors.hpp"

namespace manyone::cli {

namespace {

void write_pages(const ToolText& tool, const std::string& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (!std::filesystem::is_directory(folder)) {
    throw ConfigError(fmt::format("--man {}: expected a folder for the pages, and it cannot be made", folder));
  }
  const std::filesystem::path to = folder;
  write_file_atomically((to / "manyone.1").string(), tool_page(tool, MANYONE_VERSION));
  for (const CommandText& command : tool.commands) {
    write_file_atomically((to / fmt::format("manyone-{}.1", command.name)).string(),
                          command_page(tool, command, MANYONE_VERSION));
  }
  print(stdout, fmt::format("{} pages written to {}\n", tool.commands.size() + 1, folder));
}

struct ManualOptions {
  std::string folder;
  bool markdown = false;
};

}  // namespace

void add_manual(Tool& app) {
  auto options = std::make_shared<ManualOptions>();
  CLI::App* sub = app.add_subcommand("manual", "The manual, written from the definition of the commands");
  auto* man = sub->add_option("--man", options->folder, "Write man pages to this folder")->type_name("FOLDER");
  sub->add_flag("--markdown", options->markdown, "Print the options of all commands as Markdown tables")->excludes(man);
  sub->footer("Example:\n  manyone manual --man man1\n  man -l man1/manyone-fit.1\n  manyone manual --markdown");
  sub->callback([options, &app] {
    if (options->folder.empty() && !options->markdown) throw ConfigError("manual needs --man FOLDER or --markdown");
    const ToolText tool = describe(app);
    if (options->markdown) {
      print(stdout, option_tables(tool));
    } else {
      write_pages(tool, options->folder);
    }
  });
}

}  // namespace manyone::cli
