// SPDX-License-Identifier: Apache-2.0
#include "model/parameters.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "base/worded.hpp"
#include "data/number_table.hpp"
#include "labelbook/codes.hpp"
#include "manyone/errors.hpp"

namespace manyone {

namespace {

/// What is wrong with a value of its own.
[[noreturn]] void refuse(const Parameter& parameter, const std::string& found) {
  throw ConfigError::must_be(std::string(parameter.name), expected_of(parameter), found, without(parameter));
}

/// What stands between the bars.
std::vector<std::string_view> alternatives(std::string_view takes) {
  std::vector<std::string_view> out;
  while (!takes.empty()) {
    const auto bar = takes.find('|');
    out.push_back(takes.substr(0, bar));
    takes = bar == std::string_view::npos ? std::string_view() : takes.substr(bar + 1);
  }
  return out;
}

/// Not the name of a file, even if there is one of that name.
bool is_known(const Parameter& parameter, std::string_view word) {
  const auto words = words_of(parameter);
  if (word.empty() || std::ranges::find(words, word) != words.end()) return true;
  if (parameter.takes_word("gaussian:S")) return word.starts_with("gaussian:");
  if (parameter.takes_word("INTEGER")) return parse_integer(word) || word.ends_with('%');
  if (!parameter.takes_word("LABELBOOK")) return false;
  return is_code(word) || std::ranges::find(labelbooks(), word, &LabelbookInfo::name) != labelbooks().end();
}

/// The ends of a range in words, "" for one without.
std::string text_of(const NumberRange& range) {
  const NumberRange none;
  if (range.above != none.above) return "above " + format_double(range.above);
  if (range.below != none.below) return fmt::format("from {} to less than {}", range.least, range.below);
  if (range.most != none.most) return fmt::format("{} to {}", range.least, range.most);
  return range.least == none.least ? "" : fmt::format("{} or more", range.least);
}

void require_taken(const Parameter& parameter, const ParameterValue& value) {
  const auto* number = std::get_if<double>(&value);
  const auto* count = std::get_if<std::int64_t>(&value);
  if (number != nullptr && !parameter.range.has(*number)) {
    refuse(parameter, format_double(*number));
  }
  if (count != nullptr && !parameter.range.has(static_cast<double>(*count))) {
    refuse(parameter, std::to_string(*count));
  }
  const auto* word = std::get_if<std::string>(&value);
  if (word != nullptr && parameter.closed && !parameter.takes_word(*word)) {
    refuse(parameter, fmt::format("'{}'", *word));
  }
}

/// Rows of a group stay together: in random folds, or with loo each group as a fold.
void keep_groups_together(FoldPlan& plan, bool counted) {
  if (plan.groups.empty()) return;
  const int groups = 1 + *std::max_element(plan.groups.begin(), plan.groups.end());
  if (plan.leave_one_out()) {
    std::swap(plan.given, plan.groups);
  } else if (!plan.given.empty()) {
    throw ConfigError("groups", "given folds say themselves which rows stay together", "leave `groups` out");
  } else if (counted && plan.count > groups) {
    throw ConfigError("folds", worded("`folds={}` needs as many groups, found {}", plan.count, groups),
                      "use fewer folds or loo");
  }
  plan.count = std::min(plan.count, groups);
}

}  // namespace

std::string_view name_of(ParameterType type) {
  switch (type) {
    case ParameterType::flag: return "flag";
    case ParameterType::count: return "count";
    case ParameterType::number: return "number";
    case ParameterType::text: return "text";
    case ParameterType::weights: return "weights";
    case ParameterType::ranges: return "ranges";
    case ParameterType::folds: return "folds";
    case ParameterType::groups: break;
  }
  return "groups";
}

bool NumberRange::has(double number) const {
  return std::isfinite(number) && number > above && number >= least && number <= most && number < below;
}

std::string without(const Parameter& parameter) {
  if (parameter.type == ParameterType::number && parameter.takes_word("auto")) return "leave it out to have it tuned";
  return parameter.standard.empty() ? "leave it out for what is usual"
                                    : fmt::format("leave it out for {}", parameter.standard);
}

bool Parameter::takes_word(std::string_view word) const {
  const auto all = alternatives(takes);
  return std::ranges::find(all, word) != all.end();
}

const Parameter* find_parameter(std::string_view name) {
  const auto all = parameters();
  const auto found = std::ranges::find(all, name, &Parameter::name);
  return found == all.end() ? nullptr : &*found;
}

std::vector<std::string_view> words_of(const Parameter& parameter) {
  std::vector<std::string_view> out = alternatives(parameter.takes);
  std::erase_if(out, [](std::string_view word) {
    return std::ranges::any_of(word, [](char c) { return c >= 'A' && c <= 'Z'; });
  });
  return out;
}

std::string expected_of(const Parameter& parameter, std::string_view quote) {
  const auto quoted = [&](std::string_view word) { return fmt::format("{0}{1}{0}", quote, word); };
  if (parameter.type == ParameterType::count) {
    const std::string ends = text_of(parameter.range);
    return ends.empty() ? "a whole number" : ends;
  }
  if (parameter.type == ParameterType::number) {
    const std::string ends = text_of(parameter.range);
    return "a number" + (ends.empty() ? "" : " " + ends) +
           (parameter.takes_word("auto") ? " or " + quoted("auto") : "");
  }
  const auto words = words_of(parameter);
  std::string out;
  for (std::size_t k = 0; k < words.size(); ++k) {
    out += (k == 0 ? "" : k + 1 == words.size() ? " or " : ", ") + quoted(words[k]);
  }
  return out;
}

ParameterValue value_from_word(const Parameter& parameter, const std::string& word, const MemoryBudget& memory) {
  if (parameter.type == ParameterType::number) {
    if (word == "auto" && parameter.takes_word(word)) return {};
    if (const auto number = parse_double(word)) return *number;
    refuse(parameter, fmt::format("'{}'", word));
  }
  if (parameter.type == ParameterType::count) {
    if (const auto count = parse_integer(word)) return *count;
    refuse(parameter, fmt::format("'{}'", word));
  }
  const bool for_numbers = parameter.type == ParameterType::text && parameter.dimensions > 0;
  if (!for_numbers || is_known(parameter, word) || !std::filesystem::exists(word)) return word;
  return NamedNumbers{word, read_number_table(word, memory)};
}

void check_ranges(const Recipe& recipe) {
  for (const Parameter& parameter : parameters()) {
    if (parameter.get != nullptr) require_taken(parameter, parameter.get(recipe));
  }
}

Recipe recipe_from_settings(std::span<const Setting> settings, Index rows) {
  Recipe out;
  out.folds.count = static_cast<int>(std::min<Index>(out.folds.count, rows));
  std::set<std::string_view> said;
  for (const Parameter& parameter : parameters()) {
    for (const Setting& setting : settings) {
      if (setting.parameter != &parameter || parameter.set == nullptr) continue;
      if (std::holds_alternative<std::monostate>(setting.value)) continue;
      require_taken(parameter, setting.value);
      parameter.set(out, setting.value, rows);
      said.insert(parameter.name);
    }
  }
  if (!out.tuned() && (said.contains("grid") || out.search != SearchKind::automatic)) {
    throw ConfigError("search", "all parameters are given, so there is nothing to search",
                      "leave `search` and `grid` out");
  }
  keep_groups_together(out.folds, said.contains("folds"));
  if (out.folds.stratified && (out.folds.count == 0 || !out.folds.given.empty())) {
    throw ConfigError("stratify", "`stratify` needs random folds", "leave it out with loo or given folds");
  }
  return out;
}

}  // namespace manyone
