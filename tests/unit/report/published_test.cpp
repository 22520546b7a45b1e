// SPDX-License-Identifier: Apache-2.0
#include "manyone/report/published.hpp"

#include <gtest/gtest.h>

#include "manyone/base/errors.hpp"

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

TEST(PublishedCell, AnythingElseIsRefused) {
  for (const char* text : {"", "x", "2.8 [1]", "2.8 [1, x]", "[1, 2]", "2.8 (1:2:3:4)", "2.8 ()", "2.8 3.1"})
    EXPECT_THROW(parse_published_cell(text), InputError) << text;
}

TEST(Published, TheFourTablesAreThere) {
  std::vector<std::string> names;
  for (const PublishedTable& table : published_tables()) names.push_back(table.name);
  EXPECT_EQ(names, (std::vector<std::string>{"honeine-table4", "honeine-table5", "honeine-table6", "noumir-iris"}));
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
        R"("cells": [null], "doubts": {"s": ["why"]}})"})
    EXPECT_THROW(parse_published(small_table(row + rest)), InputError) << rest;
  EXPECT_THROW(parse_published("{"), InputError);
}

}  // namespace
}  // namespace manyone::test
