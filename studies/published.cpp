// SPDX-License-Identifier: Apache-2.0
#include "studies/published.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/numbers.hpp"
#include "manyone/errors.hpp"

namespace manyone {

namespace {

using Json = nlohmann::ordered_json;

Protocol protocol_from_name(const std::string& name) {
  constexpr std::array<std::string_view, 9> names = {"gridmin", "times",    "figure", "validation", "codes",
                                                     "nested",  "settings", "stages", "lengths"};
  const auto place = std::find(names.begin(), names.end(), name);
  if (place == names.end()) throw InputError(fmt::format("published tables: unknown protocol '{}'", name));
  return static_cast<Protocol>(place - names.begin());
}

std::optional<double> read_accuracy(const Json& json, const char* key) {
  if (!json.contains(key)) return std::nullopt;
  const auto value = parse_double(json.at(key).get<std::string>());
  if (!value) throw InputError(fmt::format("published tables: {} of {} is not a number", key, json.at("name").dump()));
  return value;
}

PublishedSet read_set(const Json& json) {
  PublishedSet out;
  out.name = json.at("name");
  out.table = json.at("table");
  out.rows = json.at("rows");
  out.features = json.at("features");
  out.classes = json.at("classes");
  out.subset = json.value("subset", false);
  out.halve = json.value("halve", false);
  out.remark = json.value("remark", "");
  out.test = json.value("test", "");
  out.train = json.value("train", Index{0});
  out.nominal = json.value("nominal", false);
  out.limit = json.value("limit", Index{0});
  out.best = read_accuracy(json, "best");
  out.worst = read_accuracy(json, "worst");
  out.centres = json.value("centres", "");
  return out;
}

template <class Items>
std::size_t place_of(const Items& items, const std::string& name, const PublishedTable& table) {
  const auto place = std::find_if(items.begin(), items.end(), [&](const auto& item) { return item.name == name; });
  if (place == items.end()) throw InputError(fmt::format("{}: there is no {}", table.name, name));
  return static_cast<std::size_t>(place - items.begin());
}

/// `row` is a row or a pair; `name` is for messages.
template <class Row>
void add_doubts(const Json& json, const PublishedTable& table, const std::string& name, Row& row) {
  for (const auto& [set, keys] : json.items()) {
    auto& cell = row.cells[place_of(table.sets, set, table)];
    if (!cell) throw InputError(fmt::format("{}: doubt on an entry of {} that is not there", table.name, name));
    for (const std::string key : keys) {
      const auto known = [&](const auto& reason) { return reason.first == key; };
      if (std::none_of(table.reasons.begin(), table.reasons.end(), known)) {
        throw InputError(fmt::format("{}: doubt '{}' has no reason", table.name, key));
      }
      cell->doubts.push_back(key);
    }
  }
}

PublishedRow read_row(const Json& json, const PublishedTable& table) {
  PublishedRow out;
  out.name = json.at("name");
  out.machine = json.at("machine");
  out.labelbook = json.value("labelbook", "");
  out.bias = json.value("bias", false);
  out.own_choice = json.value("choice", "");
  out.decode = json.value("decode", "");
  for (const Json& cell : json.at("cells")) {
    out.cells.push_back(cell.is_null() ? std::nullopt : std::optional(parse_published_cell(cell, table.accuracy)));
  }
  for (const Json& setting : json.value("settings", Json::array())) {
    out.settings.push_back(setting.is_null() ? std::nullopt : std::optional(parse_published_setting(setting)));
  }
  if (!out.settings.empty() && out.settings.size() != table.sets.size()) {
    throw InputError(fmt::format("{}: row {} has {} settings for {} data sets", table.name, out.name,
                                 out.settings.size(), table.sets.size()));
  }
  if (out.cells.size() != table.sets.size()) {
    throw InputError(fmt::format("{}: row {} has {} cells for {} data sets", table.name, out.name, out.cells.size(),
                                 table.sets.size()));
  }
  if (json.contains("doubts")) add_doubts(json["doubts"], table, out.name, out);
  return out;
}

PublishedPair read_pair(const Json& json, const PublishedTable& table) {
  PublishedPair out;
  out.title = json.at("title");
  out.first = place_of(table.rows, json.at("first"), table);
  out.second = place_of(table.rows, json.at("second"), table);
  out.cells.resize(table.sets.size());
  for (const auto& [set, text] : json.at("cells").items())
    out.cells[place_of(table.sets, set, table)] = parse_published_pair(text);
  if (json.contains("doubts")) add_doubts(json["doubts"], table, out.title, out);
  return out;
}

PublishedTable read_table(const Json& json) {
  PublishedTable out;
  out.name = json.at("name");
  out.protocol = protocol_from_name(json.value("protocol", "gridmin"));
  out.accuracy = json.value("accuracy", false);
  out.title = json.at("title");
  out.source = json.at("source");
  for (const auto& [key, sentence] : json.at("reasons").items()) out.reasons.emplace_back(key, sentence);
  for (const Json& remark : json.at("remarks")) out.remarks.push_back(remark);
  for (const Json& set : json.at("datasets")) out.sets.push_back(read_set(set));
  for (const Json& row : json.at("rows")) out.rows.push_back(read_row(row, out));
  for (const Json& pair : json.value("pairs", Json::array())) out.pairs.push_back(read_pair(pair, out));
  return out;
}

/// Takes "open inner close" off the end of `text`; nothing when it does not end in `close`.
std::optional<std::string_view> take_bracket(std::string_view& text, char open, char close) {
  if (text.empty() || text.back() != close) return std::nullopt;
  const auto start = text.rfind(open);
  if (start == std::string_view::npos) return std::nullopt;
  const std::string_view inner = text.substr(start + 1, text.size() - start - 2);
  text = trim(text.substr(0, start));
  return inner;
}

}  // namespace

std::optional<double> parse_clock(std::string_view text) {
  double seconds = 0;
  for (int parts = 0; parts < 3; ++parts) {
    const auto colon = text.find(':');
    const auto value = parse_double(text.substr(0, colon));
    if (!value || !(*value >= 0)) return std::nullopt;
    seconds = 60 * seconds + *value;
    if (colon == std::string_view::npos) return seconds;
    text = text.substr(colon + 1);
  }
  return std::nullopt;
}

PublishedCell parse_published_cell(const std::string& text, bool accuracy) {
  PublishedCell out;
  out.text = text;
  std::string_view rest = text;
  bool whole = true;
  if (const auto times = take_bracket(rest, '(', ')')) {
    const auto semicolon = times->find(';');
    whole = (out.seconds = parse_clock(times->substr(0, semicolon))).has_value();
    if (semicolon != std::string_view::npos)
      whole = (out.test_seconds = parse_clock(trim(times->substr(semicolon + 1)))).has_value() && whole;
  }
  if (const auto range = take_bracket(rest, '[', ']')) {
    const auto comma = range->find(',');
    out.best = parse_double(range->substr(0, comma));
    if (comma != std::string_view::npos) out.worst = parse_double(trim(range->substr(comma + 1)));
    whole = whole && out.best && out.worst;
  }
  constexpr std::string_view sign = " +- ";
  if (const auto at = rest.find(sign); at != std::string_view::npos) {
    whole = (out.deviation = parse_double(rest.substr(at + sign.size()))).has_value() && whole;
    rest = rest.substr(0, at);
  }
  if (!rest.empty()) whole = (out.mean = parse_double(rest)).has_value() && whole;
  if (!whole || text.empty() || ((out.best || out.deviation) && !out.mean)) {
    throw InputError(fmt::format("expected an entry such as 2.80 +- 0.31 [2.00, 3.33] (1:42), found '{}'", text));
  }
  if (accuracy && out.mean) out.mean = 100 * (1 - *out.mean);
  if (accuracy && out.deviation) *out.deviation *= 100;
  return out;
}

PublishedSetting parse_published_setting(const std::string& text) {
  const auto space = text.find(' ');
  const auto cost = parse_double(std::string_view(text).substr(0, space));
  const auto gamma = space == std::string::npos ? std::nullopt : parse_double(std::string_view(text).substr(space + 1));
  if (!cost || !gamma || !(*cost > 0) || !(*gamma > 0))
    throw InputError(fmt::format("expected a cost and a gamma such as 17413 0.0458, found '{}'", text));
  return {*cost, *gamma};
}

PublishedPairCell parse_published_pair(const std::string& text) {
  PublishedPairCell out;
  out.text = text;
  const std::array<double*, 6> parts = {&out.first, &out.second, &out.difference, &out.agreement, &out.low, &out.high};
  constexpr std::array<std::string_view, 6> ends = {" ", " ", " ", " [", ", ", "]"};
  std::string_view rest = text;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const auto end = rest.find(ends[k]);
    const auto value = end == std::string_view::npos ? std::nullopt : parse_double(rest.substr(0, end));
    if (!value) {
      throw InputError(
          fmt::format("expected an entry such as 6.38 5.85 0.530 0.971 [-0.008, 0.019], found '{}'", text));
    }
    *parts[k] = *value;
    rest = rest.substr(end + ends[k].size());
  }
  if (!rest.empty()) throw InputError(fmt::format("'{}' goes on after its interval", text));
  return out;
}

std::vector<PublishedTable> parse_published(std::string_view text) {
  try {
    std::vector<PublishedTable> out;
    const Json json = Json::parse(text);
    for (const Json& table : json.at("tables")) out.push_back(read_table(table));
    return out;
  } catch (const Json::exception& error) {
    throw InputError(fmt::format("published tables: {}", error.what()));
  }
}

const std::vector<PublishedTable>& published_tables() {
  static const std::vector<PublishedTable> tables = parse_published(published_text());
  return tables;
}

const PublishedTable& published_table(std::string_view name) {
  std::vector<std::string> names;
  for (const PublishedTable& table : published_tables()) {
    if (table.name == name) return table;
    names.push_back(table.name);
  }
  const auto nearest = nearest_word(name, names);
  throw ConfigError(fmt::format("table '{}' is not known{}; tables are {}", name,
                                nearest ? fmt::format(" (did you mean '{}'?)", *nearest) : "", fmt::join(names, ", ")));
}

}  // namespace manyone
