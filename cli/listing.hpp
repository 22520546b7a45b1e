// SPDX-License-Identifier: Apache-2.0
//
// A subcommand that prints a list: a table for people, an array of objects with --json.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace manyone::cli {

struct Listing {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

void print_listing(const Listing& listing, bool json);

/// Declares `name` with its help, an example and --json. `print`: a text of its own instead of a table.
CLI::App* add_listing(CLI::App& app, const std::string& name, const std::string& help, const std::string& example,
                      const std::function<Listing()>& make, const std::function<void()>& print = {});

}  // namespace manyone::cli
