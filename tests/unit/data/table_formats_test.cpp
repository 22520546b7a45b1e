// SPDX-License-Identifier: Apache-2.0
//
// LIBSVM, ARFF and IDX files, and how a format is recognised.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/numbers.hpp"
#include "data/bytes/table_format.hpp"
#include "table_files.hpp"

namespace manyone::test {
namespace {

TEST(Libsvm, LabelsThatAreNumbersHaveOneSpelling) {
  const Dataset data = read_dataset(valid_file("libsvm-dense.svm"), {});
  EXPECT_EQ(data.classes, (Names{"-1", "1"}));
  EXPECT_EQ(data.labels, (std::vector<int>{1, 0, 1}));
  EXPECT_FALSE(data.features.sparse());
  EXPECT_EQ(data.features.dense(), (Matrix{{0.5, 1}, {1.5, -20}, {0, 3}}));
}

TEST(Libsvm, DataWithFewValuesStaysSparse) {
  const Dataset data = read_dataset(valid_file("libsvm-sparse.svm"), {});
  ASSERT_TRUE(data.features.sparse());
  EXPECT_EQ(data.features.features(), 40);
  EXPECT_EQ(data.features.csr().nonZeros(), 3);
  EXPECT_EQ(data.features.csr().coeff(0, 39), 2);
  EXPECT_EQ(data.features.csr().coeff(2, 0), -1);
  EXPECT_EQ(data.classes, (Names{"cat", "dog"}));
  EXPECT_TRUE(data.schema.plain);
  EXPECT_EQ(data.schema.features(), 40);
}

TEST(Libsvm, ColumnOptionsAreRefused) {
  ReadOptions options;
  options.target = "1";
  EXPECT_THROW(read_dataset(valid_file("libsvm-dense.svm"), options), ConfigError);
}

TEST(Libsvm, DenseDataBeyondTheBudgetIsRefused) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += std::to_string(i % 2) + " 1:1 2:1 3:1\n";
  ReadOptions options;
  options.memory = MemoryBudget(2000);
  EXPECT_THROW(dataset_from(text, options, "t.svm"), MemoryError);
}

RC_GTEST_PROP(Libsvm, RowsWrittenReadBackToTheSameBits, ()) {
  const auto rows = *rc::gen::inRange<Index>(2, 20);
  const auto columns = *rc::gen::inRange<Index>(1, 30);
  const auto step = *rc::gen::inRange<std::size_t>(1, 30);
  Matrix x = Matrix::Zero(rows, columns);
  std::string text;
  for (Index i = 0; i < rows; ++i) {
    text += std::to_string(i % 2);
    for (Index j = 0; j < columns; ++j) {
      const bool last = i == 0 && j == columns - 1;  // tells the number of features
      if (!last && *rc::gen::inRange(0, 4) > 0) continue;
      x(i, j) = *rc::gen::arbitrary<double>();
      text += " " + std::to_string(j + 1) + ":" + format_double(x(i, j));
    }
    text += "\n";
  }
  const Dataset data = dataset_from(text, {}, "t.svm", step);
  RC_ASSERT(data.features.dense_rows(0, rows) == x);
}

TEST(Arff, AttributesKeepNamesAndDeclaredOrder) {
  ReadOptions options;
  options.missing = MissingPolicy::mean;
  const Dataset data = read_dataset(valid_file("arff-dense.arff"), options);
  EXPECT_EQ(data.schema.feature_names(),
            (Names{"body width", "colour=red", "colour=dark green", "colour=light blue", "doors=4", "doors=2"}));
  EXPECT_EQ(data.features.dense(), (Matrix{{1.5, 1, 0, 0, 0, 1}, {-0.25, 0, 1, 0, 1, 0}, {-2, 0, 0, 1, 0, 1}}));
  EXPECT_EQ(data.classes, (Names{"no", "yes"})) << "a declared class without rows is no class";
  EXPECT_EQ(data.schema.target, "class");
}

TEST(Arff, SparseRowsLeaveOutZerosAndFirstValues) {
  const Dataset data = read_dataset(valid_file("arff-sparse.arff"), {});
  EXPECT_EQ(data.features.dense(), (Matrix{{1.5, 0, 0, 1}, {0, 0, 1, 0}, {0, -2, 1, 0}}));
  EXPECT_EQ(data.labels, (std::vector<int>{1, 0, 1}));
}

TEST(Arff, AStringAttributeMayBeTheTarget) {
  const Dataset data =
      dataset_from("@relation r\n@attribute x real\n@attribute y string\n@data\n1,'it\\'s'\n2,no\n", {}, "t.arff");
  EXPECT_EQ(data.classes, (Names{"it's", "no"}));
}

TEST(Arff, NaIsAValueThere) {
  const Dataset data =
      dataset_from("@relation r\n@attribute k {NA,EU}\n@attribute c {a,b}\n@data\nNA,a\nEU,b\n", {}, "t.arff");
  EXPECT_EQ(data.features.dense(), (Matrix{{1, 0}, {0, 1}}));
}

TEST(Idx, PixelsAreNumbersAndLabelsComeFromTheFileBeside) {
  const Dataset data = read_dataset(valid_file("small-images-idx3-ubyte"), {});
  EXPECT_EQ(data.features.dense(), (Matrix{{0, 1, 2, 3}, {255, 254, 253, 252}, {7, 8, 9, 10}}));
  EXPECT_EQ(data.classes, (Names{"0", "5"}));
  EXPECT_EQ(data.labels, (std::vector<int>{1, 0, 1}));
  EXPECT_EQ(read_dataset(valid_file("packed-images-idx3-ubyte.gz"), {}).rows(), 2);
}

TEST(Idx, TheLabelFileHasTheSameName) {
  EXPECT_EQ(idx_label_path("images/mnist-train-images-idx3-ubyte.gz"), "images/mnist-train-labels-idx1-ubyte.gz");
  EXPECT_EQ(idx_label_path("images/pixels.idx"), "");
}

TEST(Idx, PredictionNeedsNoLabels) {
  const Schema schema = read_dataset(valid_file("small-images-idx3-ubyte"), {}).schema;
  BlockReader reader(invalid_file("idx-without-labels-images-idx3-ubyte"), schema, {});
  EXPECT_FALSE(reader.has_target());
  EXPECT_EQ(whole(std::move(reader)).features.rows(), 3);
  EXPECT_THROW(BlockReader(valid_file("packed-images-idx3-ubyte.gz"), schema, {}), InputError);
}

TEST(TableFormat, IsFoundByNameThenByContent) {
  const auto format = [](const std::string& name, std::string bytes) {
    ByteWindow window(bytes_in_memory(std::move(bytes), name));
    return find_format(TableFormat::automatic, window);
  };
  EXPECT_EQ(format("x.CSV.gz", "1 1:2"), TableFormat::csv);
  EXPECT_EQ(format("x.svm", "1,2"), TableFormat::libsvm);
  EXPECT_EQ(format("x", "1,2,a\n"), TableFormat::csv);
  EXPECT_EQ(format("x", "a b,12:30,c\n"), TableFormat::csv);
  EXPECT_EQ(format("x", "+1 3:0.5 7:1\n"), TableFormat::libsvm);
  EXPECT_EQ(format("x", "# note\n\n3:0.5\n"), TableFormat::libsvm);
  EXPECT_EQ(format("x", "% comment\n@relation r\n"), TableFormat::arff);
  EXPECT_EQ(format("x", std::string("\0\0\x08\x03", 4)), TableFormat::idx);
  EXPECT_EQ(format("x", ""), TableFormat::csv);
}

}  // namespace
}  // namespace manyone::test
