// SPDX-License-Identifier: Apache-2.0
#include "selection/journal.hpp"

#include <bit>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_text.hpp"
#include "base/numbers.hpp"
#include "manyone/errors.hpp"

namespace manyone {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFormat = "manyone journal";
constexpr int kVersion = 1;
constexpr std::uint64_t kMostUnfinished = 1'000'000'000;  // programs behind one cell

std::string line_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n'; }

std::string hex(std::uint64_t value) { return fmt::format("{:016x}", value); }

std::string header_line(const JournalHeader& header) {
  return line_of(
      {{"format", kFormat}, {"version", kVersion}, {"data", hex(header.data)}, {"recipe", hex(header.recipe)}});
}

std::string cell_line(std::string_view stage, const Cell& cell) {
  Json out = {{"stage", stage},
              {"sigma", format_double(cell.at.sigma)},
              {"ridge", format_double(cell.at.ridge)},
              {"error", format_double(cell.error)},
              {"std", cell.std ? Json(format_double(*cell.std)) : Json()},
              {"loss", format_double(cell.loss)},
              {"solved", cell.solved}};
  if (cell.unfinished > 0) out["unfinished"] = cell.unfinished;
  return line_of(out);
}

/// The object in a line; an empty one if there is none.
Json object_in(std::string_view line) {
  Json json = parse_json<Json>(line);
  return json.is_object() ? json : Json::object();
}

std::optional<std::string> text_in(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

bool read_number(const Json& json, const char* key, double& value) {
  const auto text = text_in(json, key);
  const auto number = text ? parse_double(*text) : std::nullopt;
  if (number) value = *number;
  return number.has_value();
}

/// Whether a search can have scored a cell like that.
bool plausible(const Cell& cell) {
  constexpr double kRounding = 1e-9;
  const auto is_share = [](double value) { return value >= -kRounding && value <= 1 + kRounding; };
  const auto is_parameter = [](double value) { return value > 0 && std::isfinite(value); };
  return is_parameter(cell.at.sigma) && is_parameter(cell.at.ridge) && is_share(cell.error) && is_share(cell.loss) &&
         is_share(cell.std.value_or(0));
}

bool read_cell(const Json& json, Cell& cell) {
  const auto solved = json.find("solved");
  const auto spread = json.find("std");
  if (solved == json.end() || !solved->is_boolean() || spread == json.end()) return false;
  cell.solved = solved->get<bool>();
  if (const auto unfinished = json.find("unfinished"); unfinished != json.end()) {
    if (!unfinished->is_number_unsigned() || unfinished->get<std::uint64_t>() > kMostUnfinished) return false;
    cell.unfinished = unfinished->get<long>();
  }
  if (!spread->is_null() && !read_number(json, "std", cell.std.emplace())) return false;
  return read_number(json, "sigma", cell.at.sigma) && read_number(json, "ridge", cell.at.ridge) &&
         read_number(json, "error", cell.error) && read_number(json, "loss", cell.loss) && plausible(cell);
}

[[noreturn]] void refuse(const std::string& path, std::string_view what) {
  throw InputError({path, 1}, std::string(what), "use another `resume` file or delete it", "resume");
}

void check_header(const std::string& path, std::string_view line, const JournalHeader& header) {
  const Json found = object_in(line);
  if (text_in(found, "format") != kFormat) refuse(path, "this is not the journal of a search");
  const auto version = found.find("version");
  if (version == found.end() || *version != kVersion) {
    refuse(path, fmt::format("the journal has format version {}, this program reads version {}",
                             version == found.end() ? "none" : version->dump(), kVersion));
  }
  const bool same_data = text_in(found, "data") == hex(header.data);
  const bool same_recipe = text_in(found, "recipe") == hex(header.recipe);
  if (!same_data && !same_recipe) refuse(path, "the journal belongs to another table and to other options");
  if (!same_data) refuse(path, "the journal belongs to another table");
  if (!same_recipe) refuse(path, "the journal belongs to other options on the same table");
}

std::pair<std::uint64_t, std::uint64_t> bits_of(const CellParameters& at) {
  return {std::bit_cast<std::uint64_t>(at.sigma), std::bit_cast<std::uint64_t>(at.ridge)};
}

}  // namespace

std::unique_ptr<Journal> Journal::open(const std::string& path, const JournalHeader& header) {
  std::unique_ptr<Journal> journal(new Journal(path));
  journal->load(header);
  return journal;
}

void Journal::load(const JournalHeader& header) {
  if (!file_.begins_with_short_line()) refuse(file_.path(), "this is not the journal of a search");
  const std::string text = file_.content();
  const std::size_t whole = text.rfind('\n') + 1;  // npos + 1 is 0: no whole line
  if (whole == 0) {
    // Nothing yet, or a header cut short. Anything else is somebody's file and stays.
    if (!header_line(header).starts_with(text)) refuse(file_.path(), "this is not the journal of this search");
    file_.cut(0);
    file_.append(header_line(header));
    return;
  }
  std::size_t number = 1;
  for (std::size_t start = 0; start < whole; ++number) {
    const std::size_t end = text.find('\n', start);
    const std::string_view line = std::string_view(text).substr(start, end - start);
    start = end + 1;
    if (number == 1) {
      check_header(file_.path(), line, header);
      continue;
    }
    const Json json = object_in(line);
    const auto stage = text_in(json, "stage");
    Cell cell;
    if (!stage || !read_cell(json, cell)) {
      throw InputError(
          {file_.path(), number},
          "the line is damaged: expected one scored cell, with a width and a ridge above 0 and an error from 0 to 1",
          "delete the line to have its cell scored again");
    }
    remember(*stage, cell);
  }
  if (whole < text.size()) file_.cut(whole);
}

const Cell* Journal::known(std::string_view stage, const CellParameters& at) const {
  const auto scores = stages_.find(stage);
  if (scores == stages_.end()) return nullptr;
  const auto found = scores->second.find(bits_of(at));
  return found == scores->second.end() ? nullptr : &found->second;
}

void Journal::remember(std::string_view stage, const Cell& cell) {
  stages_[std::string(stage)].try_emplace(bits_of(cell.at), cell);
}

std::optional<Cell> Journal::find(std::string_view stage, const CellParameters& at) const {
  const std::lock_guard lock(mutex_);
  const Cell* cell = known(stage, at);
  return cell == nullptr ? std::nullopt : std::optional(*cell);
}

void Journal::add(std::string_view stage, const Cell& cell) {
  const std::lock_guard lock(mutex_);
  if (known(stage, cell.at) != nullptr) return;
  file_.append(cell_line(stage, cell));
  remember(stage, cell);
}

std::size_t Journal::size() const {
  const std::lock_guard lock(mutex_);
  std::size_t count = 0;
  for (const auto& [stage, scores] : stages_) count += scores.size();
  return count;
}

ScoreCells journalled(ScoreCells inner, const Journal& journal, std::string stage, bool whole_sigmas) {
  return [inner = std::move(inner), &journal, stage = std::move(stage),
          whole_sigmas](std::span<const CellParameters> cells) {
    std::vector<Cell> out(cells.size());
    std::set<double> incomplete;
    for (const CellParameters& at : cells) {
      if (whole_sigmas && !journal.find(stage, at)) incomplete.insert(at.sigma);
    }
    std::vector<CellParameters> missing;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (const auto known = journal.find(stage, cells[i]); known && !incomplete.contains(cells[i].sigma)) {
        out[i] = *known;
      } else {
        missing.push_back(cells[i]);
        places.push_back(i);
      }
    }
    if (missing.empty()) return out;
    const std::vector<Cell> scored = inner(missing);
    for (std::size_t k = 0; k < places.size(); ++k) out[places[k]] = scored[k];
    return out;
  };
}

}  // namespace manyone
