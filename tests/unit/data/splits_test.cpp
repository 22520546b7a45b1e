// SPDX-License-Identifier: Apache-2.0
#include "data/splits.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "tests/complaints.hpp"
#include "tests/problems.hpp"
#include "tests/unit/data/table_files.hpp"

namespace manyone::test {
namespace {

FoldPlan plan_of(int count, bool stratified = false) {
  FoldPlan plan;
  plan.count = count;
  plan.stratified = stratified;
  return plan;
}

std::pair<std::size_t, std::size_t> smallest_and_largest(const std::vector<std::vector<Index>>& folds) {
  std::size_t least = folds[0].size();
  std::size_t most = least;
  for (const auto& rows : folds) least = std::min(least, rows.size()), most = std::max(most, rows.size());
  return {least, most};
}

/// Labels with uneven classes, each with at least one row.
std::vector<int> uneven_labels(std::uint64_t seed) {
  Random random(seed);
  std::vector<int> labels;
  for (int c = 0; c < 4; ++c) labels.insert(labels.end(), 1 + random.below(30), c);
  random.shuffle(labels);
  return labels;
}

RC_GTEST_PROP(Folds, SizesDifferByAtMostOneAndCoverEveryRow, (std::uint64_t seed, bool stratified)) {
  const auto labels = uneven_labels(seed);
  const int k = *rc::gen::inRange(2, static_cast<int>(labels.size()) + 1);
  const auto folds = make_folds(plan_of(k, stratified), labels, seed, 0).rows();
  RC_ASSERT(std::ssize(folds) == k);
  const auto [least, most] = smallest_and_largest(folds);
  RC_ASSERT(most - least <= 1U);
  RC_ASSERT(std::accumulate(folds.begin(), folds.end(), std::size_t{0},
                            [](auto sum, const auto& f) { return sum + f.size(); }) == labels.size());
}

RC_GTEST_PROP(Folds, StratifiedFoldsSpreadEveryClass, (std::uint64_t seed)) {
  const auto labels = uneven_labels(seed);
  const int k = *rc::gen::inRange(2, std::min<int>(10, static_cast<int>(labels.size())) + 1);
  const Folds folds = make_folds(plan_of(k, true), labels, seed, 0);
  for (int c = 0; c < 4; ++c) {
    std::vector<int> count(static_cast<std::size_t>(k), 0);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (labels[i] == c) ++count[static_cast<std::size_t>(folds.fold_of_row[i])];
    }
    const auto [least, most] = std::minmax_element(count.begin(), count.end());
    RC_ASSERT(*most - *least <= 1);
  }
}

TEST(Folds, AreAFunctionOfSeedAndRepeat) {
  const auto labels = random_labels(50, 3, 1);
  const auto fold = [&](std::uint64_t seed, int repeat) {
    return make_folds(plan_of(5), labels, seed, repeat).fold_of_row;
  };
  EXPECT_EQ(fold(1, 0), fold(1, 0));
  EXPECT_NE(fold(1, 0), fold(2, 0));
  EXPECT_NE(fold(1, 0), fold(1, 1));
}

TEST(Folds, AreTheSameOnEveryMachine) {
  // Fixed for good: a change here changes every published error.
  const std::vector<int> labels(8, 0);
  EXPECT_EQ(make_folds(plan_of(3), labels, 1, 0).fold_of_row, (std::vector<int>{1, 1, 0, 2, 0, 2, 0, 1}));
}

TEST(Folds, LeaveOneOutGivesEveryRowItsOwn) {
  const std::vector<int> labels = {0, 1, 0};
  const Folds folds = make_folds(plan_of(0), labels, 1, 0);
  EXPECT_TRUE(plan_of(0).leave_one_out());
  EXPECT_EQ(folds.count, 3);
  EXPECT_EQ(folds.fold_of_row, (std::vector<int>{0, 1, 2}));
}

TEST(Folds, GivenFoldsAreTakenAsTheyAre) {
  FoldPlan plan = plan_of(0);
  plan.given = {1, 0, 1};
  EXPECT_FALSE(plan.leave_one_out());
  const Folds folds = make_folds(plan, std::vector<int>{0, 1, 0}, 1, 0);
  EXPECT_EQ(folds.count, 2);
  EXPECT_EQ(folds.fold_of_row, plan.given);
  EXPECT_EQ(folds.rows(), (std::vector<std::vector<Index>>{{1}, {0, 2}}));
}

TEST(Folds, WhatCannotBeMadeIsRefused) {
  const std::vector<int> labels = {0, 1, 0};
  expect_complaint([&] { make_folds(plan_of(1), labels, 1, 0); }, Fault::usage, "folds", "choose 2 to 3");
  expect_contains(message_of([&] { make_folds(plan_of(4), labels, 1, 0); }), "4 folds of 3 rows");
  FoldPlan plan;
  plan.given = {0, 1};
  expect_contains(message_of([&] { make_folds(plan, labels, 1, 0); }), "2 entries, the table 3 rows");
}

TEST(Folds, RestrictionKeepsTheOrderAndDropsEmptyFolds) {
  const Folds folds{3, {0, 1, 2, 1, 0}};
  const Folds part = folds.restricted_to(std::vector<Index>{1, 3, 4});
  EXPECT_EQ(part.count, 2);
  EXPECT_EQ(part.fold_of_row, (std::vector<int>{0, 0, 1}));
}

TEST(Folds, TextsBecomeFoldsInClassOrder) {
  EXPECT_EQ(folds_from_text({"10", "9", "10"}, "folds.txt"), (std::vector<int>{1, 0, 1}));
  EXPECT_EQ(folds_from_text({"b", "a", "b"}, "folds.txt"), (std::vector<int>{1, 0, 1}));
  expect_contains(message_of([] {
                    folds_from_text({"a", "a"}, "folds.txt");
                  }),
                  "folds.txt: expected at least two different folds");
}

RC_GTEST_PROP(StratifiedSubset, HoldsEveryClassInProportion, (std::uint64_t seed)) {
  const auto labels = uneven_labels(seed);
  const auto n = static_cast<double>(labels.size());
  const Index size = *rc::gen::inRange<Index>(4, std::ssize(labels) + 1);
  const auto subset = stratified_subset(labels, size, seed);
  RC_ASSERT(std::is_sorted(subset.begin(), subset.end()));
  RC_ASSERT(std::adjacent_find(subset.begin(), subset.end()) == subset.end());
  RC_ASSERT(subset.front() >= 0 && subset.back() < std::ssize(labels));
  RC_ASSERT(std::abs(std::ssize(subset) - size) <= 4);
  for (int c = 0; c < 4; ++c) {
    const auto all = static_cast<double>(std::count(labels.begin(), labels.end(), c));
    const auto kept = static_cast<double>(
        std::count_if(subset.begin(), subset.end(), [&](Index i) { return labels[static_cast<std::size_t>(i)] == c; }));
    RC_ASSERT(kept >= 1);
    RC_ASSERT(std::abs(kept - all * static_cast<double>(size) / n) <=
              4);  // rounding, and one row for each class before it
  }
}

std::vector<int> random_groups(std::size_t rows, std::uint64_t seed) {
  return random_labels(static_cast<Index>(rows), 9, seed + 5);
}

bool torn(std::span<const int> groups, std::span<const int> parts) {
  std::map<int, std::set<int>> parts_of;
  for (std::size_t i = 0; i < groups.size(); ++i) parts_of[groups[i]].insert(parts[i]);
  return std::any_of(parts_of.begin(), parts_of.end(), [](const auto& entry) { return entry.second.size() > 1; });
}

RC_GTEST_PROP(Groups, AreNeverInTwoFolds, (std::uint64_t seed)) {
  const auto labels = uneven_labels(seed);
  FoldPlan plan = plan_of(*rc::gen::inRange(2, 6), *rc::gen::arbitrary<bool>());
  plan.groups = random_groups(labels.size(), seed);
  RC_PRE(std::set<int>(plan.groups.begin(), plan.groups.end()).size() == 9);
  for (int repeat = 0; repeat < 3; ++repeat) {
    const Folds folds = make_folds(plan, labels, seed, repeat);
    RC_ASSERT(folds.distinct() == plan.count);
    RC_ASSERT(!torn(plan.groups, folds.fold_of_row));
  }
  const auto subset = stratified_subset(labels, std::ssize(labels) / 2, seed);
  const FoldPlan of_subset = plan.of_rows(subset);
  if (of_subset.count >= 2) {
    std::vector<int> labels_of_subset;
    for (const Index i : subset) labels_of_subset.push_back(labels[static_cast<std::size_t>(i)]);
    RC_ASSERT(!torn(of_subset.groups, make_folds(of_subset, labels_of_subset, seed, 0).fold_of_row));
  }
}

TEST(Groups, FillFoldsEvenly) {
  FoldPlan plan = plan_of(3);
  for (int group = 0; group < 30; ++group)
    plan.groups.insert(plan.groups.end(), static_cast<std::size_t>(1 + group % 5), group);
  const std::vector<int> labels(plan.groups.size(), 0);
  for (const auto& rows : make_folds(plan, labels, 1, 0).rows()) EXPECT_EQ(rows.size(), 30);
}

TEST(Groups, AreSpreadByClassWhenStratified) {
  FoldPlan plan = plan_of(4, true);
  std::vector<int> labels;
  for (int row = 0; row < 80; ++row) {
    plan.groups.push_back(row / 5);
    labels.push_back(row / 40);
  }
  for (const auto& rows : make_folds(plan, labels, 1, 0).rows()) {
    EXPECT_EQ(std::count_if(rows.begin(), rows.end(), [](Index i) { return i < 40; }), 10);
    EXPECT_EQ(rows.size(), 20);
  }
}

TEST(Groups, LeaveOneOutLeavesOneGroupOut) {
  FoldPlan plan = plan_of(0);
  plan.groups = {0, 1, 1, 2, 0};
  EXPECT_EQ(make_folds(plan, std::vector<int>(5, 0), 1, 0).fold_of_row, plan.groups);
}

TEST(Groups, FewerThanFoldsAreRefused) {
  FoldPlan plan = plan_of(3);
  plan.groups = {0, 1, 1, 0};
  expect_contains(message_of([&] { make_folds(plan, std::vector<int>(4, 0), 1, 0); }), "3 folds of 2 groups");
}

RC_GTEST_PROP(Groups, OfASubsetAreWholeAndNotAll, (std::uint64_t seed)) {
  const auto groups = random_groups(60, seed);
  const auto subset = grouped_subset(groups, *rc::gen::inRange<Index>(1, 60), seed);
  std::vector<int> inside(60, 0);
  for (const Index i : subset) inside[static_cast<std::size_t>(i)] = 1;
  RC_ASSERT(!torn(groups, inside));
  RC_ASSERT(!subset.empty() && subset.size() < 60u);
  RC_ASSERT(std::is_sorted(subset.begin(), subset.end()));
}

TEST(StratifiedSubset, HasTheWantedSizeWhenClassesAreLarge) {
  const auto labels = random_labels(1000, 7, 1);
  EXPECT_EQ(std::ssize(stratified_subset(labels, 333, 1)), 333);
  EXPECT_EQ(std::ssize(stratified_subset(labels, 1000, 1)), 1000);
}

TEST(StratifiedSubset, IsAFunctionOfTheSeed) {
  const auto labels = random_labels(100, 3, 1);
  EXPECT_EQ(stratified_subset(labels, 50, 1), stratified_subset(labels, 50, 1));
  EXPECT_NE(stratified_subset(labels, 50, 1), stratified_subset(labels, 50, 2));
}

}  // namespace
}  // namespace manyone::test
