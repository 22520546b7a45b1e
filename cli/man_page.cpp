// SPDX-License-Identifier: Apache-2.0
#include "cli/man_page.hpp"

#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace manyone::cli {

namespace {

/// Text that troff prints as it is: a hyphen is a minus, so that options can be copied, and no line is a request.
std::string plain(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

std::string bold(const std::string& text) { return "\\fB" + plain(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + plain(text) + "\\fR"; }

std::string capitals(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string page_head(const std::string& name, const std::string& summary, const std::string& version) {
  return fmt::format(".TH {} 1 \"\" \"manyone {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n", plain(capitals(name)),
                     version, plain(name), plain(summary));
}

std::string option_entry(const OptionText& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.names) names.push_back(bold(name));
  std::string out = fmt::format(".TP\n{}{}\n{}", fmt::join(names, ", "),
                                option.takes_value() ? " " + italic(option.value) : "", plain(option.text));
  if (!option.standard.empty()) out += fmt::format(" [{}]", plain(option.standard));
  if (option.values.list) out += " (a list, with commas)";
  return out + "\n";
}

std::string argument_entry(const OptionText& argument) {
  return fmt::format(".TP\n{}{}\n{}\n", italic(argument.names.front()), argument.repeated ? " ..." : "",
                     plain(argument.text));
}

std::string synopsis(const CommandText& command) {
  std::string out = fmt::format(".SH SYNOPSIS\n{}", bold("manyone " + command.name));
  for (const OptionText& argument : command.arguments) {
    const std::string name = italic(argument.names.front()) + (argument.repeated ? " ..." : "");
    out += argument.required ? " " + name : " [" + name + "]";
  }
  for (const OptionText& option : command.options) {
    if (option.required) out += " " + bold(option.names.back()) + " " + italic(option.value);
  }
  return out + " [" + italic("OPTIONS") + "]\n";
}

std::string options_section(const CommandText& command) {
  std::string out = ".SH OPTIONS\n";
  for (const std::string& group : option_groups(command)) {
    if (!group.empty()) out += fmt::format(".SS {}\n", plain(group));
    for (const OptionText& option : command.options) {
      if (option.group == group) out += option_entry(option);
    }
  }
  return out;
}

std::string examples_section(const CommandText& command) {
  if (command.examples.empty()) return "";
  std::string out = ".SH EXAMPLES\n.nf\n";
  for (const std::string& line : command.examples) out += plain(line) + "\n";
  return out + ".fi\n";
}

std::string exit_section() {
  std::string out = ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : {std::pair{"0", "Done."},
                                      {"2", "Wrong usage or parameter."},
                                      {"3", "Bad input data or model file."},
                                      {"4", "A library failed."},
                                      {"5", "Would not fit in memory."},
                                      {"130", "Interrupted."}}) {
    out += fmt::format(".TP\n{}\n{}\n", bold(code), meaning);
  }
  return out;
}

std::string environment_section() {
  std::string out = ".SH ENVIRONMENT\n";
  for (const auto& [name, meaning] :
       {std::pair{"MANYONE_DATA", "A folder with tables that datasets, reproduce and others find by name."},
        {"MANYONE_NODE", "The program that draws figures, in place of node on the PATH."},
        {"XDG_CACHE_HOME", "Its folder manyone holds more tables; without it, that of ~/.cache."},
        {"NO_COLOR", "If it is set, nothing is coloured."}}) {
    out += fmt::format(".TP\n{}\n{}\n", bold(name), plain(meaning));
  }
  return out;
}

std::string see_also(const ToolText& tool, const std::string& self) {
  std::vector<std::string> pages;
  if (self != tool.tool.name) pages.push_back(bold("manyone") + "(1)");
  for (const CommandText& command : tool.commands) {
    if (command.name != self) pages.push_back(bold("manyone-" + command.name) + "(1)");
  }
  return fmt::format(".SH SEE ALSO\n{}\n", fmt::join(pages, ",\n"));
}

}  // namespace

std::string tool_page(const ToolText& tool, const std::string& version) {
  std::string out = page_head("manyone", "multiclass kernel classification", version);
  out += fmt::format(".SH SYNOPSIS\n{} {} [{} ...]\n.br\n{} {} {}\n", bold("manyone"), italic("COMMAND"),
                     italic("ARGUMENT"), bold("manyone"), italic("COMMAND"), bold("--help"));
  out += ".SH DESCRIPTION\n" + plain(tool.tool.summary) + "\n.SH COMMANDS\n";
  for (const CommandText& command : tool.commands) {
    out += fmt::format(".TP\n{}\n{}\n", bold(command.name), plain(command.summary));
  }
  return out + options_section(tool.tool) + examples_section(tool.tool) + exit_section() + environment_section() +
         see_also(tool, tool.tool.name);
}

std::string command_page(const ToolText& tool, const CommandText& command, const std::string& version) {
  std::string out = page_head("manyone-" + command.name, command.summary, version) + synopsis(command);
  out += ".SH DESCRIPTION\n" + plain(sentence(command.summary)) + "\n";
  for (const std::string& note : command.notes) out += ".PP\n" + plain(note) + "\n";
  for (const OptionText& argument : command.arguments) out += argument_entry(argument);
  return out + options_section(command) + examples_section(command) + exit_section() + see_also(tool, command.name);
}

}  // namespace manyone::cli
