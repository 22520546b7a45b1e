// SPDX-License-Identifier: Apache-2.0
#include "model/parameters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands.hpp"
#include "cli/listing.hpp"
#include "cli/printing.hpp"
#include "result/text_table.hpp"

namespace manyone::cli {

namespace {

/// "all", "all but msvr" or "onelsm, ls-ova": the shorter list.
std::string machines_of(const Parameter& parameter) {
  std::vector<std::string_view> with;
  std::vector<std::string_view> without;
  for (const MachineEntry& entry : machines()) {
    (parameter.of_machine == nullptr || parameter.of_machine(entry) ? with : without).push_back(entry.name);
  }
  if (without.empty()) return "all";
  return without.size() < with.size() ? fmt::format("all but {}", fmt::join(without, ", "))
                                      : fmt::format("{}", fmt::join(with, ", "));
}

std::string values_of(const Parameter& parameter) {
  if (!parameter.takes.empty()) return std::string(parameter.takes);
  return parameter.type == ParameterType::count ? "INTEGER" : parameter.type == ParameterType::number ? "NUMBER" : "";
}

Listing parameter_listing() {
  Listing out{{"name", "group", "type", "takes", "default", "machines", "text"}, {}};
  for (const Parameter& parameter : parameters()) {
    out.rows.push_back({std::string(parameter.name), std::string(parameter.group), std::string(name_of(parameter.type)),
                        values_of(parameter), std::string(parameter.standard), machines_of(parameter), parameter.text});
  }
  return out;
}

/// What a terminal has room for; the meanings are in the help of fit.
void print_parameters() {
  std::vector<std::vector<std::string>> rows;
  for (const auto& row : parameter_listing().rows) rows.push_back({row[0], row[3], row[4], row[5]});
  rows.insert(rows.begin(), {"name", "takes", "default", "machines"});
  print(stdout, text_table(rows));
}

}  // namespace

void add_parameters(Tool& app) {
  add_listing(app, "parameters", "The parameters of a fit, and which machines take them", "manyone parameters --json",
              parameter_listing, print_parameters);
}

}  // namespace manyone::cli
