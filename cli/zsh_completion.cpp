// SPDX-License-Identifier: Apache-2.0
//
// One function for each command, in the words of zsh's _arguments, and one that chooses between them.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/completion_scripts.hpp"

namespace manyone::cli {

namespace {

/// Inside single quotes of the shell, in a part of a specification that brackets and colons would end.
std::string quoted(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
      continue;
    }
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

/// Writes the functions of the commands; values that are words or files get a function of their own on the way, since
/// _arguments has no words for that.
class ScriptWriter {
 public:
  std::string text() const { return alternatives_text_ + commands_; }

  void add_command(const std::string& function, const CommandText& command) {
    commands_ += fmt::format("{}() {{\n  _arguments -S", function);
    for (const OptionText& option : command.options) commands_ += " \\\n" + option_line(option);
    for (const OptionText& argument : command.arguments) {
      commands_ += fmt::format(" \\\n    '{}:{}:{}'", argument.repeated ? "*" : "", quoted(argument.names.front()),
                               action(argument.values));
    }
    commands_ += "\n}\n\n";
  }

 private:
  /// How zsh finds the values.
  std::string action(const ValueWords& values) {
    const std::string words = fmt::format("{}", fmt::join(values.words, " "));
    const std::string from_disk = values.files ? "_files" : values.folders ? "_files -/" : "";
    if (values.list && !words.empty()) return fmt::format("_sequence compadd - {}", words);
    if (words.empty()) return from_disk.empty() ? " " : from_disk;
    if (from_disk.empty()) return fmt::format("({})", words);
    auto known = std::find(alternatives_.begin(), alternatives_.end(), values);
    const auto number = known - alternatives_.begin();
    std::string function = fmt::format("_manyone_values_{}", number + 1);
    if (known == alternatives_.end()) {
      alternatives_.push_back(values);
      alternatives_text_ +=
          fmt::format("{}() {{\n  _alternative 'words:word:({})' 'files:file:{}'\n}}\n\n", function, words, from_disk);
    }
    return function;
  }

  /// '(-o --output)'{-o+,--output=}'[text]:FILE:_files' for an option with two names.
  std::string option_line(const OptionText& option) {
    std::string rest = fmt::format("[{}]", quoted(option.text));
    if (option.takes_value()) rest += fmt::format(":{}:{}", quoted(option.value), action(option.values));
    std::vector<std::string> names;
    for (const std::string& name : option.names) {
      names.push_back(name + (!option.takes_value() ? "" : name.starts_with("--") ? "=" : "+"));
    }
    if (names.size() == 1) return fmt::format("    '{}{}{}'", option.repeated ? "*" : "", names.front(), rest);
    return fmt::format("    '({})'{{{}}}'{}'", fmt::join(option.names, " "), fmt::join(names, ","), rest);
  }

  std::vector<ValueWords> alternatives_;
  std::string alternatives_text_;
  std::string commands_;
};

constexpr const char* kTail = R"(_manyone() {
  if (( CURRENT == 2 )); then
    if [[ $PREFIX == -* ]]; then
      _manyone_tool
    else
      _describe -t commands command _manyone_commands
    fi
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  (( $+functions[_manyone_command_$command] )) && _manyone_command_$command
}

# Called by the completion system, or read into a shell.
if [[ $funcstack[1] == _manyone ]]; then
  _manyone "$@"
else
  compdef _manyone manyone
fi
)";

}  // namespace

std::string zsh_completion(const ToolText& tool) {
  std::string out = "#compdef manyone\n# zsh completion for manyone, written by: manyone completion zsh\n\n";
  out += "typeset -ga _manyone_commands\n_manyone_commands=(\n";
  for (const CommandText& command : tool.commands) {
    out += fmt::format("  '{}:{}'\n", command.name, quoted(command.summary));
  }
  ScriptWriter writer;
  writer.add_command("_manyone_tool", tool.tool);
  for (const CommandText& command : tool.commands) writer.add_command("_manyone_command_" + command.name, command);
  return out + ")\n\n" + writer.text() + kTail;
}

}  // namespace manyone::cli
