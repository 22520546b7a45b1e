// SPDX-License-Identifier: Apache-2.0
//
// The subcommands, one file each. add_X() declares a subcommand and its options; its callback runs it. Failures are
// exceptions, turned into one line and an exit code by main().
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace manyone::cli {

/// The program, and the line it was called with.
struct Tool : CLI::App {
  using CLI::App::App;
  /// The files that the command line names are checked before the command runs.
  void pre_callback() override;
  std::string command;
  std::vector<std::string> words;  ///< the same, one by one
};

void add_fit(Tool& app);
void add_predict(Tool& app);
void add_evaluate(Tool& app);
void add_tune(Tool& app);
void add_compare(Tool& app);
void add_report(Tool& app);
void add_studies(Tool& app);
void add_inspect(Tool& app);
void add_export(Tool& app);
void add_import(Tool& app);
void add_convert(Tool& app);
void add_machines(Tool& app);
void add_labelbooks(Tool& app);
void add_kernels(Tool& app);
void add_parameters(Tool& app);
void add_datasets(Tool& app);
void add_completion(Tool& app);
void add_manual(Tool& app);

}  // namespace manyone::cli
