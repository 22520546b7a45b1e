// SPDX-License-Identifier: Apache-2.0
//
// The command line: dispatch, and the one place where errors become a line on stderr and an exit code.
#include <fcntl.h>
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

#ifdef __GLIBC__  // known after any standard header
#include <malloc.h>
#endif

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/named_files.hpp"
#include "cli/other_names.hpp"
#include "manyone/base/errors.hpp"
#include "manyone/base/numbers.hpp"
#include "manyone/base/printable.hpp"

namespace {

using manyone::ExitCode;
using manyone::cli::answer_to_other_name;

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

/// A closed standard stream leaves its number to the next file that is opened, which would get what is meant for the
/// stream. Opened the wrong way round, so that what is read or written there fails as it would have.
void fill_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    (void)::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

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
  const auto nearest = manyone::nearest_word(word.substr(0, word.find('=')), known);
  return nearest ? fmt::format(" (did you mean {}?)", *nearest) : "";
}

/// What was typed may hold anything.
int fail_usage(const std::string& message) { return fail(ExitCode::usage, manyone::printable_line(message)); }

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

struct Command {
  std::string_view name;
  void (*add)(manyone::cli::Tool&);
  bool describes_all = false;  ///< needs the options of every command
};

constexpr std::array kCommands = {Command{"fit", manyone::cli::add_fit},
                                  Command{"predict", manyone::cli::add_predict},
                                  Command{"evaluate", manyone::cli::add_evaluate},
                                  Command{"tune", manyone::cli::add_tune},
                                  Command{"compare", manyone::cli::add_compare},
                                  Command{"report", manyone::cli::add_report},
                                  Command{"reproduce", manyone::cli::add_reproduce},
                                  Command{"inspect", manyone::cli::add_inspect},
                                  Command{"export", manyone::cli::add_export},
                                  Command{"import", manyone::cli::add_import},
                                  Command{"convert", manyone::cli::add_convert},
                                  Command{"machines", manyone::cli::add_machines},
                                  Command{"labelbooks", manyone::cli::add_labelbooks},
                                  Command{"kernels", manyone::cli::add_kernels},
                                  Command{"datasets", manyone::cli::add_datasets},
                                  Command{"completion", manyone::cli::add_completion, true},
                                  Command{"manual", manyone::cli::add_manual, true}};

/// Declares the command that is called, or all of them: the options of all would take a quarter of the tool's start.
void add_commands(manyone::cli::Tool& app, std::string_view called) {
  const auto* found = std::ranges::find(kCommands, called, &Command::name);
  if (found != kCommands.end() && !found->describes_all) {
    found->add(app);
    return;
  }
  for (const Command& command : kCommands) command.add(app);
}

/// "help fit" is "fit --help" in other words.
std::vector<char*> arguments_of(int argc, char** argv) {
  std::vector<char*> out(argv, argv + argc);
  if (argc < 2 || std::string_view(argv[1]) != "help") return out;
  static char help[] = "--help";
  out.erase(out.begin() + 1);
  out.resize(std::min<std::size_t>(out.size(), 2));
  out.push_back(help);
  return out;
}

/// The arguments as one would type them.
std::string command_line(int argc, char** argv) {
  std::string out = "manyone";
  for (int k = 1; k < argc; ++k) {
    const std::string_view word = argv[k];
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

/// Everything but what is left to say when memory ran out.
int run(int argc, char** argv) {
  manyone::cli::Tool app{"Multiclass kernel classification at the price of one binary machine.", "manyone"};
  app.set_version_flag("--version", MANYONE_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Example:\n  manyone fit data/iris.csv -o iris.safetensors\n  manyone evaluate iris.safetensors data/iris.csv\n"
      "manyone COMMAND --help tells more.");
  app.command = command_line(argc, argv);
  const std::vector<char*> arguments = arguments_of(argc, argv);
  add_commands(app, arguments.size() > 1 ? arguments[1] : "");
  int code = 0;
  try {
    app.parse(static_cast<int>(arguments.size()), arguments.data());
  } catch (const CLI::Success& success) {  // --help, --version
    code = app.exit(success);
  } catch (const CLI::ParseError& error) {
    return usage_error(app, error);
  } catch (const manyone::Error& error) {
    return fail(error.exit_code(), manyone::printable_line(error.what()));
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(ExitCode::input,
                manyone::printable_line(fmt::format("{}: {}", error.path1().string(), error.code().message())));
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) return fail(ExitCode::input, kLostOutput);
  return code;
}

}  // namespace

void manyone::cli::Tool::pre_callback() {
  for (CLI::App* used : get_subcommands()) check_files(*used);
}

int main(int argc, char** argv) {
  fill_standard_streams();
  std::set_new_handler(end_without_memory);
#ifdef __GLIBC__
  // Blocks and cells are made over and over: memory that goes back to the system comes again page by page.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {  // a matrix: these do not come from operator new
    return fail(ExitCode::memory, kNoMemory);
  } catch (const std::exception& error) {
    return fail(ExitCode::backend, "unexpected failure: ", manyone::printable_line(error.what()));
  }
}
