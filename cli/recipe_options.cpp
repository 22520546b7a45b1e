// SPDX-License-Identifier: Apache-2.0
#include "cli/recipe_options.hpp"

#include <algorithm>
#include <filesystem>
#include <type_traits>

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "cli/definition.hpp"
#include "cli/named_files.hpp"
#include "cli/options.hpp"
#include "data/number_table.hpp"
#include "manyone/errors.hpp"

namespace manyone::cli {

namespace {

std::string option_name(const Parameter& parameter) {
  std::string out = "--" + std::string(parameter.name);
  std::replace(out.begin(), out.end(), '_', '-');
  return out;
}

/// "sigma=-4:4,ridge=-4:4:0.5"
std::vector<GridAxis> grid_axes(const std::string& text) {
  std::vector<GridAxis> axes;
  std::string_view rest = text;
  while (!rest.empty()) {
    const auto comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    const auto equals = part.find('=');
    const std::string_view name = part.substr(0, equals);
    std::vector<double> numbers;
    std::string_view values = equals == std::string_view::npos ? std::string_view() : part.substr(equals + 1);
    while (true) {
      const auto colon = values.find(':');
      const auto value = parse_double(values.substr(0, colon));
      if (!value)
        throw ConfigError(
            fmt::format("--grid {}: expected low:high or low:high:step in powers of two, found '{}'", name, part));
      numbers.push_back(*value);
      if (colon == std::string_view::npos) break;
      values = values.substr(colon + 1);
    }
    if (numbers.size() == 1) numbers.push_back(numbers[0]);
    if (numbers.size() > 3) throw ConfigError(fmt::format("--grid {}: expected low:high or low:high:step", name));
    axes.push_back({std::string(name), {numbers[0], numbers[1], numbers.size() == 3 ? numbers[2] : 1}});
  }
  return axes;
}

/// Side files have a line per row of the table; rows that were dropped for missing values are dropped here too.
template <class T>
std::vector<T> of_kept_rows(std::vector<T> values, const Dataset* whole, const std::string& path) {
  if (whole == nullptr) {
    throw ConfigError(
        fmt::format("{} has a line for each row, which a table that is streamed does not take; leave it "
                    "out, or leave --stream out",
                    path));
  }
  const Dataset& data = *whole;
  const auto file_rows = static_cast<std::size_t>(data.rows() + data.dropped);
  if (values.size() != file_rows) {
    throw InputError(Place{path}, fmt::format("expected {} lines, one per row of {}, found {}", file_rows, data.source,
                                              values.size()));
  }
  if (data.dropped == 0) return values;
  std::vector<T> kept;
  for (const Index row : data.kept) kept.push_back(std::move(values[static_cast<std::size_t>(row)]));
  return kept;
}

/// The table that an option is about, and what may be used to read files beside it.
struct Door {
  const RowSource& table;
  const MemoryBudget& memory;
};

ParameterValue weights_from(const std::string& word, const Parameter& parameter, const Door& door) {
  const auto words = value_words(std::string(parameter.takes)).words;
  if (std::ranges::find(words, word) != words.end()) return word;
  if (!std::filesystem::exists(word)) {
    throw ConfigError(fmt::format("--weights must be uniform, balanced or a file, found '{}'", word));
  }
  const Matrix numbers = read_number_table(word, door.memory);
  if (numbers.cols() != 1)
    throw InputError(Place{word, 1, 2}, fmt::format("expected one weight a line, found {}", numbers.cols()));
  const auto kept =
      of_kept_rows(std::vector<double>(numbers.data(), numbers.data() + numbers.size()), door.table.whole(), word);
  return NamedNumbers{word, Eigen::Map<const Vector>(kept.data(), static_cast<Index>(kept.size()))};
}

ParameterValue folds_from(const std::string& word, const Door& door) {
  if (word == "loo") return word;
  if (const auto count = parse_integer(word)) return *count;
  if (word.starts_with(kFoldColumn)) return folds_from_text(door.table.folds(), door.table.name());
  if (!std::filesystem::exists(word)) {
    throw ConfigError(fmt::format("--folds must be a number, loo, column:NAME or a file, found '{}'", word));
  }
  return folds_from_text(of_kept_rows(read_lines(word, door.memory), door.table.whole(), word), word);
}

ParameterValue value_from(const std::string& word, const Parameter& parameter, const Door& door) {
  if (word == parameter.standard) return {};
  switch (parameter.type) {
    case ParameterType::weights: return weights_from(word, parameter, door);
    case ParameterType::folds: return folds_from(word, door);
    case ParameterType::groups: return folds_from_text(door.table.folds(), door.table.name());
    case ParameterType::ranges: return grid_axes(word);
    default: break;
  }
  return value_from_word(parameter, word, door.memory);
}

/// What CG or a factorisation does with --accuracy depends on the number of rows.
void check_accuracy(const Recipe& recipe, Index rows) {
  if (!recipe.solver.accuracy) return;
  if (recipe.solver.kind == SolverKind::direct) {
    throw ConfigError("--accuracy goes with --solver cg; a factorisation is exact");
  }
  if (recipe.entry().chooses_solver && !recipe.solver.iterative(rows)) {
    throw ConfigError(
        fmt::format("--accuracy goes with conjugate gradients, and {} rows are solved exactly; leave it out, or add "
                    "--solver cg",
                    rows));
  }
}

}  // namespace

RecipeOptions::RecipeOptions() {
  for (const Parameter& parameter : parameters()) {
    Option& option = options_.emplace_back(Option{&parameter, std::string(parameter.standard)});
    const bool open = parameter.standard.empty();
    if (parameter.type == ParameterType::flag) {
      option.typed = false;
    } else if (parameter.type == ParameterType::count && open) {
      option.typed = std::optional<int>();
    } else if (parameter.type == ParameterType::count) {
      option.typed = parse_integer(parameter.standard).value_or(0);
    } else if (parameter.type == ParameterType::number && open) {
      option.typed = std::optional<double>();
    }
  }
}

const RecipeOptions::Option& RecipeOptions::option(std::string_view parameter) const {
  return *std::ranges::find(options_, find_parameter(parameter), &Option::parameter);
}

const std::string& RecipeOptions::word(std::string_view parameter) const {
  return std::get<std::string>(option(parameter).typed);
}

void RecipeOptions::set_word(std::string_view parameter, std::string_view word) {
  std::ranges::find(options_, find_parameter(parameter), &Option::parameter)->typed = std::string(word);
}

bool RecipeOptions::flag(std::string_view parameter) const { return std::get<bool>(option(parameter).typed); }

std::int64_t RecipeOptions::count(std::string_view parameter) const {
  return std::get<std::int64_t>(option(parameter).typed);
}

std::string RecipeOptions::fold_column() const {
  const std::string& folds = word("folds");
  if (!folds.starts_with(kFoldColumn)) return word("groups");
  if (!word("groups").empty()) throw ConfigError("--folds column:NAME makes a fold of every group; leave --groups out");
  return folds.substr(kFoldColumn.size());
}

void RecipeOptions::refuse_what_searches_have(Observer& observer) const {
  const char* found = !word("resume").empty() ? "--resume"
                      : count("repeats") != 1 ? "--repeats"
                      : flag("stratify")      ? "--stratify"
                                              : nullptr;
  if (found != nullptr) {
    throw ConfigError(fmt::format(
        "all parameters are given, so there is nothing to search; leave {} out, or add --nested for an estimate",
        found));
  }
  if (word("folds") == "loo" || parse_integer(word("folds")))
    observer.note("all parameters are given, so nothing is searched and --folds not used; --nested gives an estimate");
}

void RecipeOptions::declare(CLI::App& command) {
  for (Option& own : options_) {
    const Parameter& parameter = *own.parameter;
    const std::string name = option_name(parameter);
    CLI::Option* option = std::visit(
        [&](auto& typed) {
          if constexpr (std::is_same_v<decltype(typed), bool&>) {
            return command.add_flag(name, typed, parameter.text);
          } else {
            return command.add_option(name, typed, parameter.text);
          }
        },
        own.typed);
    option->group(std::string(parameter.group));
    if (parameter.closed) {
      option->check(CLI::IsMember(value_words(std::string(parameter.takes)).words));
    } else if (!parameter.takes.empty()) {
      option->type_name(std::string(parameter.takes));
    }
    if (parameter.type == ParameterType::count && parameter.range.least == 0) option->check(whole_number());
    if (parameter.writes_file) writes_file(option);
    for (const Parameter& other : parameters()) {  // of several words for one thing one is said
      if (&other == &parameter) break;
      const bool same = other.name == parameter.stands_for || other.stands_for == parameter.stands_for;
      if (same && !parameter.stands_for.empty()) option->excludes(command.get_option(option_name(other)));
    }
  }
}

Plan RecipeOptions::plan(const Execution& execution, const RowSource& table) const {
  return resolve(execution, recipe(execution, table), table, {flag("nested"), word("resume")});
}

Recipe RecipeOptions::recipe(const Execution& execution, const RowSource& table) const {
  const Door door{table, execution.memory};
  std::vector<Setting> settings;
  for (const Option& option : options_) {
    Setting& setting = settings.emplace_back(Setting{option.parameter, {}});
    if (const auto* word = std::get_if<std::string>(&option.typed)) {
      setting.value = value_from(*word, *option.parameter, door);
    } else if (const auto* flag = std::get_if<bool>(&option.typed)) {
      setting.value = *flag;
    } else if (const auto* count = std::get_if<std::int64_t>(&option.typed)) {
      setting.value = *count;
    } else if (const auto* whole = std::get_if<std::optional<int>>(&option.typed)) {
      if (*whole) setting.value = std::int64_t{**whole};
    } else if (const auto number = std::get<std::optional<double>>(option.typed)) {
      setting.value = *number;
    }
  }
  Recipe out = recipe_from_settings(settings, table.rows());
  check_accuracy(out, table.rows());
  return out;
}

}  // namespace manyone::cli
