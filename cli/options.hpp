// SPDX-License-Identifier: Apache-2.0
//
// Options that several subcommands share, each group declared once and turned once into the library's own types.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "backend/runtime.hpp"
#include "base/interrupt.hpp"
#include "data/table_reader.hpp"
#include "result/result_json.hpp"

namespace manyone::cli {

/// --folds column:NAME
inline constexpr std::string_view kFoldColumn = "column:";

/// How the program runs and talks: threads, memory, backend, progress, JSON.
struct RunOptions {
  int threads = 0;
  std::string memory;
  std::string backend = "cpu";
  bool quiet = false;
  std::string progress = "auto";
  bool strict = false;
  bool json = false;

  void declare(CLI::App& command);
  MemoryBudget budget() const;
};

/// A runtime with the observer that the options ask for.
class Program {
 public:
  explicit Program(const RunOptions& options);
  /// From here on Ctrl-C requests a stop; before (while a whole table is read) it ends the program.
  void listen_to_signals();
  Execution execution() const { return runtime_->execution(); }
  const Backend& backend() const { return runtime_->backend(); }
  Observer& observer() const { return *observer_; }
  /// What would be a note is an error.
  bool strict() const { return options_.strict; }
  /// Lines for people: stdout, or stderr when stdout carries JSON; nothing with --quiet. Control characters that come
  /// with names and labels are escaped.
  void say(const std::string& text) const;
  /// The same for text with colours of our own and nothing of the user's.
  void show(const std::string& text) const;
  /// What show() writes goes to a terminal that wants colours ($NO_COLOR is not set).
  bool in_colour() const;
  /// The result document on stdout.
  void print(const Json& json) const;

 private:
  const RunOptions& options_;
  std::unique_ptr<Observer> observer_;
  std::unique_ptr<Runtime> runtime_;
  std::unique_ptr<SignalGuard> guard_;
};

/// How a training table is read.
struct TableOptions {
  std::string path;
  std::string format = "auto";
  std::string target;
  std::string header = "auto";
  std::string missing = "error";
  std::vector<std::string> nominal;
  std::vector<std::string> ignore;
  bool keep_identifiers = false;
  std::string decimal = "auto";
  bool stream = false;

  void declare(CLI::App& command);
  /// All but the path and --stream.
  void declare_reading(CLI::App& command);
  /// So large that it would take a third of the memory.
  bool large(const MemoryBudget& memory) const;
  ReadOptions read_options(const MemoryBudget& memory, const std::string& fold_column) const;
};

TableFormat format_from_name(const std::string& name);
std::optional<bool> header_from_name(const std::string& name);
/// Of --decimal: are numbers written with commas?
std::optional<bool> decimal_comma_from_name(const std::string& name);
void declare_decimal(CLI::App& command, std::string& decimal);

/// Accepts numbers from 0 to what an integer holds.
CLI::Validator whole_number();

/// Seconds since construction.
class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace manyone::cli
