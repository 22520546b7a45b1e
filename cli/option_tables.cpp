// SPDX-License-Identifier: Apache-2.0
#include "cli/option_tables.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace manyone::cli {

namespace {

/// A bar would end the cell, stars would be emphasis.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|' || c == '*') out += '\\';
    out += c;
  }
  return out;
}

/// With room between alternatives, where a browser may break the line.
std::string spaced(const std::string& value) {
  std::string out;
  for (const char c : value) out += c == '|' ? std::string(" | ") : std::string(1, c);
  return out;
}

std::string row(const OptionText& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.names) names.push_back("`" + name + "`");
  return fmt::format("| {} | {} | {} | {} |\n", fmt::join(names, ", "), cell(spaced(option.value)),
                     cell(option.standard), cell(option.text));
}

constexpr const char* kHead = "| option | takes | default | meaning |\n|---|---|---|---|\n";

/// Options of a group, each with the commands that have it.
struct Group {
  std::string name;
  std::vector<std::string> commands;
  std::vector<OptionText> options;
};

bool same(const OptionText& a, const OptionText& b) {
  return a.names == b.names && a.value == b.value && a.text == b.text && a.standard == b.standard;
}

/// The named groups that more than one command has; commands with fewer of a group's options are listed with it too.
std::vector<Group> shared_groups(const ToolText& tool) {
  std::vector<Group> groups;
  for (const CommandText& command : tool.commands) {
    for (const OptionText& option : command.options) {
      if (option.group.empty()) continue;
      auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.name == option.group; });
      if (group == groups.end()) group = groups.insert(groups.end(), {option.group, {}, {}});
      if (group->commands.empty() || group->commands.back() != command.name) group->commands.push_back(command.name);
      if (std::none_of(group->options.begin(), group->options.end(),
                       [&](const OptionText& o) { return same(o, option); }))
        group->options.push_back(option);
    }
  }
  std::erase_if(groups, [](const Group& group) { return group.commands.size() < 2; });
  return groups;
}

}  // namespace

std::string option_tables(const ToolText& tool) {
  std::string out;
  std::set<std::string> shared;
  for (const Group& group : shared_groups(tool)) {
    shared.insert(group.name);
    out += fmt::format("### {}\n\nOf {}.\n\n{}", group.name, fmt::join(group.commands, ", "), kHead);
    for (const OptionText& option : group.options) out += row(option);
    out += "\n";
  }
  for (const CommandText& command : tool.commands) {
    std::string rows;
    for (const std::vector<OptionText>* options : {&command.arguments, &command.options}) {
      for (const OptionText& option : *options) {
        if (!shared.contains(option.group) && option.names.back() != "--help") rows += row(option);
      }
    }
    if (!rows.empty()) {
      out += fmt::format("### manyone {}\n\n{}\n\n{}{}\n", command.name, sentence(command.summary), kHead, rows);
    }
  }
  return out;
}

}  // namespace manyone::cli
