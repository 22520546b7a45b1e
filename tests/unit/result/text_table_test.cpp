// SPDX-License-Identifier: Apache-2.0
#include "result/text_table.hpp"

#include <gtest/gtest.h>

#include "selection/search.hpp"
#include "tests/unit/data/table_files.hpp"

namespace manyone::test {
namespace {

TEST(SurfaceText, InColourTheBestCellIsDarkestAndTheTextIsTheSame) {
  std::vector<Cell> cells;
  for (const double sigma : {0.5, 1.0}) {
    for (const double ridge : {1.0, 2.0}) {
      Cell one;
      one.at = {sigma, ridge};
      one.error = 0.1 * sigma + 0.1 * ridge;
      one.solved = true;
      cells.push_back(one);
    }
  }
  const std::string plain = surface_text(cells, best_cell(cells), true);
  std::string coloured = surface_text(cells, best_cell(cells), true, true);
  EXPECT_NE(coloured.find("\033[97;48;5;25m*15.00\033[0m"), std::string::npos) << coloured;
  for (std::size_t at = coloured.find('\033'); at != std::string::npos; at = coloured.find('\033')) {
    coloured.erase(at, coloured.find('m', at) - at + 1);
  }
  EXPECT_EQ(coloured, plain);
}

TEST(TextTable, FirstColumnIsFlushLeftTheOthersFlushRight) {
  EXPECT_EQ(text_table({{"class", "n"}, {"a", "100"}, {"bb", "7"}}),
            "class    n\n"
            "----------\n"
            "a      100\n"
            "bb       7\n");
}

TEST(TextTable, LettersCountOnceWhateverTheirBytes) {
  EXPECT_EQ(text_table({{"x", "n"}, {"Grüße", "1"}, {"ascii", "2"}}),
            "x      n\n"
            "--------\n"
            "Grüße  1\n"
            "ascii  2\n");
}

TEST(Percent, TwoDigits) {
  EXPECT_EQ(percent(0.12345), "12.35 %");
  EXPECT_EQ(percent(0), "0.00 %");
}

Metrics one_wrong(int classes) {
  std::vector<int> labels;
  for (int c = 0; c < classes; ++c) labels.push_back(c);
  std::vector<int> predicted = labels;
  predicted[0] = 1;
  MetricsCollector collector(classes);
  collector.add(labels, predicted);
  return collector.result();
}

std::vector<std::string> names(int classes) {
  std::vector<std::string> out;
  for (int c = 0; c < classes; ++c) out.push_back("class" + std::to_string(c));
  return out;
}

TEST(MetricsText, ShowsErrorsClassesAndConfusions) {
  const std::string text = metrics_text(one_wrong(3), names(3));
  expect_contains(text, "33.33 %  (1 of 3 rows)");
  expect_contains(text, "balanced error");
  expect_contains(text, "true \\ predicted");
  expect_contains(text, "precision");
  expect_contains(text, "-");  // class0 was never predicted
}

TEST(MetricsText, ManyClassesShowTheCommonestConfusionsInstead) {
  const std::string text = metrics_text(one_wrong(31), names(31));
  EXPECT_EQ(text.find("true \\ predicted"), std::string::npos);
  expect_contains(text, "predicted as");
  expect_contains(text, "class0");
}

Cell cell_at(double sigma, double ridge, double error) {
  Cell out{{sigma, ridge}};
  out.error = error;
  out.solved = true;
  return out;
}

TEST(SurfaceText, AGridIsATableWithTheBestCellMarked) {
  const std::vector<Cell> cells = {cell_at(0.5, 1, 0.2), cell_at(0.5, 3, 0.1), cell_at(1, 1, 0.3), cell_at(1, 3, 0.4)};
  const std::string text = surface_text(cells, cells[1], true);
  EXPECT_EQ(text,
            "cross-validation error in percent, * = chosen\n"
            "sigma \\ ridge    2^0       3\n"
            "----------------------------\n"
            "2^-1           20.00  *10.00\n"
            "2^0            30.00   40.00\n");
}

TEST(SurfaceText, OtherSurfacesAreAListOfTheBest) {
  std::vector<Cell> cells;
  for (int k = 0; k < 12; ++k) cells.push_back(cell_at(1 + k, 1 + 2 * k, 0.01 * (12 - k)));
  const std::string text = surface_text(cells, best_cell(cells), true);
  expect_contains(text, "the best 10 of 12 cells");
  EXPECT_LT(text.find("1.00 %"), text.find("2.00 %"));
  EXPECT_EQ(text.find("11.00 %"), std::string::npos);
}

TEST(SurfaceText, KernelsWithoutSigmaShowNone) {
  const std::vector<Cell> pair = {cell_at(1, 1, 0.2), cell_at(1, 2, 0.1)};
  const std::string text = surface_text(pair, pair[1], false);
  EXPECT_EQ(text.find("sigma"), std::string::npos);
  expect_contains(text, "ridge");
}

}  // namespace
}  // namespace manyone::test
