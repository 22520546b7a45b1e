// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "backend/runtime.hpp"
#include "manyone/errors.hpp"
#include "studies/table_findings.hpp"
#include "studies/table_text.hpp"
#include "tests/problems.hpp"

namespace manyone::test {
namespace {

using Names = std::vector<std::string>;

std::size_t place(const PublishedTable& table, const std::string& set) {
  for (std::size_t s = 0; s < table.sets.size(); ++s) {
    if (table.sets[s].name == set) return s;
  }
  throw InputError("no such set");
}

Reproduction trial(const std::string& name, const Names& machines, const std::string& set, Dataset data,
                   std::optional<Dataset> test = {}, const TrialOptions& options = {}) {
  const PublishedTable& table = published_table(name);
  const ReproduceChoice choice = choose_part(table, machines, Names{set});
  const std::vector<FoundSet> found = {{place(table, set), std::move(data), std::move(test)}};
  const Runtime runtime(1);
  return reproduce_trials(runtime.execution(), choice, found, options);
}

TEST(TrainAndTest, CutsWhereTheTestRowsBegin) {
  const Dataset data = clouds(12, 2, 3, 0.1, 1);
  PublishedSet set;
  const auto [all, none] = train_and_test(set, data);
  EXPECT_EQ(all.rows(), 12);
  EXPECT_FALSE(none);
  set.train = 9;
  const auto [train, test] = train_and_test(set, data);
  EXPECT_EQ(train.rows(), 9);
  ASSERT_TRUE(test);
  EXPECT_EQ(test->labels, std::vector<int>(data.labels.begin() + 9, data.labels.end()));
  set.train = 12;
  EXPECT_THROW(train_and_test(set, data), InputError) << "nothing is left to test";
}

TEST(ReproduceTrials, CodesAreComparedPairByPair) {
  const Reproduction result = trial("rifkin-tables", {"svm-ova", "svm-ava", "rlsc-ova"}, "glass", bundled("glass"));
  ASSERT_EQ(result.cells.size(), 3U);
  for (const ReproducedCell& cell : result.cells) {
    ASSERT_TRUE(cell.ours);
    EXPECT_EQ(cell.predicted.size(), 214U);
    EXPECT_LT(cell.ours->mean(), 0.4);
  }
  ASSERT_EQ(result.pairs.size(), 2U) << "AVA vs. OVA, SVM vs. RLSC";
  const ReproducedPair& pair = result.pairs[0];
  EXPECT_EQ(pair.counts.rows(), 214);
  EXPECT_NEAR(pair.counts.difference(), result.cells[1].ours->mean() - result.cells[0].ours->mean(), 1e-12);
  EXPECT_LE(pair.interval.low, pair.counts.difference());
  EXPECT_GE(pair.interval.high, pair.counts.difference());
  EXPECT_NE(pairs_text(result).find("SVM AVA vs. OVA"), std::string::npos);
  EXPECT_EQ(reproduction_json(result)["pairs"].size(), 2U);
  EXPECT_EQ(ranks_text(result), "");
}

TEST(ReproduceTrials, CodesThatThePaperLeavesOutAreLeftOut) {
  const Reproduction result = trial("rifkin-tables", {"svm-dense", "svm-ava"}, "car", clouds(60, 3, 4, 0.2, 1));
  ASSERT_EQ(result.cells.size(), 2U);
  EXPECT_TRUE(result.cells[0].ours) << "AVA";
  EXPECT_FALSE(result.cells[1].ours) << "DENSE has no entry for four classes";
}

TEST(ReproduceTrials, NestedErrorsAreRanked) {
  TrialOptions options;
  options.repeats = 2;
  const Reproduction result =
      trial("elyaniv-table2", {"svm-ova", "svm-ovo", "sbc-identity"}, "iris", bundled("iris"), {}, options);
  for (const ReproducedCell& cell : result.cells) {
    ASSERT_TRUE(cell.ours);
    EXPECT_EQ(cell.ours->errors.size(), 2U);
    EXPECT_LT(cell.ours->mean(), 0.1);
  }
  const Json json = reproduction_json(result)["ranks"];
  EXPECT_EQ(json["datasets"], Json::array({"iris"}));
  double sum = 0;
  for (const Json& machine : json["machines"]) sum += machine["ours"].get<double>();
  EXPECT_DOUBLE_EQ(sum, 6) << "1 + 2 + 3, however ties are shared";
  EXPECT_EQ(json["first"]["published"], "SBC-IDENTITY");
  EXPECT_TRUE(json["F"]["ours"].is_null()) << "one data set";
}

TEST(ReproduceTrials, ATestFileIsPredictedAndRowsMayBeLimited) {
  TrialOptions options;
  options.rows = 60;
  const Dataset all = clouds(400, 4, 3, 0.2, 2);
  PublishedSet cut;
  cut.train = 150;
  auto [train, test] = train_and_test(cut, all);
  const Reproduction result = trial("hsu-lin", {"svm-ovo", "svm-dag"}, "dna", train, test, options);
  for (const ReproducedCell& cell : result.cells) {
    ASSERT_TRUE(cell.ours);
    EXPECT_EQ(cell.predicted.size(), 250U);
  }
  ASSERT_EQ(result.notes.size(), 1U);
  EXPECT_EQ(result.notes[0], "dna: trained on 60 of 150 rows, tested on 250 others");
  const Json spread = reproduction_json(result)["spread"];
  ASSERT_EQ(spread.size(), 1U);
  EXPECT_NEAR(spread[0]["published"]["best"].get<double>(), 100 - 95.869, 1e-9);
}

TEST(ReproduceTrials, AnInterruptLeavesCellsEmpty) {
  const PublishedTable& table = published_table("rifkin-tables");
  const ReproduceChoice choice = choose_part(table, Names{"svm-ova"}, Names{"glass"});
  const std::vector<FoundSet> found = {{place(table, "glass"), bundled("glass")}};
  Runtime runtime(1);
  runtime.interrupt().request();
  const Reproduction result = reproduce_trials(runtime.execution(), choice, found, {});
  EXPECT_TRUE(result.interrupted);
  EXPECT_FALSE(result.cells[0].ours);
}

}  // namespace
}  // namespace manyone::test
