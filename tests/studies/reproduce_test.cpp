// SPDX-License-Identifier: Apache-2.0
#include "studies/reproduce.hpp"

#include <gtest/gtest.h>

#include "backend/runtime.hpp"
#include "manyone/errors.hpp"
#include "studies/table_text.hpp"
#include "tests/problems.hpp"

namespace manyone::test {
namespace {

using Names = std::vector<std::string>;

TEST(ReproduceChoice, TakesAllThatExistsUnlessNamed) {
  const PublishedTable& table = published_table("honeine-table4");
  const ReproduceChoice all = choose_part(table, {}, {});
  EXPECT_EQ(all.sets.size(), 5U);
  EXPECT_NE(std::find(all.left_out.begin(), all.left_out.end(), "elm"), all.left_out.end());
  const ReproduceChoice some = choose_part(table, Names{"vo-lssvm"}, Names{"wine"});
  EXPECT_EQ(some.rows.size(), 5U) << "five labelbooks, without the bias";
  EXPECT_EQ(some.sets, (std::vector<std::size_t>{1}));
  EXPECT_EQ(choose_part(table, Names{"vo-lssvm-bias"}, {}).rows.size(), 3U);
}

TEST(ReproduceChoice, RefusesWhatIsNotThere) {
  const PublishedTable& table = published_table("honeine-table4");
  EXPECT_THROW(choose_part(table, Names{"onelms"}, {}), ConfigError);
  EXPECT_THROW(choose_part(table, Names{"elm"}, {}), ConfigError) << "printed, but no machine of ours";
  EXPECT_THROW(choose_part(table, {}, Names{"iris", "letter"}), ConfigError);
}

TEST(AsPublished, TakesTheFirstRowsAndHalvesImages) {
  Dataset data;
  Matrix images(3, 16);
  for (Index i = 0; i < images.size(); ++i) images.data()[i] = static_cast<double>(i);
  data.features = images;
  data.labels = {0, 1, 0};
  data.classes = {"a", "b"};
  const PublishedSet set{"s", "s", 2, 4, 2, true, true, ""};
  const Dataset small = as_published(set, data);
  // The first image is 0..15 in rows of four: its upper left corner is 0, 1, 4, 5.
  const Matrix expected{{2.5, 4.5, 10.5, 12.5}, {18.5, 20.5, 26.5, 28.5}};
  EXPECT_TRUE(small.features.dense() == expected) << small.features.dense();
  EXPECT_EQ(small.labels, (std::vector<int>{0, 1}));
  EXPECT_EQ(shape_difference(set, small), "");
  EXPECT_NE(shape_difference(set, data), "");
  EXPECT_THROW(as_published({"s", "s", 4, 4, 2, true, false, ""}, data), InputError);
  data.features = Matrix(Matrix::Zero(3, 15));
  EXPECT_THROW(as_published(set, data), InputError);
}

TEST(ReproduceErrors, MachinesThatPredictAlikeAreComputedOnce) {
  const PublishedTable& table = published_table("honeine-table4");
  const ReproduceChoice choice = choose_part(table, Names{"onelsm", "ls-ova", "vo-lssvm"}, Names{"iris"});
  const std::vector<FoundSet> found = {{0, bundled("iris")}};
  const Runtime runtime(1);
  const Reproduction result = reproduce_errors(runtime.execution(), choice, found, 2, 1);
  EXPECT_FALSE(result.interrupted);
  ASSERT_EQ(result.cells.size(), 7U);
  int shared = 0;
  for (const ReproducedCell& cell : result.cells) {
    ASSERT_TRUE(cell.ours);
    EXPECT_EQ(cell.ours->errors.size(), 2U);
    EXPECT_LT(cell.ours->mean(), 0.05);
    if (cell.same_as != nullptr) ++shared;
  }
  EXPECT_EQ(shared, 2) << "ls-ova is oneLSM, mincorr is alignment";
  const std::string text = errors_text(result);
  EXPECT_NE(text.find("2.66 [2.66, 4.00]"), std::string::npos);
  EXPECT_NE(text.find("a: a mean over 10 partitions"), std::string::npos);
}

TEST(ReproduceErrors, AMachineThatRefusesALabelbookIsNotAFailure) {
  const ReproduceChoice choice = choose_part(published_table("honeine-table4"), Names{"vo-svm-bias"}, Names{"iris"});
  const std::vector<FoundSet> found = {{0, bundled("iris")}};
  const Runtime runtime(1);
  const Reproduction result = reproduce_errors(runtime.execution(), choice, found, 1, 1);
  EXPECT_FALSE(result.interrupted);
  ASSERT_EQ(result.cells.size(), 5U);
  for (const ReproducedCell& cell : result.cells) {
    const bool centred = cell.row->labelbook != "pm1" && cell.row->labelbook != "indicator";
    EXPECT_EQ(cell.refused, !centred) << cell.row->labelbook;
    EXPECT_EQ(cell.ours.has_value(), centred) << cell.row->labelbook;
  }
  EXPECT_NE(errors_text(result).find("refused: with a bias"), std::string::npos);
  EXPECT_TRUE(reproduction_json(result)["cells"][0]["refused"]);
}

TEST(ReproduceErrors, AnInterruptLeavesCellsEmpty) {
  const ReproduceChoice choice =
      choose_part(published_table("honeine-table4"), Names{"onelsm", "vo-lssvm"}, Names{"iris"});
  const std::vector<FoundSet> found = {{0, bundled("iris")}};
  Runtime runtime(1);
  runtime.interrupt().request();
  const Reproduction result = reproduce_errors(runtime.execution(), choice, found, 1, 1);
  EXPECT_TRUE(result.interrupted);
  for (const ReproducedCell& cell : result.cells) EXPECT_FALSE(cell.ours);
  EXPECT_TRUE(reproduction_json(result)["interrupted"]);
}

TEST(ReproduceTimes, OneLsmIsTheUnit) {
  const ReproduceChoice choice = choose_part(published_table("honeine-table5"), Names{"ls-ovo"}, Names{"iris"});
  const std::vector<FoundSet> found = {{0, bundled("iris")}};
  const Runtime runtime(1);
  const Json json = reproduction_json(reproduce_times(runtime.execution(), choice, found));
  ASSERT_EQ(json["cells"].size(), 2U);
  EXPECT_NEAR(json["cells"][0]["ratio"]["published"].get<double>(), 104.0 / 38, 1e-12);
  EXPECT_GT(json["cells"][0]["ratio"]["ours"].get<double>(), 0);
  EXPECT_EQ(json["cells"][1]["ratio"]["ours"], 1);
}

}  // namespace
}  // namespace manyone::test
