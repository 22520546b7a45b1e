// SPDX-License-Identifier: Apache-2.0
#include "base/memory.hpp"

#include <string>

#include <gtest/gtest.h>

#include "manyone/errors.hpp"

namespace manyone {
namespace {

TEST(MemoryBudget, SaysWhatIsNeededWhatThereIsAndWhatToDo) {
  const MemoryBudget budget(std::uint64_t{8} << 30);
  try {
    budget.require(12.0 * (1 << 30), "the kernel matrix", "use `centers=5%`");
    FAIL();
  } catch (const MemoryError& error) {
    EXPECT_STREQ(error.what(), "the kernel matrix needs 12.0 GB, but only 8.0 GB may be used; use centers=5%");
    EXPECT_EQ(error.exit_code(), ExitCode::memory);
  }
}

TEST(MemoryBudget, ExactlyFullStillFits) {
  const MemoryBudget budget(1000);
  EXPECT_NO_THROW(budget.require(1000, "x", "y"));
  EXPECT_THROW(budget.require(1001, "x", "y"), MemoryError);
}

TEST(MemoryBudget, AbsurdNeedsAreRefusedNotOverflowed) {
  const MemoryBudget budget(1000);
  EXPECT_THROW(budget.require(8.0 * 1e12 * 1e12, "x", "y"), MemoryError);  // n*n of a trillion rows
}

TEST(MemoryBudget, DefaultIsWhatThisMachineCanGive) {
  constexpr std::uint64_t small = 16 << 20, absurd = std::uint64_t{1} << 50;
  EXPECT_GT(available_memory(), small);
  EXPECT_LT(available_memory(), absurd);  // "no limit" of a control group is not taken for memory
  EXPECT_GT(MemoryBudget().bytes(), small / 2);
}

}  // namespace
}  // namespace manyone
