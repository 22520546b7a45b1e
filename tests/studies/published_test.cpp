// SPDX-License-Identifier: Apache-2.0
#include "studies/published.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "manyone/errors.hpp"
#include "statistics/friedman.hpp"

namespace manyone::test {
namespace {

const PublishedRow& row_of(const PublishedTable& table, const std::string& machine, const std::string& book,
                           bool bias = false) {
  for (const PublishedRow& row : table.rows) {
    if (row.machine == machine && row.labelbook == book && row.bias == bias) return row;
  }
  throw InputError("no such row");
}

TEST(PublishedCell, HasMeanRangeAndTime) {
  const PublishedCell cell = parse_published_cell("27.39 [24.9, 28.7] (1:48:28)");
  EXPECT_EQ(cell.mean, 27.39);
  EXPECT_EQ(cell.best, 24.9);
  EXPECT_EQ(cell.worst, 28.7);
  EXPECT_EQ(cell.seconds, 3600 + 48 * 60 + 28);
  EXPECT_EQ(cell.text, "27.39 [24.9, 28.7] (1:48:28)");
}

TEST(PublishedCell, PartsMayBeAbsent) {
  EXPECT_FALSE(parse_published_cell("3.33").best);
  EXPECT_EQ(parse_published_cell("6.50 (7:42)").seconds, 462);
  EXPECT_FALSE(parse_published_cell("(38)").mean);
  EXPECT_EQ(parse_published_cell("(0.003)").seconds, 0.003);
}

TEST(PublishedCell, AccuraciesBecomeErrorsInPercent) {
  const PublishedCell cell = parse_published_cell("0.9773 +- 0.0057", true);
  EXPECT_NEAR(*cell.mean, 2.27, 1e-12);
  EXPECT_NEAR(*cell.deviation, 0.57, 1e-12);
  EXPECT_EQ(cell.text, "0.9773 +- 0.0057");
  EXPECT_EQ(parse_published_cell("2.27 +- 0.57").mean, 2.27);
  EXPECT_FALSE(parse_published_cell("0.9085", true).deviation);
}

TEST(PublishedCell, TimesOfTwoStages) {
  const PublishedCell cell = parse_published_cell("(2.64; 1:02.50)");
  EXPECT_EQ(cell.seconds, 2.64);
  EXPECT_EQ(cell.test_seconds, 62.5);
}

TEST(PublishedSetting, IsACostAndAGamma) {
  const PublishedSetting setting = parse_published_setting("17413 0.0458");
  EXPECT_EQ(setting.cost, 17413);
  EXPECT_EQ(setting.gamma, 0.0458);
  for (const char* text : {"", "1", "1 ", "1 x", "0 1", "1 -1", "1 2 3"})
    EXPECT_THROW(parse_published_setting(text), InputError) << text;
}

TEST(Published, SettingsOfChenAreThoseOfTheirTimes) {
  const PublishedTable& errors = published_table("chen-table3");
  const PublishedTable& times = published_table("chen-tables4-5");
  for (const PublishedRow& row : times.rows) {
    const auto same = std::find_if(errors.rows.begin(), errors.rows.end(),
                                   [&](const PublishedRow& other) { return other.choice() == row.choice(); });
    ASSERT_NE(same, errors.rows.end()) << row.name;
    for (std::size_t s = 0; s < times.sets.size() && !row.settings.empty(); ++s) {
      const std::size_t place = errors.sets.size() - times.sets.size() + s;
      ASSERT_EQ(errors.sets[place].name, times.sets[s].name);
      EXPECT_EQ(errors.sets[place].centres, times.sets[s].centres);
      EXPECT_EQ(same->settings[place]->cost, row.settings[s]->cost);
      EXPECT_EQ(same->settings[place]->gamma, row.settings[s]->gamma);
    }
  }
}

TEST(PublishedCell, AnythingElseIsRefused) {
  for (const char* text : {"", "x", "2.8 [1]", "2.8 [1, x]", "[1, 2]", "2.8 (1:2:3:4)", "2.8 ()", "2.8 3.1", "+- 1",
                           "2.8 +- x", "2.8 (1; x)", "2.8 (1;)", "2.8 (1; 2; 3)"})
    EXPECT_THROW(parse_published_cell(text), InputError) << text;
}

TEST(PublishedPair, HasErrorsDifferenceAgreementAndInterval) {
  const PublishedPairCell cell = parse_published_pair("8.15 7.80 -.350 0.984 [-5E-4, 0.008]");
  EXPECT_EQ(cell.first, 8.15);
  EXPECT_EQ(cell.second, 7.8);
  EXPECT_EQ(cell.difference, -0.35);
  EXPECT_EQ(cell.agreement, 0.984);
  EXPECT_EQ(cell.low, -5e-4);
  EXPECT_EQ(cell.high, 0.008);
  for (const char* text : {"", "8.15 7.80", "8.15 7.80 0.350 0.984", "8.15 7.80 0.350 0.984 [1]",
                           "8.15 x 0.350 0.984 [1, 2]", "8.15 7.80 0.350 0.984 [1, 2] 3"})
    EXPECT_THROW(parse_published_pair(text), InputError) << text;
}

TEST(PublishedPair, TheDifferenceIsThatOfTheErrorsUnlessDoubted) {
  const PublishedTable& table = published_table("rifkin-tables");
  EXPECT_EQ(table.pairs.size(), 8U);
  for (const PublishedPair& pair : table.pairs) {
    for (std::size_t s = 0; s < table.sets.size(); ++s) {
      const auto& cell = pair.cells[s];
      if (!cell) continue;
      EXPECT_EQ(cell->first, table.rows[pair.first].cells[s]->mean) << cell->text;
      EXPECT_EQ(cell->second, table.rows[pair.second].cells[s]->mean) << cell->text;
      const bool right = std::abs(cell->first - cell->second - cell->difference) < 0.025;  // they round, and cut
      const auto& doubts = cell->doubts;
      const bool doubted = std::any_of(doubts.begin(), doubts.end(), [](const auto& key) { return key != "misnamed"; });
      EXPECT_NE(right, doubted) << pair.title << ", " << table.sets[s].name << ": " << cell->text;
    }
  }
}

TEST(Published, RanksOfElYanivAreThoseOfTenRows) {
  const PublishedTable& table = published_table("elyaniv-table2");
  Matrix errors(static_cast<Index>(table.sets.size()), static_cast<Index>(table.rows.size()));
  for (Index i = 0; i < errors.rows(); ++i) {
    for (Index j = 0; j < errors.cols(); ++j)
      errors(i, j) = *table.rows[static_cast<std::size_t>(j)].cells[static_cast<std::size_t>(i)]->mean;
  }
  const Friedman test = friedman(errors);  // SPEC, erratum 4 of El-Yaniv et al.
  const Vector ranks{{3.90, 4.55, 4.55, 3.20, 6.40, 3.40, 2.00}};
  EXPECT_TRUE(test.ranks.isApprox(ranks, 1e-12)) << test.ranks.transpose();
  EXPECT_NEAR(*test.F, 6.16, 0.005);
}

TEST(Published, EntriesOfHsuAndLinLieBetweenBestAndWorst) {
  const PublishedTable& table = published_table("hsu-lin");
  for (std::size_t s = 0; s < table.sets.size(); ++s) {
    ASSERT_TRUE(table.sets[s].best && table.sets[s].worst) << table.sets[s].name;
    for (const PublishedRow& row : table.rows) {
      if (!row.cells[s]) continue;
      EXPECT_GE(*row.cells[s]->mean, 100 - *table.sets[s].best - 0.01) << row.name;  // cut after two digits
      EXPECT_LE(*row.cells[s]->mean, 100 - *table.sets[s].worst + 0.01) << row.name;
    }
  }
}

TEST(Published, TheTablesAreThere) {
  std::vector<std::string> names;
  for (const PublishedTable& table : published_tables()) names.push_back(table.name);
  EXPECT_EQ(names, (std::vector<std::string>{"honeine-table4", "honeine-table5", "honeine-table6", "noumir-iris",
                                             "elyaniv-table2", "hsu-lin", "rifkin-tables", "chen-table3",
                                             "chen-tables4-5", "chen-figures"}));
}

TEST(Published, AnUnknownTableIsAnErrorThatListsTheNames) {
  try {
    published_table("honeine-table7");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("noumir-iris"), std::string::npos);
  }
}

TEST(Published, MeansLieBetweenBestAndWorst) {
  for (const PublishedTable& table : published_tables()) {
    for (const PublishedRow& row : table.rows) {
      for (const auto& cell : row.cells) {
        if (!cell || !cell->best) continue;
        EXPECT_GE(*cell->mean, *cell->best) << row.name << " " << cell->text;
        EXPECT_LE(*cell->mean, *cell->worst) << row.name << " " << cell->text;
      }
    }
  }
}

TEST(Published, WhatCannotBeRightIsMarked) {
  const PublishedTable& table = published_table("honeine-table4");
  using Keys = std::vector<std::string>;
  EXPECT_EQ(row_of(table, "vo-lssvm", "alignment").cells[0]->doubts, (Keys{"mean", "same-gram"}));
  EXPECT_EQ(row_of(table, "vo-lssvm", "alignment").cells[3]->doubts, Keys{}) << "vowel agrees with mincorr";
  EXPECT_EQ(row_of(table, "vo-rls-f", "consistency").cells[2]->doubts, (Keys{"same-function"}));
  EXPECT_EQ(row_of(table, "vo-svm", "pm1", true).cells[4]->doubts, (Keys{"degenerate"}));
  EXPECT_EQ(row_of(table, "onelsm", "").cells[0]->doubts, Keys{});
}

std::string small_table(const std::string& rows) {
  return R"({"tables": [{"name": "t", "title": "", "source": "", "remarks": [], "reasons": {"why": "because"},
             "datasets": [{"name": "s", "table": "s", "rows": 1, "features": 1, "classes": 2}], "rows": [)" +
         rows + "]}]}";
}

TEST(Published, MistakesInTheFileAreFound) {
  const std::string row = R"({"name": "r", "machine": "m", )";
  EXPECT_EQ(parse_published(small_table(row + R"("cells": ["1"], "doubts": {"s": ["why"]}})")).size(), 1U);
  for (const char* rest :
       {R"("cells": []})", R"("cells": ["1 2"]})", R"("cells": [7]})", R"("cel": ["1"]})",
        R"("cells": ["1"], "doubts": {"t": ["why"]}})", R"("cells": ["1"], "doubts": {"s": ["no"]}})",
        R"("cells": [null], "doubts": {"s": ["why"]}})", R"("cells": ["1"], "settings": ["1 2", "3 4"]})",
        R"("cells": ["1"], "settings": ["1"]})"})
    EXPECT_THROW(parse_published(small_table(row + rest)), InputError) << rest;
  EXPECT_THROW(parse_published("{"), InputError);
}

}  // namespace
}  // namespace manyone::test
