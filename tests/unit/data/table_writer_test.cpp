// SPDX-License-Identifier: Apache-2.0
#include "data/table_writer.hpp"

#include <gtest/gtest.h>

#include "tests/problems.hpp"
#include "tests/unit/data/table_files.hpp"

namespace manyone::test {
namespace {

TEST(TableWriter, LibsvmRowsLeaveZerosOut) {
  std::string out;
  append_libsvm_row(out, "3", Features(Matrix{{0, 0.1, 0, -2}}), 0);
  append_libsvm_row(out, "-1", Features(Matrix{{0, 0, 0, 0}}), 0);
  EXPECT_EQ(out, "3 2:0.1 4:-2\n-1\n");
}

TEST(TableWriter, CsvCellsAreQuotedWhereTheyMustBe) {
  EXPECT_EQ(csv_cell("plain text"), "plain text");
  EXPECT_EQ(csv_cell("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_cell("say \"x\"\n"), "\"say \"\"x\"\"\n\"");
  std::string out;
  append_csv_row(out, Features(Matrix{{0.5, 0, 1e300}}), 0, csv_cell("a,b"));
  append_csv_row(out, Features(Matrix{{1, 2, 3}}), 0, std::nullopt);
  EXPECT_EQ(out, "0.5,0,1e+300,\"a,b\"\n1,2,3\n");
}

TEST(TableWriter, LabelsOfLibsvmAreNumbers) {
  EXPECT_EQ(libsvm_labels({"-1", "3", "10"}), (Names{"-1", "3", "10"}));
  EXPECT_EQ(libsvm_labels({"a", "b"}), (Names{"1", "2"}));
  EXPECT_EQ(libsvm_labels({"1", "2.5"}), (Names{"1", "2"}));
  EXPECT_EQ(libsvm_labels({"1", "99999999999"}), (Names{"1", "2"}));  // LIBSVM's are int
}

TEST(TableWriter, RowsReadBackToTheSameBits) {
  const Matrix x = random_matrix(20, 3, 1);
  const SparseMatrix z = random_sparse(20, 40, 0.1, 2);
  std::string dense = "a,b,c,class\n";
  std::string sparse;
  for (Index i = 0; i < 20; ++i) {
    append_csv_row(dense, Features(x), i, i % 2 == 0 ? "x" : "y");
    append_libsvm_row(sparse, i % 2 == 0 ? "1" : "2", Features(z), i);
  }
  EXPECT_TRUE(dataset_from(dense).features.dense() == x);
  const Dataset again = dataset_from(sparse, {}, "table.svm");
  const Matrix expected = Matrix(z).leftCols(again.features.features());
  EXPECT_TRUE(again.features.dense_rows(0, 20) == expected);
}

}  // namespace
}  // namespace manyone::test
