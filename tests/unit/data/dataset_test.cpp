// SPDX-License-Identifier: Apache-2.0
#include "data/dataset.hpp"

#include <cmath>

#include "table_files.hpp"

namespace manyone::test {
namespace {

TEST(ClassOrder, NumbersGoByValueAndWordsByBytes) {
  EXPECT_EQ(class_order({"10", "9", "-1", "9"}), (Names{"-1", "9", "10"}));
  EXPECT_EQ(class_order({"10", "9", "b", "B"}), (Names{"10", "9", "B", "b"}));
  EXPECT_EQ(class_order({"1.0", "1", "0"}), (Names{"0", "1", "1.0"}));
  EXPECT_EQ(class_order({"nan", "2", "10"}), (Names{"10", "2", "nan"}));
}

TEST(MakeDataset, LabelsBecomeClassIndices) {
  const Dataset data = make_dataset(Matrix{{1, 2}, {3, 4}, {5, 6}}, {"b", "a", "b"});
  EXPECT_EQ(data.classes, (Names{"a", "b"}));
  EXPECT_EQ(data.labels, (std::vector<int>{1, 0, 1}));
  EXPECT_EQ(data.schema.features(), 2);
  EXPECT_EQ(data.schema.feature_names(), (Names{"f1", "f2"}));
}

TEST(MakeDataset, RefusesWhatCannotBeLearned) {
  const Matrix x{{1}, {2}};
  EXPECT_THROW(make_dataset(x, {"a"}), InputError);
  EXPECT_THROW(make_dataset(x, {"a", "a"}), InputError);
  EXPECT_THROW(make_dataset(Matrix{{1}, {std::nan("")}}, {"a", "b"}), InputError);
  EXPECT_THROW(make_dataset(Matrix(0, 1), {}), InputError);
}

TEST(Schema, FeatureNamesTellColumnAndValue) {
  Schema schema;
  schema.columns = {{.name = "age", .missing_feature = true}, {.name = "", .nominal = true, .values = {"x", "y"}}};
  EXPECT_EQ(schema.features(), 4);
  EXPECT_EQ(schema.feature_names(), (Names{"age", "age missing", "f2=x", "f2=y"}));
}

}  // namespace
}  // namespace manyone::test
