// SPDX-License-Identifier: Apache-2.0
#include "manyone/report/published.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "manyone/base/errors.hpp"
#include "manyone/base/numbers.hpp"

namespace manyone {

namespace {

using Json = nlohmann::ordered_json;

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
  return out;
}

void add_doubts(const Json& json, const PublishedTable& table, PublishedRow& row) {
  for (const auto& [set, keys] : json.items()) {
    const auto place = std::find_if(table.sets.begin(), table.sets.end(), [&](const auto& s) { return s.name == set; });
    if (place == table.sets.end()) throw InputError(fmt::format("{}: doubt on unknown set {}", table.name, set));
    auto& cell = row.cells[static_cast<std::size_t>(place - table.sets.begin())];
    if (!cell) throw InputError(fmt::format("{}: doubt on an entry of {} that is not there", table.name, row.name));
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
  for (const Json& cell : json.at("cells")) {
    out.cells.push_back(cell.is_null() ? std::nullopt : std::optional(parse_published_cell(cell)));
  }
  if (out.cells.size() != table.sets.size()) {
    throw InputError(fmt::format("{}: row {} has {} cells for {} data sets", table.name, out.name, out.cells.size(),
                                 table.sets.size()));
  }
  if (json.contains("doubts")) add_doubts(json["doubts"], table, out);
  return out;
}

PublishedTable read_table(const Json& json) {
  PublishedTable out;
  out.name = json.at("name");
  out.title = json.at("title");
  out.source = json.at("source");
  for (const auto& [key, sentence] : json.at("reasons").items()) out.reasons.emplace_back(key, sentence);
  for (const Json& remark : json.at("remarks")) out.remarks.push_back(remark);
  for (const Json& set : json.at("datasets")) out.sets.push_back(read_set(set));
  for (const Json& row : json.at("rows")) out.rows.push_back(read_row(row, out));
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

PublishedCell parse_published_cell(const std::string& text) {
  PublishedCell out;
  out.text = text;
  std::string_view rest = text;
  bool whole = true;
  if (const auto time = take_bracket(rest, '(', ')')) whole = (out.seconds = parse_clock(*time)).has_value();
  if (const auto range = take_bracket(rest, '[', ']')) {
    const auto comma = range->find(',');
    out.best = parse_double(range->substr(0, comma));
    if (comma != std::string_view::npos) out.worst = parse_double(trim(range->substr(comma + 1)));
    whole = whole && out.best && out.worst;
  }
  if (!rest.empty()) whole = (out.mean = parse_double(rest)).has_value() && whole;
  if (!whole || text.empty() || (out.best && !out.mean)) {
    throw InputError(fmt::format("expected an entry such as 2.80 [2.00, 3.33] (1:42), found '{}'", text));
  }
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
