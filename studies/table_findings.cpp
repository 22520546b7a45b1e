// SPDX-License-Identifier: Apache-2.0
#include "studies/table_findings.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "result/text_table.hpp"
#include "statistics/friedman.hpp"

namespace manyone {

namespace {

/// Machines ranked on the data sets that all of them finished.
struct Ranking {
  std::vector<const PublishedRow*> rows;
  std::vector<std::string> sets;
  Friedman published;
  Friedman ours;
};

const ReproducedCell* cell_of(const Reproduction& result, const PublishedRow* row, std::size_t set) {
  for (const ReproducedCell& cell : result.cells) {
    if (cell.row == row && cell.set == set) return &cell;
  }
  return nullptr;
}

std::optional<Ranking> ranking(const Reproduction& result) {
  if (result.table->protocol != Protocol::nested) return std::nullopt;
  Ranking out;
  for (const ReproducedCell& cell : result.cells) {
    if (std::find(out.rows.begin(), out.rows.end(), cell.row) == out.rows.end()) out.rows.push_back(cell.row);
  }
  std::vector<std::size_t> sets;
  for (std::size_t s = 0; s < result.table->sets.size(); ++s) {
    const bool finished = std::all_of(out.rows.begin(), out.rows.end(), [&](const PublishedRow* row) {
      const ReproducedCell* cell = cell_of(result, row, s);
      return cell != nullptr && cell->ours && cell->published() != nullptr && cell->published()->mean;
    });
    if (!finished) continue;
    sets.push_back(s);
    out.sets.push_back(result.table->sets[s].name);
  }
  if (sets.empty() || out.rows.size() < 2) return std::nullopt;
  Matrix published(static_cast<Index>(sets.size()), static_cast<Index>(out.rows.size()));
  Matrix ours = published;
  for (Index i = 0; i < ours.rows(); ++i) {
    for (Index j = 0; j < ours.cols(); ++j) {
      const ReproducedCell* cell =
          cell_of(result, out.rows[static_cast<std::size_t>(j)], sets[static_cast<std::size_t>(i)]);
      published(i, j) = *cell->published()->mean;
      ours(i, j) = cell->ours->mean();
    }
  }
  out.published = friedman(published);
  out.ours = friedman(ours);
  return out;
}

/// Those of the smallest average rank.
std::string first_of(const Ranking& ranking, const Friedman& test) {
  std::vector<std::string> names;
  for (std::size_t j = 0; j < ranking.rows.size(); ++j) {
    if (test.ranks[static_cast<Index>(j)] <= test.ranks.minCoeff() + 1e-12) names.push_back(ranking.rows[j]->name);
  }
  return fmt::format("{}", fmt::join(names, " and "));
}

std::string F_text(const Friedman& test) { return test.F ? fmt::format("{:.2f}", *test.F) : "-"; }

/// The errors, in percent, of the best and the worst machine on a set.
struct Spread {
  const PublishedSet* set = nullptr;
  double best = 0;
  double worst = 0;
  int machines = 0;
};

std::vector<Spread> spreads(const Reproduction& result) {
  std::vector<Spread> out;
  for (std::size_t s = 0; s < result.table->sets.size(); ++s) {
    const PublishedSet& set = result.table->sets[s];
    if (!set.best || !set.worst) continue;
    Spread spread{&set, 100, 0, 0};
    for (const ReproducedCell& cell : result.cells) {
      if (cell.set != s || !cell.ours) continue;
      spread.best = std::min(spread.best, 100 * cell.ours->mean());
      spread.worst = std::max(spread.worst, 100 * cell.ours->mean());
      ++spread.machines;
    }
    if (spread.machines > 0) out.push_back(spread);
  }
  return out;
}

std::string share_of(double value) { return fmt::format("{:.4f}", value); }

}  // namespace

std::string pairs_text(const Reproduction& result) {
  std::string out;
  for (const PublishedPair& pair : result.table->pairs) {
    std::vector<std::vector<std::string>> rows = {{"data set", "", result.table->rows[pair.first].name,
                                                   result.table->rows[pair.second].name, "DIFF", "AGREE", "BOOTSTRAP",
                                                   "McNemar p", "mark"}};
    for (const ReproducedPair& one : result.pairs) {
      if (one.pair != &pair) continue;
      const std::string& name = result.table->sets[one.set].name;
      if (const PublishedPairCell* cell = one.published()) {
        rows.push_back({name, "published", fmt::format("{:.2f}", cell->first), fmt::format("{:.2f}", cell->second),
                        fmt::format("{:+.2f}", cell->difference), fmt::format("{:.3f}", cell->agreement),
                        fmt::format("[{}, {}]", share_of(cell->low), share_of(cell->high)), "-",
                        fmt::format("{}", fmt::join(cell->doubts, " "))});
      }
      const auto n = static_cast<double>(one.counts.rows());
      const auto wrong = [&](long right) { return fmt::format("{:.2f}", 100 * (1 - static_cast<double>(right) / n)); };
      rows.push_back({name, "ours", wrong(one.counts.both + one.counts.first_only),
                      wrong(one.counts.both + one.counts.second_only),
                      fmt::format("{:+.2f}", 100 * one.counts.difference()),
                      fmt::format("{:.3f}", one.counts.agreement()),
                      fmt::format("[{}, {}]", share_of(one.interval.low), share_of(one.interval.high)),
                      fmt::format("{:.3f}", one.test.p), ""});
    }
    if (rows.size() > 1) out += fmt::format("{}{}\n{}", out.empty() ? "" : "\n", pair.title, text_table(rows));
  }
  for (const auto& [key, sentence] : result.table->reasons) {
    const std::string& name = key;
    const bool used = std::any_of(result.pairs.begin(), result.pairs.end(), [&](const ReproducedPair& one) {
      if (one.published() == nullptr) return false;
      const auto& doubts = one.published()->doubts;
      return std::find(doubts.begin(), doubts.end(), name) != doubts.end();
    });
    if (used) out += fmt::format("{}: {}\n", key, sentence);
  }
  return out;
}

std::string ranks_text(const Reproduction& result) {
  const auto ranks = ranking(result);
  if (!ranks) return "";
  std::vector<std::vector<std::string>> rows = {{"average rank", "published", "ours"}};
  for (std::size_t j = 0; j < ranks->rows.size(); ++j) {
    rows.push_back({ranks->rows[j]->name, fmt::format("{:.2f}", ranks->published.ranks[static_cast<Index>(j)]),
                    fmt::format("{:.2f}", ranks->ours.ranks[static_cast<Index>(j)])});
  }
  return text_table(rows) +
         fmt::format(
             "over {}; F_F with {} and {} degrees of freedom: published {}, ours {}\nfirst: published {}, ours {}\n",
             fmt::join(ranks->sets, ", "), ranks->ours.numerator, ranks->ours.denominator, F_text(ranks->published),
             F_text(ranks->ours), first_of(*ranks, ranks->published), first_of(*ranks, ranks->ours));
}

std::string spread_text(const Reproduction& result) {
  std::vector<std::vector<std::string>> rows = {
      {"data set", "published best", "published worst", "our best", "our worst", "published apart", "ours apart"}};
  for (const Spread& spread : spreads(result)) {
    const double best = 100 - *spread.set->best;
    const double worst = 100 - *spread.set->worst;
    rows.push_back({spread.set->name, fmt::format("{:.2f}", best), fmt::format("{:.2f}", worst),
                    fmt::format("{:.2f}", spread.best), fmt::format("{:.2f}", spread.worst),
                    fmt::format("{:.2f}", worst - best), fmt::format("{:.2f}", spread.worst - spread.best)});
  }
  return rows.size() > 1 ? text_table(rows) : "";
}

void add_comparisons(const Reproduction& result, Json& document) {
  if (!result.pairs.empty()) document["pairs"] = Json::array();
  for (const ReproducedPair& one : result.pairs) {
    Json pair = {{"title", one.pair->title},
                 {"first", result.table->rows[one.pair->first].name},
                 {"second", result.table->rows[one.pair->second].name},
                 {"dataset", result.table->sets[one.set].name}};
    if (const PublishedPairCell* cell = one.published()) {
      pair["published"] = {{"text", cell->text},           {"first", cell->first},
                           {"second", cell->second},       {"difference", cell->difference},
                           {"agreement", cell->agreement}, {"interval", {cell->low, cell->high}}};
      pair["doubts"] = cell->doubts;
    } else {
      pair["published"] = Json();
      pair["doubts"] = Json::array();
    }
    pair["ours"] = {{"both_right", one.counts.both},
                    {"first_right", one.counts.first_only},
                    {"second_right", one.counts.second_only},
                    {"none_right", one.counts.neither},
                    {"difference", 100 * one.counts.difference()},
                    {"agreement", one.counts.agreement()},
                    {"interval", {one.interval.low, one.interval.high}},
                    {"mcnemar", {{"statistic", one.test.statistic}, {"p", one.test.p}, {"exact_p", one.test.exact_p}}}};
    document["pairs"].push_back(std::move(pair));
  }
  if (const auto ranks = ranking(result)) {
    Json json = {{"datasets", ranks->sets}, {"machines", Json::array()}};
    for (std::size_t j = 0; j < ranks->rows.size(); ++j) {
      json["machines"].push_back({{"name", ranks->rows[j]->name},
                                  {"published", ranks->published.ranks[static_cast<Index>(j)]},
                                  {"ours", ranks->ours.ranks[static_cast<Index>(j)]}});
    }
    const auto F = [](const Friedman& test) { return test.F ? Json(*test.F) : Json(); };
    json["F"] = {{"published", F(ranks->published)}, {"ours", F(ranks->ours)}};
    json["degrees"] = {ranks->ours.numerator, ranks->ours.denominator};
    json["first"] = {{"published", first_of(*ranks, ranks->published)}, {"ours", first_of(*ranks, ranks->ours)}};
    document["ranks"] = std::move(json);
  }
  const auto apart = spreads(result);
  if (!apart.empty()) document["spread"] = Json::array();
  for (const Spread& spread : apart) {
    document["spread"].push_back(
        {{"dataset", spread.set->name},
         {"published", {{"best", 100 - *spread.set->best}, {"worst", 100 - *spread.set->worst}}},
         {"ours", {{"best", spread.best}, {"worst", spread.worst}}},
         {"machines", spread.machines}});
  }
}

}  // namespace manyone
