// SPDX-License-Identifier: Apache-2.0
#include "manyone/selection/search.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <set>

namespace manyone::test {
namespace {

// So many rows that every gain is above the noise.
constexpr Index kManyRows = 1'000'000'000'000;

/// A bowl with its lowest point at (2^sigma_at, 2^ridge_at); counts what it is asked.
struct Bowl {
  double sigma_at = 0;
  double ridge_at = 0;
  int asked = 0;

  Cell operator()(const CellParameters& at) {
    ++asked;
    Cell cell{at};
    cell.solved = true;
    cell.error = std::pow(std::log2(at.sigma) - sigma_at, 2) + std::pow(std::log2(at.ridge) - ridge_at, 2);
    return cell;
  }
  ScoreCells scorer() {
    return [this](std::span<const CellParameters> cells) {
      std::vector<Cell> out;
      for (const auto& at : cells) out.push_back((*this)(at));
      return out;
    };
  }
};

TEST(GridCells, AreAllCellsSigmaMajor) {
  SearchSpace space;
  space.sigma_range = {-1, 0, 1};
  space.ridge_range = {0, 2, 1};
  const auto cells = grid_cells(space);
  ASSERT_EQ(cells.size(), 6U);
  EXPECT_EQ(cells[0].sigma, 0.5);
  EXPECT_EQ(cells[0].ridge, 1);
  EXPECT_EQ(cells[1].ridge, 2);
  EXPECT_EQ(cells[5].sigma, 1);
  EXPECT_EQ(cells[5].ridge, 4);
}

TEST(GridCells, AFixedParameterIsAnAxisWithThatOneValue) {
  SearchSpace space;
  space.fixed_sigma = 0.3;
  for (const auto& cell : grid_cells(space)) EXPECT_EQ(cell.sigma, 0.3);
  EXPECT_EQ(grid_cells(space).size(), 9U);
  space.fixed_ridge = 0.7;
  ASSERT_EQ(grid_cells(space).size(), 1U);
  EXPECT_EQ(grid_cells(space)[0].ridge, 0.7);
}

TEST(CoarseCells, SurroundTheDataScaleAndHonourFixedParameters) {
  SearchSpace space;
  const auto cells = coarse_cells(space, 3, 10);
  std::set<double> sigmas;
  std::set<double> ridges;
  for (const auto& cell : cells) sigmas.insert(cell.sigma), ridges.insert(cell.ridge);
  EXPECT_EQ(cells.size(), sigmas.size() * ridges.size() / 2);
  EXPECT_LT(*sigmas.begin(), 3);
  EXPECT_GE(*sigmas.rbegin(), 3);
  EXPECT_LE(*ridges.rbegin(), 10);
  space.fixed_sigma = 0.3;
  space.fixed_ridge = 0.7;
  ASSERT_EQ(coarse_cells(space, 3, 10).size(), 1U);
  EXPECT_EQ(coarse_cells(space, 3, 10)[0].sigma, 0.3);
  EXPECT_EQ(coarse_cells(space, 3, 10)[0].ridge, 0.7);
}

RC_GTEST_PROP(PatternSearch, ReachesTheLowestPointOfABowlOnItsLattice, ()) {
  // The lowest point is on the lattice: half steps of sigma, double steps of ridge.
  Bowl bowl{0.5 * *rc::gen::inRange(-4, 5), 2.0 * *rc::gen::inRange(-3, 4)};
  const auto cells = pattern_search({}, {1, 1}, 1000, kManyRows, bowl.scorer());
  RC_ASSERT(std::abs(best_cell(cells).error) < 1e-12);
  RC_ASSERT(std::ssize(cells) == bowl.asked);  // every cell it scored is returned, none is scored twice
}

TEST(PatternSearch, NoNeighbourBeatsItsResult) {
  Bowl bowl{1.3, -2.9};
  const auto cells = pattern_search({}, {0.7, 0.3}, 1000, kManyRows, bowl.scorer());
  const Cell best = best_cell(cells);
  for (int i = -1; i <= 1; ++i) {
    for (int j = -1; j <= 1; ++j) {
      EXPECT_FALSE(bowl({best.at.sigma * std::exp2(0.5 * i), best.at.ridge * std::exp2(2 * j)}).error < best.error);
    }
  }
}

TEST(PatternSearch, KeepsToItsLimit) {
  Bowl far{40, 40};
  EXPECT_LE(pattern_search({}, {1, 1}, 15, kManyRows, far.scorer()).size(), 15U);
  EXPECT_LE(far.asked, 15);
}

TEST(PatternSearch, FixedParametersStayBitForBit) {
  Bowl bowl{3, -5};
  SearchSpace space;
  space.fixed_sigma = 0.1;
  for (const Cell& cell : pattern_search(space, {0.1, 1}, 100, kManyRows, bowl.scorer())) EXPECT_EQ(cell.at.sigma, 0.1);
  space = {};
  space.fixed_ridge = 0.3;
  for (const Cell& cell : pattern_search(space, {1, 0.3}, 100, kManyRows, bowl.scorer())) EXPECT_EQ(cell.at.ridge, 0.3);
}

TEST(PatternSearch, GoesAroundCellsThatCannotBeSolved) {
  Bowl bowl{0, 4};
  const ScoreCells score = [&](std::span<const CellParameters> cells) {
    std::vector<Cell> out;
    for (const auto& at : cells) out.push_back(at.ridge < 2 ? Cell{at} : bowl(at));
    return out;
  };
  const Cell best = best_cell(pattern_search({}, {1, 1}, 100, kManyRows, score));
  EXPECT_TRUE(best.solved);
  EXPECT_NEAR(best.error, 0, 1e-12);
}

TEST(PatternSearch, TakesNoStepForAGainBelowTheNoise) {
  int asked = 0;
  const ScoreCells slope =
      [&](std::span<const CellParameters> cells) {  // a thousandth less for each halving of the ridge
        std::vector<Cell> out;
        for (const auto& at : cells) {
          Cell cell{at};
          cell.error = 0.1 + 0.0005 * std::log2(at.ridge);
          cell.solved = true;
          out.push_back(cell);
          ++asked;
        }
        return out;
      };
  pattern_search({}, {1, 1}, 50, 1000, slope);  // half a standard error is 0.0047
  EXPECT_EQ(asked, 7);
  asked = 0;
  pattern_search({}, {1, 1}, 50, kManyRows, slope);
  EXPECT_GT(asked, 40);
}

TEST(BestCell, IsTheOneNoOtherBeats) {
  Bowl bowl{0, 0};
  const std::vector<Cell> cells = {bowl({2, 1}), bowl({1, 1}), bowl({1, 2})};
  EXPECT_EQ(&best_cell(cells), &cells[1]);
}

TEST(SmoothestNearBest, IsTheLargestRidgeWithinTheNoiseOfTheBest) {
  const auto cell = [](double ridge, double error) { return Cell{{1, ridge}, error, {}, 0, true}; };
  const std::vector<Cell> cells = {cell(0.01, 0.100), cell(1, 0.104), cell(4, 0.110), cell(9, 0.2)};
  EXPECT_EQ(&smoothest_near_best(cells, 1000), &cells[1]);  // half a standard error is 0.0047
  EXPECT_EQ(&smoothest_near_best(cells, kManyRows), &cells[0]);
  EXPECT_EQ(&smoothest_near_best(cells, 100), &cells[2]);
}

}  // namespace
}  // namespace manyone::test
