// SPDX-License-Identifier: Apache-2.0
#include "result/compare_text.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/numbers.hpp"
#include "machine/registry.hpp"
#include "result/text_table.hpp"

namespace manyone {

namespace {

std::string points(double share) {
  const double rounded = std::round(1e4 * share) / 100;
  return rounded == 0 ? "0.00" : fmt::format("{:+.2f}", rounded);
}

std::string p_text(double p) { return p < 0.001 ? "< 0.001" : fmt::format("{:.3f}", p); }

std::string_view training_parts(const ComparisonProtocol& protocol) {
  if (protocol.kind == ComparisonKind::five_by_two) return "each half of five halvings";
  return protocol.kind == ComparisonKind::folds ? "all folds but one" : "the rows outside the test part";
}

std::string short_verdict(const std::vector<ContestantResult>& names, const PairResult& pair) {
  if (pair.inconsistent()) return "no verdict";
  if (pair.better() == 0) return "no significant difference";
  return names[pair.better() < 0 ? pair.first : pair.second].name + " is better";
}

std::string interval_text(const PairResult& pair) {
  if (!pair.interval) return "none";
  return fmt::format("{} to {}", points(pair.interval->low), points(pair.interval->high));
}

/// Why a pair has no interval.
std::string lines_on_intervals(const std::vector<PairResult>& pairs) {
  std::string out;
  if (std::ranges::any_of(pairs, [](const PairResult& pair) { return !pair.interval && !pair.inconsistent(); })) {
    out +=
        "No interval: the two make the same difference on all parts, so nothing tells how far chance would move it.\n";
  }
  if (std::ranges::any_of(pairs, &PairResult::inconsistent)) {
    out +=
        "No verdict: the halvings differ more among themselves than the two halves of one, and the F test then refuses "
        "every difference, none as well; the protocol cv:10x3 has a test for such tables.\n";
  }
  return out;
}

/// "all 6 comparisons: 3 pairs of machines on 2 tables"
std::string adjusted_for(const Comparison& comparison) {
  const std::size_t all = comparison.pairs.size();
  const std::size_t tables = comparison.sets.size();
  if (all == 1) return "the one comparison";
  if (tables == 1) return fmt::format("all {} comparisons", all);
  return fmt::format("all {} comparisons of all tables together ({} {} of machines on {} tables)", all, all / tables,
                     all == tables ? "pair" : "pairs", tables);
}

std::string errors_table(const ComparedSet& set) {
  std::vector<std::vector<std::string>> rows = {{"machine", "error %", "sd", "balanced %", "time"}};
  for (const ContestantResult& one : set.contestants) {
    rows.push_back({one.name, fmt::format("{:.2f}", 100 * one.error),
                    one.trials.size() > 1 ? fmt::format("{:.2f}", 100 * one.std) : "-",
                    fmt::format("{:.2f}", 100 * one.balanced_error), format_seconds(one.seconds)});
  }
  return text_table(rows);
}

std::string pairs_table(const Comparison& comparison, std::size_t set) {
  std::vector<std::vector<std::string>> rows = {
      {"difference of", "points", "95 % interval", "p", "p (Holm)", "verdict"}};
  for (const PairResult& pair : comparison.pairs) {
    if (pair.set != set) continue;
    const auto& names = comparison.sets[set].contestants;
    rows.push_back({fmt::format("{} - {}", names[pair.first].name, names[pair.second].name), points(pair.difference),
                    interval_text(pair), p_text(pair.p), p_text(pair.holm_p), short_verdict(names, pair)});
  }
  return text_table(rows);
}

std::string ranks_lines(const Comparison& comparison) {
  const Friedman& ranks = *comparison.ranks;
  const auto& names = comparison.sets.front().contestants;
  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return ranks.ranks[static_cast<Index>(a)] < ranks.ranks[static_cast<Index>(b)];
  });
  std::vector<std::vector<std::string>> rows = {{"machine", "mean rank"}};
  for (const std::size_t k : order)
    rows.push_back({names[k].name, fmt::format("{:.2f}", ranks.ranks[static_cast<Index>(k)])});
  return fmt::format(
      "{}Friedman test over {} tables: p {}{}; ranks that differ by less than {:.2f} are not significantly different "
      "(Nemenyi, 5 %)\n",
      text_table(rows), comparison.sets.size(), p_text(ranks.p).starts_with('<') ? "" : "= ", p_text(ranks.p),
      comparison.critical_difference);
}

Json contestant_json(const ContestantResult& one) {
  Json out = {{"name", one.name},
              {"error", one.error},
              {"std", one.trials.size() > 1 ? Json(one.std) : Json()},
              {"balanced_error", one.balanced_error},
              {"seconds", one.seconds},
              {"shared_cells", one.shared}};
  const std::string parameter(machine_from_name(one.recipe.machine).parameter);
  Json folds = Json::array();
  for (const Trial& trial : one.trials) {
    Json fold = {{"repeat", trial.repeat},
                 {"fold", trial.fold},
                 {"error", trial.error},
                 {"seconds", trial.seconds},
                 {"shared_cells", trial.shared}};
    if (one.recipe.has_sigma()) fold["sigma"] = trial.chosen.sigma;
    fold[parameter] = parameter == "cost" ? 1 / trial.chosen.ridge : trial.chosen.ridge;
    folds.push_back(std::move(fold));
  }
  out["folds"] = std::move(folds);
  return out;
}

}  // namespace

std::string comparison_text(const Comparison& comparison) {
  std::string out;
  for (std::size_t s = 0; s < comparison.sets.size(); ++s) {
    const ComparedSet& set = comparison.sets[s];
    out +=
        fmt::format("{}: {} rows, {} features, {} classes; {}, tuned inside {}\n{}{}\n\n{}\n", set.name, set.rows,
                    set.features, set.classes.size(), comparison.protocol.text(), training_parts(comparison.protocol),
                    errors_table(set), majority_line(set.majority_error), pairs_table(comparison, s));
  }
  if (comparison.ranks) out += ranks_lines(comparison) + "\n";
  const bool f_test = comparison.protocol.kind == ComparisonKind::five_by_two;
  out += fmt::format("Differences are error(first) - error(second) in points; test: {}; p (Holm) is adjusted for {}.\n",
                     f_test                                              ? "combined 5x2cv F"
                     : comparison.protocol.kind == ComparisonKind::folds ? "t, corrected for overlap"
                                                                         : "McNemar (exact)",
                     adjusted_for(comparison));
  out += lines_on_intervals(comparison.pairs);
  std::vector<std::string> sharing;
  for (std::size_t c = 0; c < comparison.sets.front().contestants.size(); ++c) {
    const auto shares = [c](const ComparedSet& set) { return set.contestants[c].shared > 0; };
    if (std::ranges::any_of(comparison.sets, shares)) sharing.push_back(comparison.sets.front().contestants[c].name);
  }
  if (!sharing.empty()) {
    out += fmt::format(
        "Cells that a machine above had computed were not computed again for {}; times are what each added.\n",
        fmt::join(sharing, ", "));
  }
  return out;
}

Json comparison_json(const Comparison& comparison) {
  Json out;
  out["data"] = Json::array();
  for (const ComparedSet& set : comparison.sets) {
    out["data"].push_back(data_json(set.name, set.rows, set.features, set.fingerprint));
  }
  out["protocol"] = comparison.protocol.text();
  out["machines"] = Json::array();
  for (const ContestantResult& one : comparison.sets.front().contestants) {
    out["machines"].push_back({{"name", one.name},
                               {"machine", one.recipe.machine},
                               {"labelbook", one.recipe.book()},
                               {"kernel", one.recipe.kernel->name},
                               {"search", one.recipe.tuned() ? name_of(one.recipe.search) : "fixed"}});
  }
  out["sets"] = Json::array();
  for (const ComparedSet& set : comparison.sets) {
    Json one = {{"name", set.name},
                {"rows", set.rows},
                {"features", set.features},
                {"classes", set.classes.size()},
                {"majority_error", set.majority_error}};
    one["machines"] = Json::array();
    for (const ContestantResult& contestant : set.contestants) one["machines"].push_back(contestant_json(contestant));
    out["sets"].push_back(std::move(one));
  }
  out["pairs"] = Json::array();
  for (const PairResult& pair : comparison.pairs) {
    const ComparedSet& set = comparison.sets[pair.set];
    out["pairs"].push_back({{"set", set.name},
                            {"first", set.contestants[pair.first].name},
                            {"second", set.contestants[pair.second].name},
                            {"test", pair.test},
                            {"difference", pair.difference},
                            {"low", pair.interval ? Json(pair.interval->low) : Json()},
                            {"high", pair.interval ? Json(pair.interval->high) : Json()},
                            {"confidence", pair.confidence},
                            {"statistic", pair.statistic},
                            {"p", pair.p},
                            {"holm_p", pair.holm_p},
                            {"verdict", verdict(comparison, pair)}});
  }
  if (comparison.ranks) {
    Json names = Json::array();
    Json ranks = Json::array();
    for (std::size_t k = 0; k < comparison.sets.front().contestants.size(); ++k) {
      names.push_back(comparison.sets.front().contestants[k].name);
      ranks.push_back(comparison.ranks->ranks[static_cast<Index>(k)]);
    }
    out["ranks"] = {{"names", names},
                    {"ranks", ranks},
                    {"friedman",
                     {{"chi_square", comparison.ranks->chi_square},
                      {"F", comparison.ranks->F ? Json(*comparison.ranks->F) : Json()},
                      {"p", comparison.ranks->p}}},
                    {"critical_difference", comparison.critical_difference},
                    {"alpha", 0.05}};
  }
  out["seconds"] = {{"total", comparison.seconds}};
  return out;
}

}  // namespace manyone
