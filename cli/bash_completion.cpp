// SPDX-License-Identifier: Apache-2.0
//
// The script has one `case` for what each command takes and one for what each option takes; the rest is fixed text.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/completion_scripts.hpp"

namespace manyone::cli {

namespace {

constexpr const char* kHead = R"(# bash completion for manyone, written by: manyone completion bash
# Sets for a value, or for the argument at a place: words, files, folders (yes or nothing), list (yes: with commas).
)";

constexpr const char* kTail = R"(
_manyone() {
  local cur=${COMP_WORDS[COMP_CWORD]} option= command= word
  local options= valued= words= files= folders= list= prefix=
  local -i i place=0
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ -z $command ]]; then
      [[ $word == -* ]] && continue
      command=$word
      _manyone_options "$command"
    elif [[ $word == -* ]]; then
      if [[ " $valued " == *" $word "* ]]; then
        [[ ${COMP_WORDS[i + 1]} == "=" ]] && i+=1  # bash cuts --option=value into three words
        i+=1
        ((i >= COMP_CWORD)) && option=$word
      fi
    else
      place+=1
    fi
  done
  [[ -n $option && $cur == "=" ]] && cur=
  if [[ -z $command ]]; then
    _manyone_options ""
    [[ $cur == -* ]] || options=$_manyone_commands
    words=$options
  elif [[ -n $option ]]; then
    _manyone_value "$command $option"
  elif [[ $cur == -* ]]; then
    words=$options
  else
    _manyone_value "$command $place"
  fi
  if [[ -n $list && $cur == *,* ]]; then
    prefix=${cur%,*},
    cur=${cur##*,}
  fi
  mapfile -t COMPREPLY < <(compgen -P "$prefix" -W "$words" -- "$cur")
  [[ -n $files$folders ]] || return 0
  compopt -o filenames 2>/dev/null
  local found
  mapfile -t found < <(if [[ -n $files ]]; then compgen -P "$prefix" -f -- "$cur"; else compgen -P "$prefix" -d -- "$cur"; fi)
  COMPREPLY+=("${found[@]}")
}

complete -F _manyone manyone
)";

/// Names of a command's options; only those that take a value, if asked.
std::string names_of(const CommandText& command, bool valued) {
  std::vector<std::string> names;
  for (const OptionText& option : command.options) {
    if (!valued || option.takes_value()) names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return fmt::format("{}", fmt::join(names, " "));
}

std::string options_function(const ToolText& tool) {
  std::string out = "_manyone_options() {\n  case $1 in\n";
  out += fmt::format("    '') options='{}' ;;\n", names_of(tool.tool, false));
  for (const CommandText& command : tool.commands) {
    out += fmt::format("    {}) options='{}' valued='{}' ;;\n", command.name, names_of(command, false),
                       names_of(command, true));
  }
  return out + "  esac\n}\n";
}

/// All places that take the same values.
struct Places {
  ValueWords values;
  std::vector<std::string> keys;  ///< "'fit --machine'", "'fit 0'", "'compare '*"
};

void add(std::vector<Places>& all, const ValueWords& values, std::string key) {
  if (values.words.empty() && !values.files && !values.folders) return;
  auto same = std::find_if(all.begin(), all.end(), [&](const Places& p) { return p.values == values; });
  if (same == all.end()) same = all.insert(all.end(), {values, {}});
  same->keys.push_back(std::move(key));
}

std::string value_function(const ToolText& tool) {
  std::vector<Places> options;
  std::vector<Places> arguments;  // behind the options: the key of a repeated one matches whatever is left
  for (const CommandText& command : tool.commands) {
    for (const OptionText& option : command.options) {
      for (const std::string& name : option.names) {
        add(options, option.values, fmt::format("'{} {}'", command.name, name));
      }
    }
    for (std::size_t k = 0; k < command.arguments.size(); ++k) {
      const OptionText& argument = command.arguments[k];
      add(arguments, argument.values,
          argument.repeated ? fmt::format("'{} '[0-9]*", command.name) : fmt::format("'{} {}'", command.name, k));
    }
  }
  std::string out = "_manyone_value() {\n  case $1 in\n";
  for (const auto* places : {&options, &arguments}) {
    for (const Places& place : *places) {
      out += fmt::format("    {})\n      words='{}'", fmt::join(place.keys, " | "), fmt::join(place.values.words, " "));
      if (place.values.files) out += " files=yes";
      if (place.values.folders) out += " folders=yes";
      if (place.values.list) out += " list=yes";
      out += " ;;\n";
    }
  }
  return out + "  esac\n}\n";
}

}  // namespace

std::string bash_completion(const ToolText& tool) {
  std::vector<std::string> names;
  for (const CommandText& command : tool.commands) names.push_back(command.name);
  return fmt::format("{}_manyone_commands='{}'\n\n{}\n{}{}", kHead, fmt::join(names, " "), options_function(tool),
                     value_function(tool), kTail);
}

}  // namespace manyone::cli
