// SPDX-License-Identifier: Apache-2.0
#include "statistics/metrics.hpp"

#include <gtest/gtest.h>

namespace manyone::test {
namespace {

using Labels = std::vector<int>;

Metrics metrics_of(int classes, const Labels& labels, const Labels& predicted) {
  MetricsCollector collector(classes);
  collector.add(labels, predicted);
  return collector.result();
}

TEST(Metrics, ByHand) {
  // Class 0: three rows, two right. Class 1: one row, right. Class 2: one row, taken for class 0.
  const Metrics m = metrics_of(3, {0, 0, 0, 1, 2}, {0, 0, 1, 1, 0});
  EXPECT_EQ(m.rows, 5);
  EXPECT_DOUBLE_EQ(m.error, 2.0 / 5);
  EXPECT_DOUBLE_EQ(m.balanced_error, 1 - (2.0 / 3 + 1 + 0) / 3);
  EXPECT_EQ(m.confusion(0, 1), 1);
  EXPECT_EQ(m.confusion(2, 0), 1);
  EXPECT_EQ(m.confusion.sum(), 5);
  EXPECT_DOUBLE_EQ(*m.per_class[0].precision, 2.0 / 3);
  EXPECT_DOUBLE_EQ(*m.per_class[0].recall, 2.0 / 3);
  EXPECT_DOUBLE_EQ(*m.per_class[0].f1, 2.0 / 3);
  EXPECT_DOUBLE_EQ(*m.per_class[1].precision, 0.5);
  EXPECT_DOUBLE_EQ(*m.per_class[1].recall, 1);
  EXPECT_DOUBLE_EQ(*m.per_class[1].f1, 2.0 / 3);
  EXPECT_FALSE(m.per_class[2].precision) << "never predicted: no precision";
  EXPECT_DOUBLE_EQ(*m.per_class[2].recall, 0);
  EXPECT_DOUBLE_EQ(*m.per_class[2].f1, 0);
}

TEST(Metrics, AClassThatDoesNotOccurHasNoRecallAndNoPartInTheBalancedError) {
  const Metrics m = metrics_of(3, {0, 1}, {0, 1});
  EXPECT_EQ(m.error, 0);
  EXPECT_EQ(m.balanced_error, 0);
  EXPECT_FALSE(m.per_class[2].recall);
  EXPECT_FALSE(m.per_class[2].f1);
}

TEST(Metrics, BlocksAddUp) {
  MetricsCollector blocks(2);
  blocks.add(Labels{0, 1}, Labels{0, 0});
  blocks.add(Labels{1}, Labels{1});
  const Metrics whole = metrics_of(2, {0, 1, 1}, {0, 0, 1});
  EXPECT_TRUE(blocks.result().confusion == whole.confusion);
  EXPECT_EQ(blocks.result().error, whole.error);
}

TEST(Metrics, NoRowsGiveNoError) {
  const Metrics m = MetricsCollector(2).result();
  EXPECT_EQ(m.rows, 0);
  EXPECT_EQ(m.error, 0);
  EXPECT_EQ(m.balanced_error, 0);
}

TEST(Metrics, RowsThatGetNoClassAreWrong) {
  MetricsCollector collector(2);
  collector.add(std::vector{0, 0, 1}, std::vector{0, 0, 1});
  collector.add_unanswered(1);
  const Metrics metrics = collector.result();
  EXPECT_EQ(metrics.rows, 4);
  EXPECT_EQ(metrics.unanswered, 1);
  EXPECT_DOUBLE_EQ(metrics.error, 0.25);
  EXPECT_DOUBLE_EQ(*metrics.per_class[1].recall, 0.5);
  EXPECT_DOUBLE_EQ(metrics.balanced_error, 0.25);
  EXPECT_DOUBLE_EQ(*metrics.per_class[1].precision, 1);
}

}  // namespace
}  // namespace manyone::test
