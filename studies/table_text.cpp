// SPDX-License-Identifier: Apache-2.0
#include "studies/table_text.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "result/text_table.hpp"
#include "studies/table_findings.hpp"

namespace manyone {

namespace {

const std::string& set_name(const Reproduction& result, const ReproducedCell& cell) {
  return result.table->sets[cell.set].name;
}

/// The cell of a row's unit: oneLSM on the same data set.
const ReproducedCell* unit_of(const Reproduction& result, const ReproducedCell& cell) {
  for (const ReproducedCell& other : result.cells) {
    if (other.set == cell.set && other.row->machine == "onelsm") return &other;
  }
  return nullptr;
}

std::optional<double> our_ratio(const Reproduction& result, const ReproducedCell& cell) {
  const ReproducedCell* unit = unit_of(result, cell);
  if (unit == nullptr || !unit->seconds || !cell.seconds) return std::nullopt;
  return *cell.seconds / *unit->seconds;
}

std::optional<double> published_ratio(const Reproduction& result, const ReproducedCell& cell) {
  const ReproducedCell* unit = unit_of(result, cell);
  if (unit == nullptr || unit->published() == nullptr || cell.published() == nullptr) return std::nullopt;
  const auto& seconds = cell.published()->seconds;
  const auto& unit_seconds = unit->published()->seconds;
  if (!seconds || !unit_seconds) return std::nullopt;
  return *seconds / *unit_seconds;
}

std::optional<double> difference(const ReproducedCell& cell) {
  if (!cell.ours || cell.published() == nullptr || !cell.published()->mean) return std::nullopt;
  return 100 * cell.ours->mean() - *cell.published()->mean;
}

/// Does our mean lie between the published best and worst, or within two published standard deviations?
std::optional<bool> inside(const ReproducedCell& cell) {
  const PublishedCell* published = cell.published();
  if (const auto gap = difference(cell); gap && published->deviation)
    return std::abs(*gap) <= 2 * *published->deviation;
  if (!cell.ours || published == nullptr || !published->best || !published->worst) return std::nullopt;
  constexpr double printed = 0.01;  // the papers cut after two digits: 2/75 is printed as 2.66
  const double mean = 100 * cell.ours->mean();
  return mean >= *published->best - printed && mean <= *published->worst + printed;
}

std::string short_time(double seconds) {
  return seconds < 1 ? fmt::format("{:.2f} ms", 1000 * seconds) : format_seconds(seconds);
}

std::string yes_or_no(const std::optional<bool>& value) { return !value ? "-" : *value ? "yes" : "no"; }

/// a, b, ... in the order of the reasons.
std::string mark(const PublishedTable& table, const std::string& key) {
  for (std::size_t k = 0; k < table.reasons.size(); ++k) {
    if (table.reasons[k].first == key) return std::string(1, static_cast<char>('a' + k));
  }
  return "?";
}

std::string marks(const Reproduction& result, const ReproducedCell& cell) {
  if (cell.published() == nullptr) return "";
  std::string out;
  for (const std::string& key : cell.published()->doubts) out += (out.empty() ? "" : " ") + mark(*result.table, key);
  return out;
}

/// Of our errors over the partitions, in percent.
std::optional<double> our_deviation(const ReproducedCell& cell) {
  if (!cell.ours || cell.ours->errors.size() < 2) return std::nullopt;
  double sum = 0;
  for (const double error : cell.ours->errors) sum += (error - cell.ours->mean()) * (error - cell.ours->mean());
  return 100 * std::sqrt(sum / static_cast<double>(cell.ours->errors.size() - 1));
}

std::string published_errors(const Reproduction& result, const ReproducedCell& cell) {
  const PublishedCell* published = cell.published();
  if (published == nullptr) return "-";
  if (!result.table->accuracy || !published->mean) return published->text;
  std::string out = fmt::format("{:.2f}", *published->mean);
  return published->deviation ? out + fmt::format(" +- {:.2f}", *published->deviation) : out;
}

std::string our_errors(const Reproduction& result, const ReproducedCell& cell) {
  if (cell.refused) return "refused";
  if (!cell.ours) return "-";
  std::string out = fmt::format("{:.2f}", 100 * cell.ours->mean());
  if (result.table->protocol == Protocol::settings) {
    const auto deviation = our_deviation(cell);
    return deviation ? out + fmt::format(" +- {:.2f}", *deviation) : out;
  }
  if (cell.ours->errors.size() > 1)
    out += fmt::format(" [{:.2f}, {:.2f}]", 100 * cell.ours->best(), 100 * cell.ours->worst());
  return out;
}

bool any_published(const Reproduction& result, std::optional<double> PublishedCell::*member) {
  return std::any_of(result.cells.begin(), result.cells.end(), [&](const ReproducedCell& cell) {
    return cell.published() != nullptr && (cell.published()->*member).has_value();
  });
}

std::string footnotes(const Reproduction& result) {
  std::string out;
  for (const auto& [key, sentence] : result.table->reasons) {
    const std::string& name = key;
    const bool used = std::any_of(result.cells.begin(), result.cells.end(), [&](const ReproducedCell& cell) {
      if (cell.published() == nullptr) return false;
      const auto& doubts = cell.published()->doubts;
      return std::find(doubts.begin(), doubts.end(), name) != doubts.end();
    });
    if (used) out += fmt::format("{}: {}\n", mark(*result.table, key), sentence);
  }
  const bool refused =
      std::any_of(result.cells.begin(), result.cells.end(), [](const ReproducedCell& cell) { return cell.refused; });
  if (refused)
    out += "refused: with a bias the machine takes only codewords that sum to 0, so there is nothing of ours\n";
  return out;
}

/// How many of our means lie in the published ranges.
std::string count_inside(const Reproduction& result) {
  int counted = 0;
  int within = 0;
  for (const ReproducedCell& cell : result.cells) {
    if (const auto is_inside = inside(cell)) {
      ++counted;
      within += *is_inside ? 1 : 0;
    }
  }
  if (counted == 0) return "";
  return fmt::format("our mean lies {} in {} of {} cells\n",
                     result.table->protocol == Protocol::settings ? "within two published standard deviations"
                                                                  : "between the published best and worst",
                     within, counted);
}

Json numbers_json(const PublishedCell& cell) {
  Json out;
  out["text"] = cell.text;
  if (cell.mean) out["mean"] = *cell.mean;
  if (cell.best) out["best"] = *cell.best;
  if (cell.worst) out["worst"] = *cell.worst;
  if (cell.deviation) out["deviation"] = *cell.deviation;
  if (cell.seconds) out["seconds"] = *cell.seconds;
  return out;
}

Json numbers_json(const ReproducedCell& cell) {
  Json out;
  if (cell.ours) {
    out["mean"] = 100 * cell.ours->mean();
    out["best"] = 100 * cell.ours->best();
    out["worst"] = 100 * cell.ours->worst();
    out["errors"] = Json::array();
    for (const double error : cell.ours->errors) out["errors"].push_back(100 * error);
    if (const auto deviation = our_deviation(cell)) out["deviation"] = *deviation;
  }
  if (cell.seconds) out["seconds"] = *cell.seconds;
  return out;
}

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json cell_json(const Reproduction& result, const ReproducedCell& cell) {
  Json out;
  out["name"] = cell.row->name;
  out["machine"] = cell.row->machine;
  out["labelbook"] = cell.row->labelbook.empty() ? Json() : Json(cell.row->labelbook);
  out["bias"] = cell.row->bias;
  out["dataset"] = set_name(result, cell);
  out["published"] = cell.published() != nullptr ? numbers_json(*cell.published()) : Json();
  out["ours"] = numbers_json(cell);
  if (cell.refused) out["refused"] = true;
  if (any_published(result, &PublishedCell::mean)) {
    out["difference"] = or_null(difference(cell));
    out["inside"] = or_null(inside(cell));
    out["same_as"] = cell.same_as != nullptr
                         ? Json{{"machine", cell.same_as->machine}, {"labelbook", cell.same_as->labelbook}}
                         : Json();
  } else {
    out["ratio"] = {{"published", or_null(published_ratio(result, cell))}, {"ours", or_null(our_ratio(result, cell))}};
  }
  out["doubts"] = cell.published() != nullptr ? Json(cell.published()->doubts) : Json::array();
  return out;
}

}  // namespace

std::string errors_text(const Reproduction& result) {
  const bool deviations = any_published(result, &PublishedCell::deviation);
  const bool ranges = deviations || any_published(result, &PublishedCell::best);
  const bool times = any_published(result, &PublishedCell::seconds);
  std::vector<std::vector<std::string>> rows = {
      {"machine", "labelbook", "data set", "published", "ours", "difference"}};
  if (ranges) rows[0].push_back(deviations ? "within 2 sd" : "in range");
  if (times) rows[0].push_back("our time");
  rows[0].push_back("mark");
  for (const ReproducedCell& cell : result.cells) {
    const auto gap = difference(cell);
    std::vector<std::string> row = {cell.row->name,           cell.row->labelbook.empty() ? "-" : cell.row->labelbook,
                                    set_name(result, cell),   published_errors(result, cell),
                                    our_errors(result, cell), gap ? fmt::format("{:+.2f}", *gap) : "-"};
    if (ranges) row.push_back(yes_or_no(inside(cell)));
    if (times) row.push_back(cell.seconds ? short_time(*cell.seconds) : "-");
    row.push_back(marks(result, cell));
    rows.push_back(std::move(row));
  }
  return text_table(rows) + footnotes(result) + count_inside(result);
}

std::string times_text(const Reproduction& result) {
  std::vector<std::vector<std::string>> rows = {
      {"machine", "data set", "published", "ours", "published / oneLSM", "ours / oneLSM"}};
  const auto ratio_text = [](const std::optional<double>& ratio) {
    return ratio ? fmt::format("{:.2f}", *ratio) : "-";
  };
  for (const ReproducedCell& cell : result.cells) {
    const PublishedCell* published = cell.published();
    rows.push_back({cell.row->name, set_name(result, cell),
                    published != nullptr && published->seconds ? format_seconds(*published->seconds) : "-",
                    cell.seconds ? short_time(*cell.seconds) : "-", ratio_text(published_ratio(result, cell)),
                    ratio_text(our_ratio(result, cell))});
  }
  return text_table(rows);
}

std::string remarks_text(const Reproduction& result) {
  std::string out;
  for (const std::string& note : result.notes) out += "* " + note + "\n";
  for (const std::string& remark : result.table->remarks) out += "* " + remark + "\n";
  for (std::size_t s = 0; s < result.table->sets.size(); ++s) {
    const bool used = std::any_of(result.cells.begin(), result.cells.end(),
                                  [&](const ReproducedCell& cell) { return cell.set == s; });
    if (used && !result.table->sets[s].remark.empty()) out += "* " + result.table->sets[s].remark + "\n";
  }
  return out;
}

Json reproduction_json(const Reproduction& result) {
  Json out;
  out["table"] = result.table->name;
  out["title"] = result.table->title;
  out["source"] = result.table->source;
  out["cells"] = Json::array();
  for (const ReproducedCell& cell : result.cells) out["cells"].push_back(cell_json(result, cell));
  out["reasons"] = Json::object();
  for (const auto& [key, sentence] : result.table->reasons) out["reasons"][key] = sentence;
  out["remarks"] = result.table->remarks;
  if (!result.notes.empty()) out["rows_used"] = result.notes;
  add_comparisons(result, out);
  if (result.interrupted) out["interrupted"] = true;
  return out;
}

}  // namespace manyone
