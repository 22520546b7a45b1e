// SPDX-License-Identifier: Apache-2.0
#include "cli/definition.hpp"

#include <algorithm>
#include <sstream>

#include "base/names.hpp"
#include "kernel/kernel.hpp"
#include "labelbook/codes.hpp"
#include "labelbook/labelbook.hpp"
#include "machine/registry.hpp"

namespace manyone::cli {

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

/// CLI11's "TEXT:{a,b}" as "a|b", "INT:INT in [0 - 9]" as "INTEGER"; our own type names as they are.
std::string value_text(const std::string& type) {
  if (const auto set = type.find(":{"); set != std::string::npos) {
    std::string words = type.substr(set + 2, type.rfind('}') - set - 2);
    std::replace(words.begin(), words.end(), ',', '|');
    return words;
  }
  for (const auto& [theirs, ours] :
       {std::pair{"INT", "INTEGER"}, {"UINT", "INTEGER"}, {"FLOAT", "NUMBER"}, {"TEXT", "TEXT"}}) {
    if (type == theirs || type.starts_with(std::string(theirs) + ":")) return ours;
  }
  return type;
}

template <class Infos>
void append_names(std::vector<std::string>& words, const Infos& infos) {
  for (const auto& info : infos) words.emplace_back(name_in(info));
}

}  // namespace

ValueWords value_words(const std::string& value) {
  ValueWords out;
  for (const std::string& part : split(value, '|')) {
    if (part == "FILE" || part == "TEXT") {
      out.files = true;
    } else if (part == "FOLDER") {
      out.folders = true;
    } else if (part == "MACHINE") {
      append_names(out.words, machines());
    } else if (part == "KERNEL") {
      append_names(out.words, kernels());
    } else if (part == "LABELBOOK") {
      append_names(out.words, labelbooks());
      append_names(out.words, codes());
    } else if (std::none_of(part.begin(), part.end(), [](char c) { return c >= 'A' && c <= 'Z'; })) {
      out.words.push_back(part);
    }
  }
  return out;
}

OptionText describe(CLI::Option& option) {
  OptionText out;
  if (option.get_positional()) {
    out.names = {option.get_name(true, false)};
  } else {
    for (const std::string& name : option.get_snames()) out.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) out.names.push_back("--" + name);
  }
  out.text = option.get_description();
  out.group = option.get_group() == "Options" ? "" : option.get_group();
  out.required = option.get_required();
  if (option.get_items_expected_max() == 0) return out;  // a flag
  out.value = value_text(option.get_type_name());
  out.repeated = option.get_expected_max() == CLI::detail::expected_max_vector_size && option.get_delimiter() == '\0';
  out.values = value_words(out.value);
  out.values.list = option.get_delimiter() == ',';
  option.capture_default_str();
  const std::string standard = option.get_default_str();
  if (standard != "[]" && standard != "{}") out.standard = standard;
  return out;
}

namespace {

/// A footer is a list of paragraphs; indented lines are examples.
void read_footer(const std::string& footer, CommandText& out) {
  for (const std::string& line : split(footer, '\n')) {
    if (line.starts_with("  ")) {
      out.examples.push_back(line.substr(2));
    } else if (!line.empty() && line != "Example:") {
      out.notes.push_back(line);
    }
  }
}

CommandText describe_command(CLI::App& app) {
  CommandText out;
  out.name = app.get_name();
  out.summary = app.get_description();
  read_footer(app.get_footer(), out);
  for (CLI::Option* option : app.get_options([](CLI::Option* o) { return !o->get_group().empty(); })) {
    (option->get_positional() ? out.arguments : out.options).push_back(describe(*option));
  }
  return out;
}

}  // namespace

ToolText describe(CLI::App& tool) {
  ToolText out;
  out.tool = describe_command(tool);
  for (CLI::App* command : tool.get_subcommands([](CLI::App*) { return true; })) {
    out.commands.push_back(describe_command(*command));
  }
  return out;
}

std::vector<std::string> option_groups(const CommandText& command) {
  std::vector<std::string> groups = {""};
  for (const OptionText& option : command.options) {
    if (std::find(groups.begin(), groups.end(), option.group) == groups.end()) groups.push_back(option.group);
  }
  return groups;
}

std::string sentence(const std::string& text) {
  return text.empty() || std::string_view(".?!").find(text.back()) != std::string_view::npos ? text : text + ".";
}

}  // namespace manyone::cli
