// SPDX-License-Identifier: Apache-2.0
#include "machine/centres.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include <set>

#include "backend/runtime.hpp"
#include "manyone/errors.hpp"
#include "tests/complaints.hpp"
#include "tests/problems.hpp"

namespace manyone::test {
namespace {

const Kernel kHalfWide{&kGaussian, 0.5, 3, 1};

ChosenCentres chosen(ReduceKind kind, const Dataset& data, Index count, std::uint64_t seed = 1) {
  const Runtime runtime(2);
  return choose_centres(runtime.execution(), kind, kHalfWide, data.features, data.labels, count, seed);
}

Features centres_of(ReduceKind kind, const Dataset& data, Index count, std::uint64_t seed = 1) {
  return chosen(kind, data, count, seed).centres;
}

bool is_row_of(const Matrix& rows, const Eigen::RowVectorXd& x) {
  for (Index i = 0; i < rows.rows(); ++i) {
    if (rows.row(i) == x) return true;
  }
  return false;
}

TEST(Centres, AreSoManyDifferentRows) {
  const Dataset data = clouds(200, 3, 3, 0.3, 1);
  for (const auto kind : {ReduceKind::random, ReduceKind::stratified, ReduceKind::leverage}) {
    const Features centres = centres_of(kind, data, 30);
    EXPECT_EQ(centres.rows(), 30) << name_of(kind);
    std::vector<Index> itself(30);
    std::iota(itself.begin(), itself.end(), Index{0});
    EXPECT_EQ(first_equal_rows(centres), itself) << name_of(kind);
    EXPECT_EQ(data.features.select(chosen(kind, data, 30).rows).dense(), centres.dense()) << name_of(kind);
  }
}

TEST(Centres, TheSameSeedGivesTheSameOnesAnotherOthers) {
  const Dataset data = clouds(200, 3, 3, 0.3, 1);
  for (const auto kind : {ReduceKind::random, ReduceKind::stratified, ReduceKind::kmeans, ReduceKind::leverage}) {
    EXPECT_EQ(centres_of(kind, data, 20).dense(), centres_of(kind, data, 20).dense()) << name_of(kind);
    EXPECT_NE(centres_of(kind, data, 20, 1).dense(), centres_of(kind, data, 20, 2).dense()) << name_of(kind);
  }
}

TEST(Centres, StratifiedOnesHaveEveryClass) {
  Dataset data = clouds(100, 2, 3, 0.3, 4);
  data.labels.assign(100, 0);
  data.labels[57] = 1;
  data.labels[93] = 2;
  const Features centres = centres_of(ReduceKind::stratified, data, 10);
  EXPECT_TRUE(is_row_of(centres.dense(), data.features.dense().row(57)));
  EXPECT_TRUE(is_row_of(centres.dense(), data.features.dense().row(93)));
}

TEST(Centres, EqualRowsAreTakenOnce) {
  Matrix x(6, 1);
  x << 1, 2, 1, 3, 2, 1;
  EXPECT_EQ(first_equal_rows(Features(x)), (std::vector<Index>{0, 1, 0, 3, 1, 0}));
  const SparseMatrix sparse = x.sparseView();
  EXPECT_EQ(first_equal_rows(Features(sparse)), (std::vector<Index>{0, 1, 0, 3, 1, 0}));
  const Runtime runtime(1);
  const std::vector<int> labels = {0, 1, 0, 1, 1, 0};
  EXPECT_EQ(choose_centres(runtime.execution(), ReduceKind::random, kHalfWide, Features(x), labels, 5, 1).rows,
            (std::vector<Index>{0, 1, 3}));
  EXPECT_EQ(choose_centres(runtime.execution(), ReduceKind::random, kHalfWide, Features(x), labels, 5, 1).of_row,
            (std::vector<Index>{0, 1, 0, 2, 1, 0}));
}

TEST(Centres, MeansOfClustersOfTightCloudsAreTheirMiddles) {
  Matrix x(90, 2);
  std::vector<int> labels;
  for (Index i = 0; i < 90; ++i) {
    x.row(i) << static_cast<double>(i % 3) * 10 + 1e-3 * static_cast<double>(i), 0;
    labels.push_back(static_cast<int>(i % 3));
  }
  const Runtime runtime(2);
  // Several seeds: a bad draw may start two means in one cloud and stay there.
  int right = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Matrix means =
        choose_centres(runtime.execution(), ReduceKind::kmeans, kHalfWide, Features(x), labels, 3, seed)
            .centres.dense();
    std::set<int> clouds;
    for (Index c = 0; c < 3; ++c) clouds.insert(static_cast<int>(std::lround(means(c, 0) / 10)));
    right += clouds.size() == 3;
  }
  EXPECT_GE(right, 1);
}

TEST(Centres, CountsAreNumbersOrShares) {
  EXPECT_EQ((CentreCount{100, {}}).of(30), 100);
  EXPECT_EQ((CentreCount{{}, 0.05}).of(1000), 50);
  EXPECT_EQ((CentreCount{{}, 0.05}).of(3), 1);
  expect_complaint([] { reduce_from_name("k-means"); }, Fault::usage, "reduce", "kmeans");
}

}  // namespace
}  // namespace manyone::test
