// SPDX-License-Identifier: Apache-2.0
#include "data/records/csv_reader.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/numbers.hpp"
#include "table_files.hpp"

namespace manyone::test {
namespace {

TEST(Csv, AllSpellingsOfATableReadAlike) {
  const Matrix expected{{1, 2.5}, {3, -0.4}, {5, 0.5}};
  for (const char* name :
       {"csv-header.csv", "csv-crlf.csv", "csv-bom.csv", "csv-blank-lines.csv", "csv-no-final-newline.csv",
        "csv-tabs.tsv", "csv-semicolons.csv", "csv-quoted.csv", "csv-packed.csv.gz"}) {
    SCOPED_TRACE(name);
    const Dataset data = read_dataset(valid_file(name), {});
    EXPECT_EQ(data.features.dense(), expected);
    EXPECT_EQ(data.labels, (std::vector<int>{0, 1, 0}));
    EXPECT_EQ(data.classes, (Names{"a", "b"}));
    EXPECT_EQ(data.schema.feature_names(), (Names{"width", "height"}));
    EXPECT_EQ(data.schema.target, "class");
    EXPECT_EQ(data.schema.target_position, 2);
    EXPECT_TRUE(data.schema.named);
    EXPECT_FALSE(data.schema.plain);
  }
}

TEST(Csv, ATableWithoutHeaderHasNumberedFeatures) {
  const Dataset data = read_dataset(valid_file("csv-without-header.csv"), {});
  EXPECT_EQ(data.rows(), 3);
  EXPECT_FALSE(data.schema.named);
  EXPECT_TRUE(data.schema.plain);
  EXPECT_EQ(data.schema.feature_names(), (Names{"f1", "f2"}));
}

TEST(Csv, QuotedCellsHoldDelimitersQuotesAndLineEnds) {
  const Dataset data = read_dataset(valid_file("csv-quoted-text.csv"), {});
  EXPECT_EQ(data.classes, (Names{"maybe\nnot", "no", "yes"}));
  EXPECT_EQ(data.schema.columns[0].name, "a \"size\", in\ncm");
  EXPECT_EQ(data.schema.columns[1].values, (Names{"x \"z\"", "x, y"}));
}

TEST(Csv, NominalColumnsBecomeOneFeaturePerValue) {
  const Dataset data = read_dataset(valid_file("csv-nominal.csv"), {});
  EXPECT_EQ(data.schema.feature_names(),
            (Names{"colour=blue", "colour=green", "colour=red", "doors=2", "doors=4", "doors=more", "size"}));
  EXPECT_EQ(
      data.features.dense(),
      (Matrix{{0, 0, 1, 1, 0, 0, 1.5}, {0, 1, 0, 0, 1, 0, 2.5}, {0, 0, 1, 0, 0, 1, 3.5}, {1, 0, 0, 0, 1, 0, 4.5}}));
}

TEST(Csv, NumbersAreNominalWhenAskedFor) {
  ReadOptions options;
  options.nominal = {"x"};
  const Dataset data = dataset_from("x,y,class\n10,1,a\n9,2,b\n10.0,3,a\n", options);
  EXPECT_EQ(data.schema.columns[0].values, (Names{"9", "10"}));
  EXPECT_EQ(data.features.dense(), (Matrix{{0, 1, 1}, {1, 0, 2}, {0, 1, 3}}));
}

TEST(Csv, AHeaderOfWordsIsFoundBySeeingNoneAgain) {
  EXPECT_TRUE(read_dataset(valid_file("csv-words-only.csv"), {}).schema.named);
  const Dataset bare = read_dataset(valid_file("csv-words-only-without-header.csv"), {});
  EXPECT_FALSE(bare.schema.named);
  EXPECT_EQ(bare.rows(), 4);
}

TEST(Csv, TheHeaderOptionOverridesDetection) {
  ReadOptions options;
  options.header = false;
  EXPECT_EQ(dataset_from("u,v,a\nx,y,b\n", options).rows(), 2);
  options.header = true;
  const Dataset data = dataset_from("1,2,3\n4,5,a\n6,7,b\n", options);
  EXPECT_EQ(data.rows(), 2);
  EXPECT_EQ(data.schema.target, "3");
}

TEST(Csv, TargetAndFoldColumnsAreGivenByNameOrNumber) {
  ReadOptions options;
  options.fold_column = "fold";
  const Dataset data = read_dataset(valid_file("csv-folds.csv"), options);
  EXPECT_EQ(data.folds, (Names{"one", "two", "one", "two"}));
  EXPECT_EQ(data.features.features(), 1);
  EXPECT_EQ(data.schema.fold, "fold");
  options.target = "1";
  EXPECT_EQ(read_dataset(valid_file("csv-folds.csv"), options).class_count(), 4);
  options.target = "clas";
  expect_contains(message_of([&] { read_dataset(valid_file("csv-folds.csv"), options); }), "did you mean 'class'");
  options.target = "9";
  EXPECT_THROW(read_dataset(valid_file("csv-folds.csv"), options), ConfigError);
}

TEST(Csv, LabelsKeepTheirText) { EXPECT_EQ(dataset_from("1, 1.0 \n2,01\n3,1\n").classes, (Names{"01", "1", "1.0"})); }

TEST(Csv, MissingRowsAreDroppedAndCounted) {
  ReadOptions options;
  options.missing = MissingPolicy::drop;
  const Dataset data = dataset_from("x,k,class\n1,u,a\n,v,b\n3,u,b\n", options);
  EXPECT_EQ(data.dropped, 1);
  EXPECT_EQ(data.kept, (std::vector<Index>{0, 2}));
  EXPECT_EQ(data.schema.columns[1].values, (Names{"u"})) << "a value seen in dropped rows only is no feature";
}

TEST(Csv, MissingCellsBecomeMeans) {
  ReadOptions options;
  options.missing = MissingPolicy::mean;
  const Dataset data = read_dataset(valid_file("csv-missing.csv"), options);
  EXPECT_EQ(data.schema.feature_names(), (Names{"x", "kind=u", "kind=v"}));
  EXPECT_EQ(data.features.dense(), (Matrix{{1, 1, 0}, {3, 0, 1}, {3, 0.5, 0.5}, {5, 0.5, 0.5}}));
}

TEST(Csv, MissingCellsOfNumbersAreFilledInPlace) {
  ReadOptions options;
  options.missing = MissingPolicy::mean;
  EXPECT_EQ(dataset_from("1,2,a\n?,4,b\n5,NA,a\n", options).features.dense(), (Matrix{{1, 2}, {3, 4}, {5, 3}}));
}

TEST(Csv, MissingCellsCanHaveAFeatureOfTheirOwn) {
  ReadOptions options;
  options.missing = MissingPolicy::indicator;
  const Dataset data = read_dataset(valid_file("csv-missing.csv"), options);
  EXPECT_EQ(data.schema.feature_names(), (Names{"x", "x missing", "kind=u", "kind=v", "kind missing"}));
  EXPECT_EQ(data.features.dense(), (Matrix{{1, 0, 1, 0, 0}, {3, 1, 0, 1, 0}, {3, 0, 0, 0, 1}, {5, 0, 0, 0, 1}}));
}

TEST(Csv, AnErrorBehindAQuotedLineEndNamesItsOwnLine) {
  expect_contains(message_of([] { dataset_from("k,x,class\n\"a\nb\",1,p\n\"c\nd\",inf,q\n"); }),
                  "table.csv:5:2: 'inf'");
}

TEST(Csv, ACellLongerThanALimitIsRefusedEarly) {
  expect_contains(message_of([] { dataset_from("x,class\n" + std::string(std::size_t{4} << 20, '1')); }),
                  "table.csv:2:1: the cell is longer");
  expect_contains(message_of([] { dataset_from("x,class\n\"" + std::string(std::size_t{4} << 20, '\n')); }),
                  "not closed within 1 MB");
}

TEST(Csv, ATableBeyondTheBudgetIsRefused) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "1,2," + std::to_string(i % 2) + "\n";
  ReadOptions options;
  options.memory = MemoryBudget(20'000);
  EXPECT_THROW(dataset_from(text, options), MemoryError);
}

TEST(Csv, AnIdentifierColumnIsNamedWhenOneHotWouldNotFit) {
  std::string text = "id,class\n";
  for (int i = 0; i < 2000; ++i) text += "name" + std::to_string(i) + "," + std::to_string(i % 2) + "\n";
  ReadOptions options;
  options.memory = MemoryBudget(4'000'000);
  options.keep_identifiers = true;
  expect_contains(message_of([&] { dataset_from(text, options); }), "column 'id' alone has 2000 distinct values");
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

RC_GTEST_PROP(Csv, NumbersWrittenReadBackToTheSameBits, ()) {
  const auto rows = *rc::gen::inRange<Index>(2, 30);
  const auto columns = *rc::gen::inRange<Index>(1, 6);
  const char delimiter = *rc::gen::element(',', '\t', ';');
  const auto step = *rc::gen::inRange<std::size_t>(1, 40);
  const bool header = *rc::gen::arbitrary<bool>();
  const std::string line_end = *rc::gen::element(std::string("\n"), std::string("\r\n"), std::string("\n\n"));
  Matrix x(rows, columns);
  std::string text;
  for (Index j = 0; j <= columns && header; ++j)
    text += "name" + std::to_string(j) + (j < columns ? std::string(1, delimiter) : line_end);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j) {
      x(i, j) = *rc::gen::arbitrary<double>();
      const std::string cell = format_double(x(i, j));
      text += (*rc::gen::inRange(0, 4) == 0 ? quoted(cell) : cell) + delimiter;
    }
    text += (i % 2 ? "odd" : "even") + line_end;
  }
  const Dataset data = dataset_from(text, {}, "table.csv", step);
  RC_ASSERT(data.features.dense() == x);
  RC_ASSERT(data.schema.named == header);
}

RC_GTEST_PROP(Csv, QuotedWordsReadBackAsTheyAre, ()) {
  const auto word = rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab\",;\t\n\r x")));
  const auto words = *rc::gen::container<Names>(8, word);
  const auto step = *rc::gen::inRange<std::size_t>(1, 10);
  std::string text = "1,x\n";
  Names expected = {"x"};
  for (const std::string& w : words) {
    if (trim(w).empty()) continue;
    text += "2," + quoted(w) + "\n";
    expected.emplace_back(trim(w));
  }
  RC_PRE(class_order(expected).size() > 1);
  RC_ASSERT(dataset_from(text, {}, "table.csv", step).classes == class_order(expected));
}

}  // namespace
}  // namespace manyone::test
