// SPDX-License-Identifier: Apache-2.0
#include "selection/tuning_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"

namespace manyone::test {
namespace {

/// By sorting everything.
double sorted_median(std::vector<double> squares) {
  std::erase_if(squares, [](double square) { return square <= 0; });
  std::sort(squares.begin(), squares.end());
  return std::sqrt(squares[squares.size() / 2]);
}

TEST(MedianDistance, IsThatOfTheSortedDistancesAboveZero) {
  Random random(1);
  for (const std::size_t size : {1, 2, 7, 3050, 3051, 3052, 20001}) {
    std::vector<double> squares(size);
    for (double& square : squares) square = random.uniform();
    for (std::size_t k = 1; k < size; k += 5) squares[k] = 0;
    EXPECT_EQ(median_distance(squares), sorted_median(squares)) << size;
    for (double& square : squares) square = std::floor(4 * square);  // many are equal
    squares[0] = 1;
    EXPECT_EQ(median_distance(squares), sorted_median(squares)) << size;
    // A sample of every 61st would be wrong about the middle.
    for (std::size_t k = 0; k < size; ++k) squares[k] = k % 61 == 0 ? 1e-3 + random.uniform() : 5 + random.uniform();
    EXPECT_EQ(median_distance(squares), sorted_median(squares)) << size;
  }
}

TEST(MedianDistance, IsOneWhereAllRowsAreEqual) {
  EXPECT_EQ(median_distance({0, 0}), 1);
  EXPECT_EQ(median_distance({}), 1);
}

}  // namespace
}  // namespace manyone::test
