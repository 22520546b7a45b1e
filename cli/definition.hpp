// SPDX-License-Identifier: Apache-2.0
//
// The command line as a value: what every command and option is called, takes and means, read from the CLI11 objects
// that parse it. Man pages, completions and the tables of docs/parameters.md are written from it, so none of them can
// differ from what the tool takes.
//
// What an option takes is its type name, alternatives between bars: words in small letters stand for themselves, words
// in capitals for a kind of value. MACHINE, LABELBOOK and KERNEL are the names that the library lists, FILE and FOLDER
// are completed from the disk, other kinds (NUMBER, COLUMN) tell the reader only. CLI11's sets of words count as words.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace manyone::cli {

/// What may be typed for a value.
struct ValueWords {
  std::vector<std::string> words;
  bool files = false;
  bool folders = false;
  bool list = false;  ///< several, with commas between them

  bool operator==(const ValueWords&) const = default;
};

/// Of what an option takes.
ValueWords value_words(const std::string& value);

struct OptionText {
  std::vector<std::string> names;  ///< "-o", "--output"; of an argument its place, "DATA"
  std::string value;               ///< "auto|NUMBER"; empty: a flag
  std::string text;
  std::string standard;  ///< the value without the option; empty: none, or the text tells
  std::string group;     ///< "Machine"; empty: of the command itself
  bool required = false;
  bool repeated = false;
  ValueWords values;

  bool takes_value() const { return !value.empty(); }
};

struct CommandText {
  std::string name;
  std::string summary;
  std::vector<std::string> notes;     ///< paragraphs
  std::vector<std::string> examples;  ///< command lines
  std::vector<OptionText> arguments;
  std::vector<OptionText> options;
};

struct ToolText {
  CommandText tool;
  std::vector<CommandText> commands;
};

/// One option. Not const: CLI11 notes the standard value on the way.
OptionText describe(CLI::Option& option);

/// The whole program. Not const: CLI11 notes the standard values on the way.
ToolText describe(CLI::App& tool);

/// The groups of a command's options in the order of their declaration; "" first.
std::vector<std::string> option_groups(const CommandText& command);

/// With a full stop, unless it ends in some other sign.
std::string sentence(const std::string& text);

}  // namespace manyone::cli
