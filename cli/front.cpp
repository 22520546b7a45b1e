// SPDX-License-Identifier: Apache-2.0
#include "cli/front.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "base/printable.hpp"
#include "base/progress.hpp"
#include "cli/named_files.hpp"
#include "cli/other_names.hpp"
#include "cli/spelling.hpp"
#include "cli/startup.hpp"
#include "manyone/errors.hpp"

namespace manyone::cli {

namespace {

constexpr const char* kNoMemory = "memory ran out; use fewer rows or set a limit with --memory";
constexpr const char* kLostOutput = "stdout: writing failed, the output is incomplete; check the free space";

/// One line on stderr. Neither memory nor a working stream is needed: this is what remains when they are gone.
int fail(ExitCode code, std::string_view message, std::string_view detail = "") {
  constexpr std::string_view head = "manyone: ";
  const auto part = [](std::string_view text) { return iovec{const_cast<char*>(text.data()), text.size()}; };
  const std::array line = {part(head), part(message), part(detail), part("\n")};
  (void)!::writev(STDERR_FILENO, line.data(), line.size());
  return static_cast<int>(code);
}

/// Ends the tool where the smallest things find no memory any more: much of what would run instead of it allocates too,
/// or (nlohmann::json) is left in a state that cannot be destroyed. Outputs under way have no name yet (AtomicFile).
[[noreturn]] void end_without_memory() { ::_exit(fail(ExitCode::memory, kNoMemory)); }

/// " (did you mean --ridge?)" for the first word that no option or command of `app` matches.
std::string suggestion(const CLI::App& app, const std::string& word) {
  std::vector<std::string> known;
  const bool option = word.starts_with('-');
  const CLI::App* scope = app.get_subcommands().empty() ? &app : app.get_subcommands().front();
  if (option) {
    for (const CLI::Option* o : scope->get_options()) {
      for (const std::string& name : o->get_lnames()) known.push_back("--" + name);
    }
  } else {
    for (const CLI::App* command : app.get_subcommands({})) known.push_back(command->get_name());
  }
  const auto nearest = nearest_word(word.substr(0, word.find('=')), known);
  return nearest ? fmt::format(" (did you mean {}?)", *nearest) : "";
}

/// What was typed may hold anything.
int fail_usage(const std::string& message) { return fail(ExitCode::usage, printable_line(message)); }

int usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const auto used = app.get_subcommands();
  const std::string help = fmt::format("see manyone {}--help", used.empty() ? "" : used.front()->get_name() + " ");
  const auto extras = app.remaining(true);
  if (!extras.empty()) {
    const std::string& word = extras.front();
    const bool option = word.starts_with('-');
    const char* kind = option ? "option" : used.empty() ? "command" : "argument";
    std::string hint = answer_to_other_name(word, extras.size() > 1 ? extras[1] : "");
    if (hint.empty() && (used.empty() || option)) hint = suggestion(app, word);
    return fail_usage(fmt::format("unknown {} '{}'{}; {}", kind, word, hint, help));
  }
  return fail_usage(fmt::format("{}; {}", error.what(), help));
}

/// Declares the command that is called, or all of them: the options of all would take a quarter of the tool's start.
void add_commands(Tool& app, std::string_view called, std::span<const Command> commands) {
  const auto found = std::ranges::find(commands, called, &Command::name);
  if (found != commands.end() && !found->describes_all) {
    found->add(app);
    return;
  }
  for (const Command& command : commands) command.add(app);
}

/// "help fit" is "fit --help" in other words; "help fti" is an unknown command.
std::vector<char*> arguments_of(std::span<char* const> words, std::span<const Command> commands) {
  std::vector<char*> out(words.begin(), words.end());
  if (words.size() < 2 || std::string_view(words[1]) != "help") return out;
  static char help[] = "--help";
  out.erase(out.begin() + 1);
  out.resize(std::min<std::size_t>(out.size(), 2));
  if (out.size() < 2 || std::ranges::find(commands, out[1], &Command::name) != commands.end()) out.push_back(help);
  return out;
}

/// The arguments as one would type them.
std::string command_line(std::span<char* const> words) {
  std::string out = "manyone";
  for (std::size_t k = 1; k < words.size(); ++k) {
    const std::string_view word = words[k];
    const bool plain = !word.empty() && word.find_first_not_of(
                                            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                            "-_./:=,%+@") == std::string_view::npos;
    out += ' ';
    if (plain) {
      out += word;
      continue;
    }
    out += '\'';
    for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    out += '\'';
  }
  return out;
}

/// Progress is read by a program, which wants the parts of an error too.
bool wants_json_lines(std::span<char* const> words) {
  for (std::size_t k = 1; k < words.size(); ++k) {
    const std::string_view word = words[k];
    if (word == "--progress=json") return true;
    if (word == "json" && std::string_view(words[k - 1]) == "--progress") return true;
  }
  return false;
}

/// Everything but what is left to say when memory ran out.
int run(std::span<char* const> words, std::span<const Command> commands) {
  Tool app{"Multiclass kernel classification at the price of one binary machine.", "manyone"};
  app.set_version_flag("--version", MANYONE_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Example:\n  manyone fit data/iris.csv -o iris.safetensors\n  manyone evaluate iris.safetensors data/iris.csv\n"
      "manyone COMMAND --help tells more.");
  app.command = command_line(words);
  const std::vector<char*> arguments = arguments_of(words, commands);
  app.words.assign(arguments.begin(), arguments.end());
  add_commands(app, arguments.size() > 1 ? arguments[1] : "", commands);
  int code = 0;
  try {
    app.parse(static_cast<int>(arguments.size()), arguments.data());
  } catch (const CLI::Success& success) {  // --help, --version
    code = app.exit(success);
  } catch (const CLI::ParseError& error) {
    return usage_error(app, error);
  } catch (const Error& error) {
    if (wants_json_lines(words)) write_complaint(stderr, error.complaint(), as_option);
    return fail(error.exit_code(), message_of(error));
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(ExitCode::input, printable_line(fmt::format("{}: {}", error.path1().string(), error.code().message())));
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) return fail(ExitCode::input, kLostOutput);
  return code;
}

}  // namespace

void Tool::pre_callback() {
  for (CLI::App* used : get_subcommands()) check_files(*used);
}

int run_program(std::span<char* const> words, std::span<const Command> commands) {
  prepare_process(end_without_memory);
  try {
    return run(words, commands);
  } catch (const std::bad_alloc&) {  // a matrix: these do not come from operator new
    return fail(ExitCode::memory, kNoMemory);
  } catch (const std::exception& error) {
    return fail(ExitCode::backend, "unexpected failure: ", printable_line(error.what()));
  }
}

}  // namespace manyone::cli
