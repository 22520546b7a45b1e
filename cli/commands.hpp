// SPDX-License-Identifier: Apache-2.0
//
// The subcommands, one file each. add_X() declares a subcommand and its options; its callback runs it. Failures are
// exceptions, turned into one line and an exit code by main().
#pragma once

#include <CLI/CLI.hpp>

namespace manyone::cli {

void add_fit(CLI::App& app);
void add_predict(CLI::App& app);
void add_evaluate(CLI::App& app);
void add_tune(CLI::App& app);
void add_compare(CLI::App& app);
void add_reproduce(CLI::App& app);
void add_inspect(CLI::App& app);
void add_machines(CLI::App& app);
void add_labelbooks(CLI::App& app);
void add_kernels(CLI::App& app);
void add_datasets(CLI::App& app);

}  // namespace manyone::cli
