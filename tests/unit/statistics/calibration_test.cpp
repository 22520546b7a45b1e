// SPDX-License-Identifier: Apache-2.0
#include "statistics/calibration.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"

namespace manyone::test {
namespace {

TEST(Calibration, OfRowsThatCanBeCheckedByHand) {
  CalibrationCollector collector;
  collector.add(std::vector<int>{0, 1}, std::vector<int>{0, 0}, Matrix{{0.8, 0.2}, {0.6, 0.4}});
  const Calibration result = collector.result();
  EXPECT_NEAR(result.log_loss, -(std::log(0.8) + std::log(0.4)) / 2, 1e-15);
  EXPECT_NEAR(result.brier, (0.04 + 0.04 + 0.36 + 0.36) / 2, 1e-15);
  EXPECT_NEAR(result.calibration_error, (0.2 + 0.6) / 2, 1e-15);
  EXPECT_EQ(result.bins[7].rows, 1);  // 0.8 belongs to (0.7, 0.8]
  EXPECT_EQ(result.bins[5].rows, 1);
  EXPECT_EQ(result.bins[7].accuracy, 1);
  EXPECT_EQ(result.bins[5].accuracy, 0);
}

TEST(Calibration, OfSureAnswers) {
  CalibrationCollector collector;
  collector.add(std::vector<int>{0, 1}, std::vector<int>{0, 0}, Matrix{{1, 0}, {1, 0}});
  EXPECT_NEAR(collector.result().log_loss, -std::log(1e-15) / 2, 1e-12);
  EXPECT_EQ(collector.result().bins.back().rows, 2);
  EXPECT_EQ(CalibrationCollector().result().log_loss, 0) << "no rows";
}

TEST(Calibration, TrueProbabilitiesHaveNoCalibrationError) {
  Random random(5);
  Matrix p(20000, 2);
  std::vector<int> labels;
  std::vector<int> given;
  for (Index i = 0; i < p.rows(); ++i) {
    p(i, 0) = random.uniform();
    p(i, 1) = 1 - p(i, 0);
    labels.push_back(random.uniform() < p(i, 0) ? 0 : 1);
    given.push_back(p(i, 0) >= 0.5 ? 0 : 1);
  }
  CalibrationCollector collector;
  collector.add(labels, given, p);
  EXPECT_LT(collector.result().calibration_error, 0.02);
}

}  // namespace
}  // namespace manyone::test
