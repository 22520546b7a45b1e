// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/numbers.hpp"
#include "table_files.hpp"

namespace manyone::test {
namespace {

const char* const kTable = "x,k,class\n1,u,a\n2,v,b\n3,u,b\n";

TEST(BlockReader, TheTrainingTableReadsAsInTraining) {
  for (const char* name :
       {"csv-header.csv", "csv-nominal.csv", "csv-without-header.csv", "csv-words-only-without-header.csv",
        "csv-quoted-text.csv", "libsvm-dense.svm", "libsvm-sparse.svm", "arff-sparse.arff", "small-images-idx3-ubyte",
        "packed-images-idx3-ubyte.gz"}) {
    SCOPED_TRACE(name);
    const Dataset data = read_dataset(valid_file(name), {});
    for (const Index rows : {1, 2, 100}) {
      const Block block = whole(BlockReader(valid_file(name), data.schema, {.rows_per_block = rows}));
      EXPECT_EQ(block.features.dense(), data.features.dense_rows(0, data.rows()));
      ASSERT_EQ(std::ssize(block.labels), data.rows());
      for (std::size_t i = 0; i < block.labels.size(); ++i) {
        EXPECT_EQ(block.labels[i], data.classes[static_cast<std::size_t>(data.labels[i])]);
      }
    }
  }
}

TEST(BlockReader, ColumnsAreFoundByNameInAnyOrder) {
  const Schema schema = dataset_from(kTable).schema;
  const Block block = whole(blocks_from("class,k,x\nb,v,7\n", schema));
  EXPECT_EQ(block.features.dense(), (Matrix{{7, 0, 1}}));
  EXPECT_EQ(block.labels, (Names{"b"}));
}

TEST(BlockReader, TheTargetMayBeAbsent) {
  const Schema schema = dataset_from(kTable).schema;
  for (const char* text : {"x,k\n7,v\n", "k,x\nv,7\n", "7,v\n"}) {
    BlockReader reader = blocks_from(text, schema);
    EXPECT_FALSE(reader.has_target());
    const Block block = whole(std::move(reader));
    EXPECT_EQ(block.features.dense(), (Matrix{{7, 0, 1}}));
    EXPECT_TRUE(block.labels.empty());
  }
  expect_contains(message_of([&] { blocks_from("7,v\n", schema, {.require_target = true}); }), "expected the classes");
}

TEST(BlockReader, LabelsThatNobodyWantsStayUnread) {
  for (const char* name : {"csv-header.csv", "csv-quoted-text.csv", "libsvm-dense.svm", "libsvm-sparse.svm",
                           "arff-sparse.arff", "small-images-idx3-ubyte"}) {
    SCOPED_TRACE(name);
    const Dataset data = read_dataset(valid_file(name), {});
    const Block block = whole(BlockReader(valid_file(name), data.schema, {.labels = false, .rows_per_block = 2}));
    EXPECT_EQ(block.features.dense(), data.features.dense_rows(0, data.rows()));
    EXPECT_TRUE(block.labels.empty());
  }
}

TEST(BlockReader, WithoutNamesTheTargetIsWhereItWasInTraining) {
  ReadOptions options;
  options.target = "1";
  const Schema schema = dataset_from("a,1,2\nb,3,4\n", options).schema;
  const Block block = whole(blocks_from("b,5,6\n", schema));
  EXPECT_EQ(block.features.dense(), (Matrix{{5, 6}}));
  EXPECT_EQ(block.labels, (Names{"b"}));
}

TEST(BlockReader, AHeaderAboveATableForANamelessModelIsSkipped) {
  const Schema schema = dataset_from("1,2,a\n3,4,b\n").schema;
  EXPECT_EQ(whole(blocks_from("p,q,class\n5,6,a\n", schema)).features.dense(), (Matrix{{5, 6}}));
}

TEST(BlockReader, AHeaderWithOtherNamesIsAnError) {
  const Schema schema = dataset_from(kTable).schema;
  const std::string message = message_of([&] { blocks_from("p,q,class\n5,u,a\n", schema); });
  expect_contains(message, "missing: 'x', 'k'");
  expect_contains(message, "not known to the model: 'p', 'q'");
}

TEST(BlockReader, NominalNumbersAgreeInEverySpelling) {
  ReadOptions options;
  options.nominal = {"x"};
  const Schema schema = dataset_from("x,class\n1,a\n2,b\n", options).schema;
  EXPECT_EQ(whole(blocks_from("x\n1.0\n+2\n", schema)).features.dense(), (Matrix{{1, 0}, {0, 1}}));
}

TEST(BlockReader, MissingCellsFollowThePolicyOfTheModel) {
  ReadOptions options;
  options.missing = MissingPolicy::indicator;
  const Schema schema = read_dataset(valid_file("csv-missing.csv"), options).schema;
  EXPECT_EQ(whole(blocks_from("x,kind\n,u\n4,?\n", schema)).features.dense(),
            (Matrix{{3, 1, 1, 0, 0}, {4, 0, 0, 0, 1}}));
  options.missing = MissingPolicy::mean;
  const Schema means = dataset_from(kTable, options).schema;
  EXPECT_EQ(whole(blocks_from("x,k\n?,?\n", means)).features.dense(), (Matrix{{2, 2.0 / 3, 1.0 / 3}}));
}

TEST(BlockReader, RowsAreDroppedByAModelThatDroppedSome) {
  ReadOptions options;
  options.missing = MissingPolicy::drop;
  const Schema schema = dataset_from(kTable, options).schema;
  const std::string text = "x,k,class\n,u,a\n2,v,b\n";
  EXPECT_THROW(whole(blocks_from(text, schema, {.drop_missing = false})), InputError);
  const Block block = whole(blocks_from(text, schema));
  EXPECT_EQ(block.dropped, (std::vector<Index>{0}));
  EXPECT_EQ(block.labels, (Names{"b"}));
}

TEST(BlockReader, AMissingClassMattersOnlyWhereItIsNeeded) {
  const Schema schema = dataset_from(kTable).schema;
  EXPECT_EQ(whole(blocks_from("x,k,class\n1,u,?\n", schema)).labels, (Names{""}));
  EXPECT_THROW(whole(blocks_from("x,k,class\n1,u,?\n", schema, {.require_target = true})), InputError);
}

TEST(BlockReader, TheFoldColumnOfTheTrainingTableIsIgnored) {
  ReadOptions options;
  options.fold_column = "fold";
  const Dataset data = read_dataset(valid_file("csv-folds.csv"), options);
  EXPECT_EQ(whole(BlockReader(valid_file("csv-folds.csv"), data.schema, {})).features.dense(), data.features.dense());
}

TEST(BlockReader, PlainNumbersMayComeInAnotherFormat) {
  const Schema schema = read_dataset(valid_file("libsvm-dense.svm"), {}).schema;
  EXPECT_EQ(whole(blocks_from("1,2\n3,4\n", schema)).features.dense(), (Matrix{{1, 2}, {3, 4}}));
  const Schema columns = dataset_from("1,2,a\n3,4,b\n").schema;
  EXPECT_EQ(whole(blocks_from("a 2:5\n", columns, {}, "t.svm")).features.dense(), (Matrix{{0, 5}}));
  const Schema nominal = read_dataset(valid_file("csv-nominal.csv"), {}).schema;
  EXPECT_THROW(blocks_from("a 2:5\n", nominal, {}, "t.svm"), InputError);
}

TEST(BlockReader, LibsvmRowsNeedNoLabel) {
  const Schema schema = read_dataset(valid_file("libsvm-dense.svm"), {}).schema;
  BlockReader reader = blocks_from("1:4\n2:5\n", schema, {}, "t.svm");
  EXPECT_FALSE(reader.has_target());
  EXPECT_EQ(whole(std::move(reader)).features.dense(), (Matrix{{4, 0}, {0, 5}}));
  EXPECT_THROW(whole(blocks_from("1:4\n1 2:5\n", schema, {}, "t.svm")), InputError);
}

TEST(BlockReader, ProgressEndsAtOne) {
  const Schema schema = dataset_from(kTable).schema;
  BlockReader reader = blocks_from(kTable, schema, {.rows_per_block = 1});
  Block block;
  while (reader.next(block)) EXPECT_LE(reader.progress(), 1);
  EXPECT_EQ(reader.progress(), 1);
}

RC_GTEST_PROP(BlockReader, BlocksOfAnySizeMakeTheWholeTable, ()) {
  const auto rows = *rc::gen::inRange(2, 60);
  const auto block_rows = *rc::gen::inRange<Index>(1, 70);
  const auto step = *rc::gen::inRange<std::size_t>(1, 50);
  std::string text = "n,\"k, quoted\",class\n";
  for (int i = 0; i < rows; ++i) {
    text += format_double(*rc::gen::arbitrary<double>()) +
            *rc::gen::element<std::string>(",\"a\nb\",", ",\"c\"\"d\",", ",e,") + (i % 2 ? "odd\n" : "even\r\n");
  }
  const Dataset data = dataset_from(text, {}, "table.csv", step);
  BlockReader reader(bytes_in_memory(text, "table.csv", step), data.schema, {.rows_per_block = block_rows});
  RC_ASSERT(whole(std::move(reader)).features.dense() == data.features.dense());
}

}  // namespace
}  // namespace manyone::test
