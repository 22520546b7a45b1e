// SPDX-License-Identifier: Apache-2.0
#include "cli/options.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <limits>

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "base/printable.hpp"
#include "cli/printing.hpp"
#include "cli/spelling.hpp"
#include "manyone/errors.hpp"

namespace manyone::cli {

namespace {

/// --strict: what would be a note stops the command.
class StrictObserver : public Observer {
 public:
  explicit StrictObserver(std::unique_ptr<Observer> inner) : inner_(std::move(inner)) {}
  void begin(std::string_view task, double total) override { inner_->begin(task, total); }
  void update(double done, std::string_view state) override { inner_->update(done, state); }
  void end() override { inner_->end(); }
  void note(const Words& message) override { throw InputError(message + " (an error because of `strict`)"); }

 private:
  std::unique_ptr<Observer> inner_;
};

std::unique_ptr<Observer> make_observer(const RunOptions& options) {
  if (options.progress == "json") return std::make_unique<JsonObserver>(stderr, as_option);
  if (options.quiet) return std::make_unique<Observer>();
  if (options.progress == "auto" && isatty(fileno(stderr)) != 0)
    return std::make_unique<BarObserver>(stderr, as_option);
  return std::make_unique<NoteObserver>(stderr, as_option);
}

}  // namespace

void RunOptions::declare(CLI::App& command) {
  const std::string group = "Running";
  command.add_option("--threads", threads, "Threads to use; 0: all")->check(CLI::Range(0, 4096))->group(group);
  command
      .add_option(
          "--memory", memory,
          "Memory for tables and matrices, such as 8G (the program itself takes some 20 MB more); default: nine "
          "tenths of what is free")
      ->type_name("SIZE")
      ->group(group);
  command.add_option("--backend", backend, "cpu, or reference (slow, for checking)")
      ->type_name("cpu|reference")
      ->group(group);
  command.add_flag("--quiet", quiet, "Say nothing but errors")->group(group);
  command.add_option("--progress", progress, "auto (a bar on a terminal), never, or json (lines on stderr)")
      ->check(CLI::IsMember({"auto", "never", "json"}))
      ->group(group);
  command.add_flag("--strict", strict, "Turn notes into errors")->group(group);
  command.add_flag("--json", json, "One JSON document on stdout, text for people on stderr")->group(group);
}

MemoryBudget RunOptions::budget() const {
  if (memory.empty()) return {};
  const auto bytes = parse_bytes(memory);
  if (!bytes) throw ConfigError(fmt::format("--memory must be a size such as 8G or 500M, found '{}'", memory));
  return MemoryBudget(*bytes);
}

Program::Program(const RunOptions& options) : options_(options), observer_(make_observer(options)) {
  if (options.strict) observer_ = std::make_unique<StrictObserver>(std::move(observer_));
  runtime_ = std::make_unique<Runtime>(options.threads, options.backend, observer_.get(), options.budget());
}

void Program::listen_to_signals() { guard_ = std::make_unique<SignalGuard>(runtime_->interrupt()); }

void Program::say(const std::string& text) const { show(printable_lines(text)); }

void Program::show(const std::string& text) const {
  if (!options_.quiet) cli::print(options_.json ? stderr : text_stream(), text + "\n");
}

bool Program::in_colour() const {
  return std::getenv("NO_COLOR") == nullptr && isatty(options_.json ? STDERR_FILENO : STDOUT_FILENO) != 0;
}

void Program::print(const Json& json) const { cli::print(stdout, dump(json) + "\n"); }

namespace {

constexpr const char* kTableGroup = "Table";

}  // namespace

void TableOptions::declare(CLI::App& command) {
  command.add_option("DATA", path, "Training table: CSV, TSV, LIBSVM, ARFF or IDX, also .gz; - for stdin")
      ->type_name("FILE")
      ->required();
  declare_reading(command);
  command
      .add_flag("--stream", stream,
                "Read the table block by block and never hold it (machines with centres); large files are in any case")
      ->group(kTableGroup);
}

void TableOptions::declare_reading(CLI::App& command) {
  const std::string group = kTableGroup;
  command.add_option("--format", format, "auto, csv, libsvm, arff or idx")
      ->check(CLI::IsMember({"auto", "csv", "libsvm", "arff", "idx"}))
      ->group(group);
  command.add_option("--target", target, "Column with the class: name or number from 1; default: the last")
      ->type_name("COLUMN")
      ->group(group);
  command.add_option("--header", header, "Has the CSV a header line? auto, yes or no")
      ->check(CLI::IsMember({"auto", "yes", "no"}))
      ->group(group);
  command
      .add_option("--nominal", nominal,
                  "Columns (names or numbers) that hold categories although they look like numbers")
      ->type_name("COLUMN")
      ->delimiter(',')
      ->group(group);
  command
      .add_option("--ignore", ignore,
                  "Columns (names or numbers) to leave out; those that number the rows, or hold a word of its own in "
                  "every row, are left out in any case")
      ->type_name("COLUMN")
      ->delimiter(',')
      ->group(group);
  command
      .add_flag("--keep-ids", keep_identifiers,
                "Keep columns that number the rows, or hold a word of its own in every row")
      ->group(group);
  declare_decimal(command, decimal);
  command.add_option("--missing", missing, "Empty cells, ?, NA, NaN, null: error, drop (the row), mean, or indicator")
      ->check(CLI::IsMember({"error", "drop", "mean", "indicator"}))
      ->group(group);
}

bool TableOptions::large(const MemoryBudget& memory) const {
  constexpr double unpacked = 4;  // numbers in memory for a byte of a gzip file
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error) return false;  // standard input, or what reading will complain about
  return !memory.fits(3 * static_cast<double>(size) * (path.ends_with(".gz") ? unpacked : 1));
}

ReadOptions TableOptions::read_options(const MemoryBudget& memory, const std::string& fold_column) const {
  return {.format = format_from_name(format),
          .target = target,
          .fold_column = fold_column,
          .nominal = nominal,
          .ignore = ignore,
          .keep_identifiers = keep_identifiers,
          .header = header_from_name(header),
          .decimal_comma = decimal_comma_from_name(decimal),
          .missing = missing == "drop"        ? MissingPolicy::drop
                     : missing == "mean"      ? MissingPolicy::mean
                     : missing == "indicator" ? MissingPolicy::indicator
                                              : MissingPolicy::error,
          .memory = memory};
}

CLI::Validator whole_number() {
  return CLI::Validator(
      [](std::string& text) {
        const auto number = parse_integer(text);
        return number && *number >= 0 ? std::string()
                                      : fmt::format("must be a whole number from 0 to {}, found '{}'",
                                                    std::numeric_limits<std::int64_t>::max(), text);
      },
      "");
}

TableFormat format_from_name(const std::string& name) {
  if (name == "csv") return TableFormat::csv;
  if (name == "libsvm") return TableFormat::libsvm;
  if (name == "arff") return TableFormat::arff;
  if (name == "idx") return TableFormat::idx;
  return TableFormat::automatic;
}

std::optional<bool> header_from_name(const std::string& name) {
  if (name == "auto") return std::nullopt;
  return name == "yes";
}

std::optional<bool> decimal_comma_from_name(const std::string& name) {
  if (name == "auto") return std::nullopt;
  return name == "comma";
}

void declare_decimal(CLI::App& command, std::string& decimal) {
  command.add_option("--decimal", decimal, "Are numbers written 3.5 or 3,5? auto, point or comma")
      ->check(CLI::IsMember({"auto", "point", "comma"}))
      ->group(kTableGroup);
}

}  // namespace manyone::cli
