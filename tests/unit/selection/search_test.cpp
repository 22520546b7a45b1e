// SPDX-License-Identifier: Apache-2.0
#include "selection/search.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

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
  // Half a standard error is 0.0047: the first look around the start is all.
  pattern_search({}, {1, 1}, 50, 1000, slope);
  EXPECT_EQ(asked, 6);
  asked = 0;
  pattern_search({}, {1, 1}, 50, kManyRows, slope);
  EXPECT_GT(asked, 40);
}

TEST(PatternSearch, LooksAlongTheDiagonalOnlyWhereItCouldTell) {
  int asked = 0;
  const ScoreCells bowl = [&](std::span<const CellParameters> cells) {
    std::vector<Cell> out;
    for (const auto& at : cells) {
      Cell cell{at};
      cell.error = 0.2 + 0.05 * (std::abs(std::log2(at.sigma)) + std::abs(std::log2(at.ridge)));
      cell.solved = true;
      out.push_back(cell);
      ++asked;
    }
    return out;
  };
  pattern_search({}, {1, 1}, 50, 200, bowl);  // half a standard error is 0.014
  EXPECT_EQ(asked, 6);
  asked = 0;
  pattern_search({}, {1, 1}, 50, 2000, bowl);  // and 0.004
  EXPECT_EQ(asked, 8);
}

/// log2 of (sigma, ridge), rounded to what a design of nice numbers has.
std::pair<double, double> log_of(const CellParameters& at) {
  const auto rounded = [](double value) { return std::round(std::log2(value) * 1e9) / 1e9; };
  return {rounded(at.sigma), rounded(at.ridge)};
}

TEST(DesignCells, OfStageOneAreThe13PointsOfTheSpecification) {
  const DesignBox box{{1, 1}, 12, 24};  // one level is 1 in log2 sigma and 2 in log2 ridge
  const std::vector<std::pair<double, double>> expected = {{0, 0},   {-2, -6},  {5, -8}, {-5, 8}, {2, 6},
                                                           {-1, 12}, {-4, -10}, {4, 10}, {6, 2},  {3, -4},
                                                           {-6, -2}, {-3, 4},   {1, -12}};
  std::vector<std::pair<double, double>> found;
  for (const auto& at : design_cells(1, box, box.centre)) found.push_back(log_of(at));
  EXPECT_EQ(found, expected);
}

TEST(DesignCells, OfStageTwoAreThe8PointsAroundTheWinner) {
  const DesignBox box{{1, 1}, 16, 32};  // half the box in 8 steps: 1 in log2 sigma and 2 in log2 ridge
  const std::vector<std::pair<double, double>> expected = {{-1, -6}, {5, 2},  {0, 0},   {1, -10},
                                                           {7, -2},  {6, -8}, {4, -12}, {2, 4}};
  std::vector<std::pair<double, double>> found;
  for (const auto& at : design_cells(2, box, {8, 0.0625})) found.push_back(log_of(at));
  EXPECT_EQ(found, expected);
}

TEST(DesignBox, SpansTheRangesOfTheSpace) {
  SearchSpace space;
  space.sigma_range = {-2, 6, 1};
  space.fixed_ridge = 0.3;
  const DesignBox box = design_box(space);
  EXPECT_EQ(box.centre.sigma, 4);
  EXPECT_EQ(box.sigma_length, 8);
  EXPECT_EQ(box.centre.ridge, 0.3);
  EXPECT_EQ(box.ridge_length, 0);
}

RC_GTEST_PROP(DesignSearch, Scores21DifferentCellsTheLast8AroundTheWinner, ()) {
  Bowl bowl{*rc::gen::inRange(-80, 81) / 10.0, *rc::gen::inRange(-80, 81) / 10.0};
  const DesignBox box{{0.7, 0.3}, 10, 12};
  const auto cells = design_search(box, bowl.scorer());
  RC_ASSERT(cells.size() == 21U);
  RC_ASSERT(bowl.asked == 21);
  std::set<std::pair<double, double>> distinct;
  for (const Cell& cell : cells) distinct.insert(log_of(cell.at));
  RC_ASSERT(distinct.size() == 21U);
  const Cell winner = best_cell(std::span(cells).first(13));
  const auto second = design_cells(2, box, winner.at);
  for (std::size_t k = 0; k < 8; ++k) {
    RC_ASSERT(cells[13 + k].at.sigma == second[k].sigma);
    RC_ASSERT(cells[13 + k].at.ridge == second[k].ridge);
    RC_ASSERT(std::abs(std::log2(second[k].sigma / winner.at.sigma)) <= 2.5 + 1e-12);
    RC_ASSERT(std::abs(std::log2(second[k].ridge / winner.at.ridge)) <= 3 + 1e-12);
  }
}

TEST(DesignSearch, OnOneAxisSpreads11DifferentCellsAndKeepsTheOtherBitForBit) {
  for (const bool sigma_fixed : {true, false}) {
    SearchSpace space;
    (sigma_fixed ? space.fixed_sigma : space.fixed_ridge) = 0.1;
    Bowl bowl{2.2, -1.4};
    std::set<double> values;
    for (const Cell& cell : design_search(design_box(space), bowl.scorer())) {
      EXPECT_EQ(sigma_fixed ? cell.at.sigma : cell.at.ridge, 0.1);
      values.insert(sigma_fixed ? log_of(cell.at).second : log_of(cell.at).first);
    }
    EXPECT_EQ(values.size(), 11U);
    EXPECT_EQ(bowl.asked, 11);
    EXPECT_TRUE(values.contains(-4) && values.contains(4));  // both ends of the range are among them
    const double lowest = sigma_fixed ? -1.4 : 2.2;          // and the lowest point is met to half of the last spacing
    EXPECT_TRUE(std::ranges::any_of(values, [&](double value) { return std::abs(value - lowest) <= 0.5; }));
  }
}

TEST(DesignSearch, WithNothingToSearchScoresTheOneCell) {
  SearchSpace space;
  space.fixed_sigma = 0.1;
  space.fixed_ridge = 0.3;
  Bowl bowl{0, 0};
  const auto cells = design_search(design_box(space), bowl.scorer());
  ASSERT_EQ(cells.size(), 1U);
  EXPECT_EQ(cells[0].at.sigma, 0.1);
  EXPECT_EQ(cells[0].at.ridge, 0.3);
}

/// Scores with a function of (log2 sigma, log2 ridge).
template <class Error>
ScoreCells scored_by(Error error) {
  return [error](std::span<const CellParameters> cells) {
    std::vector<Cell> out;
    for (const auto& at : cells) {
      Cell cell{at};
      cell.error = error(std::log2(at.sigma), std::log2(at.ridge));
      cell.solved = true;
      out.push_back(cell);
    }
    return out;
  };
}

/// log2 of the cells in the order scored.
std::vector<std::pair<double, double>> path_of(const std::vector<Cell>& cells) {
  std::vector<std::pair<double, double>> out;
  for (const Cell& cell : cells) out.push_back(log_of(cell.at));
  return out;
}

TEST(GreedySearch, GoesOnUntilThreeFailuresInARowFirstOnSigmaThenOnRidge) {
  Bowl bowl{1, -2};
  const auto cells = greedy_search({}, {1, 1}, bowl.scorer());
  const std::vector<std::pair<double, double>> expected = {
      {0, 0},  {1, 0},  {2, 0},  {3, 0},  {4, 0},  // up: 1 is better, 2 to 4 are not
      {-1, 0}, {-2, 0}, {-3, 0},                   // down: nothing is better than 1
      {1, 1},  {1, 2},  {1, 3},                    // ridge up
      {1, -1}, {1, -2}, {1, -3}, {1, -4}, {1, -5}  // ridge down: -2 is the best
  };
  EXPECT_EQ(path_of(cells), expected);
  EXPECT_EQ(best_cell(cells).error, 0);
}

RC_GTEST_PROP(GreedySearch, ReachesTheLowestPointOfABowlAndScoresNothingTwice, ()) {
  const double start = *rc::gen::inRange(1, 100) / 10.0;
  const int i = *rc::gen::inRange(-20, 21);
  const int j = *rc::gen::inRange(-20, 21);
  Bowl bowl{std::log2(start) + i, static_cast<double>(j)};
  const auto cells = greedy_search({}, {start, 1}, bowl.scorer());
  RC_ASSERT(std::abs(best_cell(cells).error) < 1e-12);
  std::set<std::pair<double, double>> distinct;
  for (const Cell& cell : cells) distinct.insert({cell.at.sigma, cell.at.ridge});
  RC_ASSERT(std::ssize(distinct) == std::ssize(cells));
  RC_ASSERT(std::ssize(cells) == bowl.asked);
}

TEST(GreedySearch, CrossesABumpOfTwoCellsButNotOfThree) {
  const auto behind = [](int width) {  // worse for `width` doublings of sigma, then better
    return scored_by([width](double s, double) {
      return s <= 0 ? 0.5 : s <= width ? 0.6 : s == width + 1 ? 0.1 : 0.7;
    });
  };
  EXPECT_EQ(best_cell(greedy_search({}, {1, 1}, behind(2))).error, 0.1);
  EXPECT_EQ(best_cell(greedy_search({}, {1, 1}, behind(3))).error, 0.5);
}

TEST(GreedySearch, LeavesAPlateauAfterThreeCellsEachWay) {
  const auto cells = greedy_search({}, {1, 1}, scored_by([](double, double) { return 0.25; }));
  EXPECT_EQ(cells.size(), 13U);
  EXPECT_EQ(log_of(best_cell(cells).at), std::make_pair(3.0, 3.0));  // of equal cells the smoothest
}

TEST(GreedySearch, EndsAfter40StepsOnASlopeWithoutEnd) {
  const auto cells =
      greedy_search({}, {1, 1}, scored_by([](double s, double r) { return std::exp2(-s / 9) + std::exp2(r / 9); }));
  EXPECT_EQ(log_of(best_cell(cells).at), std::make_pair(40.0, -40.0));
  SearchSpace space;
  space.fixed_ridge = 1;
  for (const Cell& cell : greedy_search(space, {1e305, 1}, scored_by([](double s, double) { return -s; }))) {
    EXPECT_TRUE(std::isfinite(cell.at.sigma));
  }
}

TEST(GreedySearch, FixedParametersStayBitForBit) {
  Bowl bowl{3, -5};
  SearchSpace space;
  space.fixed_sigma = 0.1;
  for (const Cell& cell : greedy_search(space, {1, 1}, bowl.scorer())) EXPECT_EQ(cell.at.sigma, 0.1);
  space.fixed_ridge = 0.3;
  const auto cells = greedy_search(space, {1, 1}, bowl.scorer());
  ASSERT_EQ(cells.size(), 1U);
  EXPECT_EQ(cells[0].at.ridge, 0.3);
}

TEST(GreedySearch, FindsSolvableCellsFromAStartThatIsNot) {
  Bowl bowl{0, 4};
  const ScoreCells score = [&](std::span<const CellParameters> cells) {
    std::vector<Cell> out;
    for (const auto& at : cells) out.push_back(at.ridge < 4 ? Cell{at} : bowl(at));
    return out;
  };
  EXPECT_EQ(best_cell(greedy_search({}, {1, 1}, score)).error, 0);
}

/// Nine values of each axis.
std::vector<CellParameters> nine_by_nine() { return grid_cells({}); }

/// Remembers what halving asks for. The score of a cell is the same on subsets as on all rows.
struct SameOnSubsets {
  Bowl bowl;
  std::vector<std::pair<Index, std::size_t>> asked = {};

  ScoreOnRows scorer() {
    return [this](Index rows, std::span<const CellParameters> cells) {
      asked.emplace_back(rows, cells.size());
      std::vector<Cell> out;
      for (const CellParameters& at : cells) out.push_back(bowl(at));
      return out;
    };
  }
};

TEST(HalvingRounds, AreAnEighthAQuarterAndAHalfUnlessTheyAreTiny) {
  EXPECT_EQ(halving_rounds(8000), (std::vector<Index>{1000, 2000, 4000}));
  EXPECT_EQ(halving_rounds(800), (std::vector<Index>{100, 200, 400}));
  EXPECT_EQ(halving_rounds(799), (std::vector<Index>{199, 399}));
  EXPECT_EQ(halving_rounds(150), std::vector<Index>{});
}

TEST(HalvingSearch, AThirdGoesOnAndFiveAreScoredOnAllRows) {
  SameOnSubsets surface{{1.2, -0.7}};
  const Halving halving = halving_search(nine_by_nine(), 8000, halving_rounds(8000), surface.scorer());
  const std::vector<std::pair<Index, std::size_t>> expected = {{1000, 81}, {2000, 27}, {4000, 9}, {8000, 5}};
  EXPECT_EQ(surface.asked, expected);
  ASSERT_EQ(halving.rounds.size(), 3U);
  EXPECT_EQ(halving.rounds[1].rows, 2000);
  EXPECT_EQ(halving.rounds[1].cells.size(), 27U);
  EXPECT_EQ(halving.finalists.size(), 5U);
}

RC_GTEST_PROP(HalvingSearch, KeepsTheBestCellWhenSubsetsAgreeWithAllRows, ()) {
  const auto n = *rc::gen::inRange<Index>(10, 100000);
  SameOnSubsets surface{{*rc::gen::inRange(-50, 51) / 10.0, *rc::gen::inRange(-50, 51) / 10.0}};
  auto cells = nine_by_nine();
  cells.resize(*rc::gen::inRange<std::size_t>(1, 82));
  const Halving halving = halving_search(cells, n, halving_rounds(n), surface.scorer());
  RC_ASSERT(halving.finalists.size() >= std::min<std::size_t>(5, cells.size()));
  double lowest = 1e300;
  for (const auto& at : cells) lowest = std::min(lowest, surface.bowl(at).error);
  RC_ASSERT(std::abs(best_cell(halving.finalists).error - lowest) < 1e-9);
}

TEST(HalvingSearch, LooksAtNoSubsetWhenAllCellsAreFinalists) {
  SameOnSubsets surface{{0, 0}};
  const auto cells = nine_by_nine();
  halving_search(std::span(cells).first(5), 8000, halving_rounds(8000), surface.scorer());
  const std::vector<std::pair<Index, std::size_t>> expected = {{8000, 5}};
  EXPECT_EQ(surface.asked, expected);
}

TEST(HalvingSearch, CellsThatCannotBeSolvedDoNotGoOn) {
  const ScoreOnRows score = [](Index rows, std::span<const CellParameters> part) {
    std::vector<Cell> out;
    for (const auto& at : part)
      out.push_back(at.sigma < 4 ? Cell{at} : Cell{at, 1.0 / static_cast<double>(rows), {}, 0, true});
    return out;
  };
  const auto cells = nine_by_nine();  // sigma 4, 8 and 16 can be solved, each with nine ridges
  const std::vector<Index> rounds = {100};
  EXPECT_EQ(halving_search(cells, 200, rounds, score).finalists.size(), 27U);
  const ScoreOnRows never = [](Index, std::span<const CellParameters> part) {
    std::vector<Cell> out;
    for (const auto& at : part) out.push_back(Cell{at});
    return out;
  };
  const Halving nothing = halving_search(cells, 200, rounds, never);
  EXPECT_TRUE(nothing.finalists.empty());
  EXPECT_EQ(nothing.rounds.at(0).cells.size(), 81U);
}

TEST(HalvingSearch, TiesGoToTheSmootherCellsAndTheOrderStays) {
  const ScoreOnRows flat = [](Index, std::span<const CellParameters> part) {
    std::vector<Cell> out;
    for (const auto& at : part) out.push_back(Cell{at, 0.5, {}, 0, true});
    return out;
  };
  SearchSpace space;
  space.fixed_sigma = 1;
  space.ridge_range = {0, 8, 1};
  const std::vector<Index> rounds = {100};
  const Halving halving = halving_search(grid_cells(space), 200, rounds, flat);
  std::vector<double> ridges;
  for (const Cell& cell : halving.finalists) ridges.push_back(cell.at.ridge);
  EXPECT_EQ(ridges, (std::vector<double>{16, 32, 64, 128, 256}));
}

TEST(BestCell, IsTheOneNoOtherBeats) {
  Bowl bowl{0, 0};
  const std::vector<Cell> cells = {bowl({2, 1}), bowl({1, 1}), bowl({1, 2})};
  EXPECT_EQ(&best_cell(cells), &cells[1]);
}

TEST(ChosenCell, IsTheOneOfTheSmallestLossAmongThoseThatCannotBeToldFromTheBest) {
  const auto cell = [](double sigma, double error, double loss) { return Cell{{sigma, 1}, error, {}, loss, true}; };
  const std::vector<Cell> cells = {cell(0.5, 0.100, 0.9), cell(3, 0.104, 0.3), cell(4, 0.120, 0.1), cell(9, 0.2, 0)};
  EXPECT_EQ(&chosen_cell(cells, 1000), &cells[1]);  // a standard error is 0.0095
  EXPECT_EQ(&chosen_cell(cells, kManyRows), &cells[0]);
  EXPECT_EQ(&chosen_cell(cells, 100), &cells[2]);
}

TEST(ChosenCell, OfEqualLossesHasTheWidestKernelThenAboutTheLargestRidgeAndIsSolved) {
  const auto cell = [](double sigma, double ridge, double loss, bool solved) {
    return Cell{{sigma, ridge}, 0.1, {}, loss, solved};
  };
  const std::vector<Cell> cells = {cell(1, 9, 0.5, true), cell(2, 1e-6, 0.5, true), cell(2, 1e-3, 0.505, true),
                                   cell(2, 1, 0.6, true), cell(4, 1, 0.5, false)};
  EXPECT_EQ(&chosen_cell(cells, 100), &cells[2]);
}

}  // namespace
}  // namespace manyone::test
