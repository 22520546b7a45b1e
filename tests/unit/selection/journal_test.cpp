// SPDX-License-Identifier: Apache-2.0
//
// A journal gives back what it was given, to the bit, and a stopped search goes on as if it had not been stopped.
#include "selection/journal.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "manyone/errors.hpp"

namespace manyone::test {
namespace {

constexpr JournalHeader kHeader = {0x0123456789abcdef, 42};

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

bool same(const Cell& a, const Cell& b) {
  return same_bits(a.at.sigma, b.at.sigma) && same_bits(a.at.ridge, b.at.ridge) && same_bits(a.error, b.error) &&
         a.std.has_value() == b.std.has_value() && same_bits(a.std.value_or(0), b.std.value_or(0)) &&
         same_bits(a.loss, b.loss) && a.solved == b.solved && a.unfinished == b.unfinished;
}

bool same(const std::vector<Cell>& a, const std::vector<Cell>& b) {
  return std::ranges::equal(a, b, [](const Cell& x, const Cell& y) { return same(x, y); });
}

std::string content(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write(const std::string& path, std::string_view text) { std::ofstream(path, std::ios::binary) << text; }

class JournalTest : public testing::Test {
 protected:
  JournalTest() : path_(testing::TempDir() + "journal_" + std::to_string(::getpid())) { remove(); }
  ~JournalTest() override { remove(); }
  void remove() const { std::filesystem::remove(path_); }
  std::unique_ptr<Journal> open(const JournalHeader& header = kHeader) const { return Journal::open(path_, header); }

  /// The message of the InputError that opening gives; empty if there is none.
  std::string refusal(const JournalHeader& header = kHeader) const {
    try {
      open(header);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  /// A journal of three cells as text.
  std::string three_cells() const {
    remove();
    const auto journal = open();
    for (const double sigma : {1.0, 2.0, 3.0}) journal->add("grid", Cell{{sigma, 0.1}, 0.5, {}, 0.25, true});
    return content(path_);
  }

  std::string path_;
};

TEST_F(JournalTest, ReadsBackEveryNumberToTheBit) {
  const double third = 1.0 / 3;
  const double tiny = std::numeric_limits<double>::denorm_min();
  const double huge = std::numeric_limits<double>::max();
  const std::vector<Cell> cells = {
      {{third, 0.1}, 0.1 + 0.2, third / 7, std::sqrt(0.5), true},
      {{huge, tiny}, 1e-300, std::nullopt, -0.0, true},
      {{123456789012345678.0, 1e22}, 1, std::nullopt, 0, false},
      {{1, 1}, 0, 0.0, 1 + 0x1p-52, true},  // a loss that rounding took beyond 1
      {{3, 4}, 0.25, {}, 0.5, true, 7},
  };
  {
    const auto journal = open();
    for (const Cell& cell : cells) journal->add("grid", cell);
  }
  const auto journal = open();
  ASSERT_EQ(journal->size(), cells.size());
  for (const Cell& cell : cells) {
    const auto found = journal->find("grid", cell.at);
    ASSERT_TRUE(found.has_value());
    EXPECT_TRUE(same(*found, cell)) << content(path_);
  }
}

TEST_F(JournalTest, FindsOnlyTheSameStageAndExactlyTheSameNumbers) {
  const auto journal = open();
  journal->add("coarse \"1\"\n", Cell{{1, 2}, 0.5, {}, 0, true});
  EXPECT_TRUE(journal->find("coarse \"1\"\n", {1, 2}).has_value());
  EXPECT_FALSE(journal->find("coarse", {1, 2}).has_value());
  EXPECT_FALSE(journal->find("coarse \"1\"\n", {1 + 0x1p-52, 2}).has_value());
  EXPECT_FALSE(journal->find("coarse \"1\"\n", {2, 1}).has_value());
}

TEST_F(JournalTest, KeepsTheFirstScoreOfACell) {
  const auto journal = open();
  journal->add("grid", Cell{{1, 2}, 0.5, {}, 0, true});
  const std::string before = content(path_);
  journal->add("grid", Cell{{1, 2}, 0.6, {}, 0, true});
  EXPECT_EQ(journal->find("grid", {1, 2})->error, 0.5);
  EXPECT_EQ(content(path_), before);
}

TEST_F(JournalTest, IsALineOfHeaderAndALineForEachCell) {
  three_cells();
  std::ifstream stream(path_);
  std::string line;
  std::getline(stream, line);
  EXPECT_EQ(line, R"({"format":"manyone journal","version":1,"data":"0123456789abcdef","recipe":"000000000000002a"})");
  std::getline(stream, line);
  EXPECT_EQ(line, R"({"stage":"grid","sigma":"1","ridge":"0.1","error":"0.5","std":null,"loss":"0.25","solved":true})");
}

TEST_F(JournalTest, CutAnywhereItKeepsTheWholeLinesAndGoesOn) {
  const std::string text = three_cells();
  const Cell fourth{{4, 0.1}, 0.5, {}, 0, true};
  for (std::size_t size = 0; size <= text.size(); ++size) {
    write(path_, text.substr(0, size));
    const auto lines = static_cast<std::size_t>(std::ranges::count(text.substr(0, size), '\n'));
    {
      const auto journal = open();
      ASSERT_EQ(journal->size(), lines == 0 ? 0 : lines - 1) << size;
      journal->add("grid", fourth);
    }
    const auto journal = open();
    ASSERT_EQ(journal->size(), std::max<std::size_t>(lines, 1)) << size;
    ASSERT_TRUE(same(*journal->find("grid", fourth.at), fourth)) << size;
  }
}

TEST_F(JournalTest, DamageInTheMiddleIsAnErrorThatNamesTheLine) {
  const std::string text = three_cells();
  for (const auto& [good, bad] : std::vector<std::pair<std::string, std::string>>{
           {R"("sigma":"2")", R"("sigma":"2x")"},
           {R"("sigma":"2")", R"("sigma":2)"},
           {R"("sigma":"2",)", ""},
           {R"({"stage":"grid","sigma":"2")", R"("stage":"grid","sigma":"2")"},
           {R"({"stage":"grid","sigma":"2")", R"({"stage":7,"sigma":"2")"},
           {R"({"stage":"grid","sigma":"2")",
            "\n"
            R"({"stage":"grid","sigma":"2")"},
       }) {
    std::string damaged = text;
    damaged.replace(damaged.find(good), good.size(), bad);
    write(path_, damaged);
    EXPECT_TRUE(refusal().starts_with(path_ + ":3: ")) << refusal();
    EXPECT_EQ(content(path_), damaged);
  }
  for (const auto& [good, bad] : std::vector<std::pair<std::string, std::string>>{
           {R"("solved":true)", R"("solved":1)"}, {R"("std":null,)", ""}, {R"("std":null)", R"("std":"x")"}}) {
    std::string damaged = text;
    damaged.replace(damaged.find(good), good.size(), bad);
    write(path_, damaged);
    EXPECT_TRUE(refusal().starts_with(path_ + ":2: ")) << refusal();
  }
}

TEST_F(JournalTest, AForeignHeaderIsAnErrorThatSaysWhatDiffers) {
  const std::string text = three_cells();
  EXPECT_NE(refusal({1, 42}).find("belongs to another table; use another resume file or delete it"), std::string::npos);
  EXPECT_NE(refusal({kHeader.data, 43}).find("belongs to other options on the same table"), std::string::npos);
  EXPECT_NE(refusal({1, 43}).find("belongs to another table and to other options"), std::string::npos);
  EXPECT_EQ(content(path_), text);
  EXPECT_EQ(refusal(), "");

  std::string newer = text;
  newer.replace(newer.find(R"("version":1)"), 11, R"("version":9)");
  write(path_, newer);
  EXPECT_NE(refusal().find("version 9"), std::string::npos);
}

TEST_F(JournalTest, SomebodyElsesFileIsRefusedAndLeftAlone) {
  for (const std::string text : {"5.1,3.5,setosa\n", "5.1,3.5,setosa", "{}\n", "[1]\n", "\n", "{\"format\":7}\n"}) {
    write(path_, text);
    EXPECT_TRUE(refusal().starts_with(path_ + ":1: ")) << text;
    EXPECT_EQ(content(path_), text);
  }
}

TEST_F(JournalTest, IsOpenInOneRunOnly) {
  const auto journal = open();
  EXPECT_THROW(open(), ConfigError);
}

TEST_F(JournalTest, ThreadsMayAddAndFindAtTheSameTime) {
  constexpr int kThreads = 4;
  constexpr int kCells = 200;
  {
    const auto journal = open();
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        for (int k = 1; k <= kCells; ++k) {
          journal->add("grid", Cell{{t + 1.0, 1.0 / k}, 1.0 / (t + k), {}, 0, true});
          journal->find("grid", {1, 1.0 / k});
        }
      });
    }
    for (auto& thread : threads) thread.join();
  }
  const auto journal = open();
  EXPECT_EQ(journal->size(), static_cast<std::size_t>(kThreads * kCells));
  for (int t = 0; t < kThreads; ++t) {
    for (int k = 1; k <= kCells; ++k) {
      const auto cell = journal->find("grid", {t + 1.0, 1.0 / k});
      ASSERT_TRUE(cell.has_value());
      ASSERT_EQ(cell->error, 1.0 / (t + k));
    }
  }
}

/// What a search sees: a surface with ripples and ties, and a few cells that cannot be solved.
Cell surface(const CellParameters& at) {
  Cell cell{at};
  const double x = std::log2(at.sigma) - 1.3;
  const double y = std::log2(at.ridge) + 2.1;
  if (y < -9) return cell;
  cell.solved = true;
  cell.error = std::min(1.0, std::round(100 * (0.1 + 0.01 * x * x + 0.005 * y * y + 0.01 * std::sin(9 * x + y))) / 100);
  cell.std = std::abs(std::sin(x)) / 3;
  cell.loss = 0.1 + 0.001 * x * x;
  return cell;
}

/// Scores cells and records them one by one, as a CellScorer with a journal does; counts them.
struct Recorder {
  Journal& journal;
  std::size_t asked = 0;

  ScoreCells scorer(const std::string& stage) {
    const ScoreCells inner = [this, stage](std::span<const CellParameters> cells) {
      std::vector<Cell> out;
      for (const auto& at : cells) {
        out.push_back(surface(at));
        journal.add(stage, out.back());
        ++asked;
      }
      return out;
    };
    return journalled(inner, journal, stage);
  }
};

/// One search after the other; every cell they scored.
std::vector<Cell> all_searches(Recorder& recorder) {
  std::vector<Cell> out;
  const auto append = [&](const std::vector<Cell>& cells) { out.insert(out.end(), cells.begin(), cells.end()); };
  append(design_search({{1, 1}, 10, 14}, recorder.scorer("design")));
  append(greedy_search({}, {1, 1}, recorder.scorer("greedy")));
  append(pattern_search({}, {1, 1}, 30, 100000, recorder.scorer("pattern")));
  const std::vector<Index> rounds = {100, 200};
  const Halving halving =
      halving_search(grid_cells({}), 300, rounds, [&](Index rows, std::span<const CellParameters> cells) {
        return recorder.scorer("halving " + std::to_string(rows))(cells);
      });
  for (const auto& round : halving.rounds) append(round.cells);
  append(halving.finalists);
  return out;
}

TEST_F(JournalTest, CellsThatStartFromEachOtherAreScoredTogetherAgain) {
  const std::vector<CellParameters> cells = {{1, 1}, {1, 2}, {2, 1}, {2, 2}};
  const auto journal = open();
  for (const std::size_t k : {0U, 1U, 2U}) journal->add("cells", Cell{cells[k], 0.25, {}, 0, true});
  std::vector<CellParameters> asked;
  const ScoreCells inner = [&](std::span<const CellParameters> missing) {
    asked.assign(missing.begin(), missing.end());
    std::vector<Cell> out;
    for (const auto& at : missing) out.push_back(Cell{at, 0.5, {}, 0, true});
    return out;
  };
  const auto scored = journalled(inner, *journal, "cells", true)(cells);
  EXPECT_EQ(asked, (std::vector<CellParameters>{{2, 1}, {2, 2}}));
  EXPECT_EQ(scored[1].error, 0.25);
  EXPECT_EQ(scored[2].error, 0.5);
}

TEST_F(JournalTest, AStoppedSearchGoesOnAsIfItHadNotBeenStopped) {
  std::vector<Cell> expected;
  std::size_t total = 0;
  {
    const auto journal = open();
    Recorder recorder{*journal};
    expected = all_searches(recorder);
    total = recorder.asked;
    ASSERT_EQ(journal->size(), total);
  }
  const std::string text = content(path_);
  for (std::size_t size = 0; size <= text.size(); size += 97) {
    write(path_, text.substr(0, size));
    const auto journal = open();
    Recorder recorder{*journal};
    const std::size_t known = journal->size();
    ASSERT_TRUE(same(all_searches(recorder), expected)) << size;
    ASSERT_EQ(recorder.asked, total - known) << size;
    ASSERT_EQ(content(path_), text) << size;
  }
}

TEST_F(JournalTest, JournalledKeepsTheOrderAndAsksOnlyForWhatIsMissing) {
  const auto journal = open();
  const std::vector<CellParameters> cells = {{1, 1}, {2, 1}, {3, 1}, {4, 1}};
  journal->add("a", surface(cells[1]));
  journal->add("b", surface(cells[2]));
  std::vector<double> asked;
  const ScoreCells score = journalled(
      [&](std::span<const CellParameters> missing) {
        std::vector<Cell> out;
        for (const auto& at : missing) {
          asked.push_back(at.sigma);
          out.push_back(surface(at));
        }
        return out;
      },
      *journal, "a");
  const auto scored = score(cells);
  EXPECT_EQ(asked, (std::vector<double>{1, 3, 4}));
  ASSERT_EQ(scored.size(), 4U);
  for (std::size_t k = 0; k < cells.size(); ++k) EXPECT_TRUE(same(scored[k], surface(cells[k])));
  EXPECT_EQ(journal->size(), 2U);  // to record is the business of the inner function
  asked.clear();
  score(std::span(cells).subspan(1, 1));
  EXPECT_TRUE(asked.empty());
}

TEST_F(JournalTest, AKilledWriterLosesNoFinishedCell) {
  const std::string signal_path = path_ + "_added";
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto journal = open();
    for (double sigma = 1;; ++sigma) {
      journal->add("grid", surface({sigma, 1}));
      if (sigma == 100) write(signal_path, "100");
    }
  }
  while (!std::filesystem::exists(signal_path)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  ASSERT_EQ(::kill(child, SIGKILL), 0);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  std::filesystem::remove(signal_path);
  const auto journal = open();
  ASSERT_GE(journal->size(), 100U);
  for (std::size_t k = 1; k <= journal->size(); ++k) {
    const CellParameters at{static_cast<double>(k), 1};
    ASSERT_TRUE(journal->find("grid", at).has_value());
    ASSERT_TRUE(same(*journal->find("grid", at), surface(at)));
  }
}

}  // namespace
}  // namespace manyone::test
