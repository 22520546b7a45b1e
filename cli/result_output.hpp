// SPDX-License-Identifier: Apache-2.0
//
// Where a result goes: standard output with --json, a page with --report.
#pragma once

#include <string>

#include "cli/commands.hpp"
#include "cli/options.hpp"

namespace manyone::cli {

struct ResultOutput {
  std::string kind;     ///< "fit", "tune", …
  std::string command;  ///< the line that gave the result
  std::string report;   ///< page to write; empty: none
  bool figures = false;

  /// Adds --report, and --figures where the command can make them.
  void declare(CLI::App& sub, const Tool& tool, bool makes_figures);
  /// Whether write() does anything.
  bool wanted(const RunOptions& run) const { return run.json || !report.empty(); }
  bool wants_figures() const { return figures || !report.empty(); }
  /// A page that cannot be made, or figures that go nowhere, should be known before the work.
  void check(const RunOptions& run) const;
  /// Prints the document with --json and writes the page, if one is wanted.
  void write(const Program& program, const RunOptions& run, const Json& result) const;
};

/// The page of a result, as a whole or not at all.
void write_page(const std::string& path, const Json& result, const std::string& source);

}  // namespace manyone::cli
