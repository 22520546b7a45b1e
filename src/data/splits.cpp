// SPDX-License-Identifier: Apache-2.0
#include "data/splits.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/random.hpp"
#include "data/dataset.hpp"
#include "manyone/errors.hpp"

namespace manyone {

namespace {

// Each purpose draws from streams of its own, so that adding one never changes another.
constexpr std::uint64_t kFoldStream = 1ULL << 32;
constexpr std::uint64_t kSubsetStream = 2ULL << 32;

std::vector<std::vector<Index>> rows_by_class(std::span<const int> labels) {
  std::vector<std::vector<Index>> by_class;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto c = static_cast<std::size_t>(labels[i]);
    if (c >= by_class.size()) by_class.resize(c + 1);
    by_class[c].push_back(static_cast<Index>(i));
  }
  return by_class;
}

void assign_groups(const FoldPlan& plan, std::span<const int> labels, Random& random, Folds& folds) {
  auto groups = rows_by_class(plan.groups);  // by group, as it were
  random.shuffle(groups);
  std::stable_sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
  const auto k = static_cast<std::size_t>(folds.count);
  const auto classes = rows_by_class(labels);
  std::vector<Index> rows(k);
  std::vector<std::vector<double>> shares(k, std::vector<double>(classes.size()));  // of each class
  for (const auto& group : groups) {
    std::pair<double, Index> least;
    std::size_t best = k;
    for (std::size_t f = 0; f < k; ++f) {
      double alike = 0;
      if (plan.stratified) {
        for (const Index i : group) alike += shares[f][static_cast<std::size_t>(labels[static_cast<std::size_t>(i)])];
      }
      const std::pair cost{alike, rows[f]};
      if (best == k || cost < least) best = f, least = cost;
    }
    rows[best] += static_cast<Index>(group.size());
    for (const Index i : group) {
      const auto c = static_cast<std::size_t>(labels[static_cast<std::size_t>(i)]);
      shares[best][c] += 1 / static_cast<double>(classes[c].size());
      folds.fold_of_row[static_cast<std::size_t>(i)] = static_cast<int>(best);
    }
  }
}

}  // namespace

FoldPlan FoldPlan::of_rows(std::span<const Index> rows) const {
  const auto restricted = [&](const std::vector<int>& ids) {
    if (ids.empty()) return Folds{};
    return Folds{1 + *std::max_element(ids.begin(), ids.end()), ids}.restricted_to(rows);
  };
  FoldPlan out = *this;
  out.given = restricted(given).fold_of_row;
  const Folds kept = restricted(groups);
  out.groups = kept.fold_of_row;
  out.count = std::min(count, groups.empty() ? static_cast<int>(rows.size()) : kept.count);
  return out;
}

FoldPlan FoldPlan::quick(int folds) const {
  FoldPlan out;
  out.count = folds;
  out.groups = given.empty() ? groups : given;
  return out;
}

std::vector<std::vector<Index>> Folds::rows() const {
  std::vector<std::vector<Index>> out(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < fold_of_row.size(); ++i) {
    out[static_cast<std::size_t>(fold_of_row[i])].push_back(static_cast<Index>(i));
  }
  return out;
}

int Folds::distinct() const { return static_cast<int>(std::set<int>(fold_of_row.begin(), fold_of_row.end()).size()); }

Folds Folds::restricted_to(std::span<const Index> rows) const {
  Folds out;
  std::vector<int> new_id(static_cast<std::size_t>(count), -1);
  for (const Index row : rows) {
    int& id = new_id[static_cast<std::size_t>(fold_of_row[static_cast<std::size_t>(row)])];
    if (id < 0) id = out.count++;
    out.fold_of_row.push_back(id);
  }
  return out;
}

Folds make_folds(const FoldPlan& plan, std::span<const int> labels, std::uint64_t seed, int repeat) {
  const auto n = static_cast<std::int64_t>(labels.size());
  Folds folds;
  folds.fold_of_row.resize(labels.size());
  if (!plan.given.empty()) {
    if (plan.given.size() != labels.size()) {
      throw ConfigError("folds", fmt::format("the fold list has {} entries, the table {} rows", plan.given.size(), n),
                        "give the fold of every row");
    }
    folds.fold_of_row = plan.given;
    folds.count = 1 + *std::max_element(plan.given.begin(), plan.given.end());
    return folds;
  }
  if (!plan.groups.empty()) {
    Folds groups{1 + *std::max_element(plan.groups.begin(), plan.groups.end()), plan.groups};
    if (plan.leave_one_out()) return groups;
    if (plan.count < 2 || plan.count > groups.distinct()) {
      throw ConfigError("folds",
                        fmt::format("{} folds of {} groups of rows cannot be made", plan.count, groups.distinct()),
                        fmt::format("choose 2 to {}, or give rows of more groups", groups.distinct()));
    }
    folds.count = plan.count;
    Random random(seed, kFoldStream + static_cast<std::uint64_t>(repeat));
    assign_groups(plan, labels, random, folds);
    return folds;
  }
  const std::int64_t k = plan.leave_one_out() ? n : plan.count;
  if (k < 2 || k > n) {
    throw ConfigError("folds", fmt::format("{} folds of {} rows cannot be made", k, n),
                      fmt::format("choose 2 to {} or loo", n));
  }
  folds.count = static_cast<int>(k);
  if (plan.leave_one_out()) {
    for (std::size_t i = 0; i < labels.size(); ++i) folds.fold_of_row[i] = static_cast<int>(i);
    return folds;
  }
  Random random(seed, kFoldStream + static_cast<std::uint64_t>(repeat));
  std::vector<Index> order;
  if (plan.stratified) {
    for (auto& rows : rows_by_class(labels)) {
      random.shuffle(rows);
      order.insert(order.end(), rows.begin(), rows.end());
    }
  } else {
    const auto permutation = random_permutation(n, random);
    order.assign(permutation.begin(), permutation.end());
  }
  for (std::size_t position = 0; position < order.size(); ++position) {
    folds.fold_of_row[static_cast<std::size_t>(order[position])] =
        static_cast<int>(position % static_cast<std::size_t>(k));
  }
  return folds;
}

std::vector<int> folds_from_text(const std::vector<std::string>& texts, const std::string& source) {
  const std::vector<std::string> ids = class_order(texts);
  if (ids.size() < 2)
    throw InputError(Place{source}, fmt::format("expected at least two different folds, found {}", ids.size()), {},
                     "folds");
  std::map<std::string_view, int> index;
  for (std::size_t k = 0; k < ids.size(); ++k) index[ids[k]] = static_cast<int>(k);
  std::vector<int> folds;
  folds.reserve(texts.size());
  for (const std::string& text : texts) folds.push_back(index.at(text));
  return folds;
}

std::vector<Index> grouped_subset(std::span<const int> groups, Index size, std::uint64_t seed) {
  auto by_group = rows_by_class(groups);
  std::erase_if(by_group, [](const auto& rows) { return rows.empty(); });
  Random random(seed, kSubsetStream);
  random.shuffle(by_group);
  // A group that brings the subset nearer to its size is taken; the first one in any case.
  std::vector<Index> subset;
  std::size_t taken = 0;
  for (const auto& rows : by_group) {
    const Index now = std::abs(std::ssize(subset) - size);
    const Index then = std::abs(std::ssize(subset) + std::ssize(rows) - size);
    if (taken > 0 && (then >= now || taken + 1 == by_group.size())) continue;
    ++taken;
    subset.insert(subset.end(), rows.begin(), rows.end());
  }
  std::sort(subset.begin(), subset.end());
  return subset;
}

std::vector<Index> stratified_subset(std::span<const int> labels, Index size, std::uint64_t seed) {
  const double share = static_cast<double>(size) / static_cast<double>(labels.size());
  std::vector<Index> subset;
  Random random(seed, kSubsetStream);
  // Class quotas by rounding the running total, so that they add up to `size` but for the "at least one" rule.
  double wanted = 0;
  Index taken = 0;
  for (auto& rows : rows_by_class(labels)) {
    if (rows.empty()) continue;
    wanted += share * static_cast<double>(rows.size());
    const Index quota = std::clamp<Index>(std::llround(wanted) - taken, 1, static_cast<Index>(rows.size()));
    taken += quota;
    random.shuffle(rows);
    subset.insert(subset.end(), rows.begin(), rows.begin() + quota);
  }
  std::sort(subset.begin(), subset.end());
  return subset;
}

}  // namespace manyone
