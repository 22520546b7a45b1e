// SPDX-License-Identifier: Apache-2.0
#include "base/threads.hpp"

#include <sched.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace manyone {
namespace {

class Threads : public testing::TestWithParam<int> {
 protected:
  ThreadPool pool_{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Counts, Threads, testing::Values(1, 2, 3, 8));

TEST_P(Threads, EveryIndexRunsOnce) {
  EXPECT_EQ(pool_.threads(), GetParam());
  for (const std::size_t count : {0u, 1u, 2u, 7u, 1000u}) {
    std::vector<int> visits(count, 0);  // unsynchronised on purpose: an index belongs to one thread
    pool_.parallel_for(count, [&](std::size_t i) { ++visits[i]; });
    EXPECT_EQ(visits, std::vector<int>(count, 1));
  }
}

TEST_P(Threads, MayRunOnAllProcessorsOfTheCaller) {  // also those that moved away from the caller's
  cpu_set_t callers;
  ASSERT_EQ(sched_getaffinity(0, sizeof callers, &callers), 0);
  std::atomic<int> others{0};
  for (int round = 0; round < 200; ++round) {
    pool_.parallel_for(16, [&](std::size_t) {
      cpu_set_t own;
      if (sched_getaffinity(0, sizeof own, &own) != 0 || !CPU_EQUAL(&own, &callers)) ++others;
    });
  }
  EXPECT_EQ(others, 0);
}

TEST_P(Threads, SmallestFailingIndexIsReportedInEveryRun) {
  for (int round = 0; round < 2000; ++round) {  // all above 2 fail, so whoever is late would show
    try {
      pool_.parallel_for(64, [](std::size_t i) {
        if (i > 2) throw std::runtime_error(std::to_string(i));
      });
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      ASSERT_STREQ(error.what(), "3");
    }
  }
}

TEST_P(Threads, FailureSkipsTheRestAndThePoolLivesOn) {
  std::atomic<int> ran{0};
  const auto body = [&](std::size_t i) {
    ++ran;
    if (i == 0) throw std::runtime_error("first");
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  };
  EXPECT_THROW(pool_.parallel_for(100'000, body), std::runtime_error);
  EXPECT_LT(ran, 100'000);
  std::atomic<int> after{0};
  pool_.parallel_for(10, [&](std::size_t) { ++after; });
  EXPECT_EQ(after, 10);
}

TEST_P(Threads, NestedCallsRunSeriallyOnTheSameThread) {
  std::atomic<int> total{0};
  std::atomic<bool> moved{false};
  pool_.parallel_for(20, [&](std::size_t) {
    const auto self = std::this_thread::get_id();
    std::size_t expected = 0;
    pool_.parallel_for(30, [&](std::size_t j) {
      if (std::this_thread::get_id() != self || j != expected++) moved = true;
      ++total;
    });
  });
  EXPECT_EQ(total, 600);
  EXPECT_FALSE(moved);
}

TEST_P(Threads, ManySmallJobsLoseNothing) {
  std::size_t sum = 0;
  std::vector<std::size_t> parts(3);
  for (std::size_t job = 0; job < 5000; ++job) {
    pool_.parallel_for(parts.size(), [&](std::size_t i) { parts[i] = job * i; });
    sum += parts[0] + parts[1] + parts[2];
  }
  EXPECT_EQ(sum, 3u * 5000 * 4999 / 2);
}

TEST_P(Threads, CallersTakeTurns) {
  std::atomic<int> total{0};
  {
    std::vector<std::jthread> callers;
    for (int caller = 0; caller < 4; ++caller) {
      callers.emplace_back([&] {
        for (int job = 0; job < 50; ++job) pool_.parallel_for(5, [&](std::size_t) { ++total; });
      });
    }
  }
  EXPECT_EQ(total, 4 * 50 * 5);
}

TEST(ThreadPool, DefaultUsesTheHardware) {
  EXPECT_GE(hardware_threads(), 1);
  EXPECT_EQ(ThreadPool().threads(), hardware_threads());
}

TEST(ThreadPool, IsDestroyedWithoutEverWorking) {
  for (int i = 0; i < 100; ++i) ThreadPool pool(4);
}

}  // namespace
}  // namespace manyone
