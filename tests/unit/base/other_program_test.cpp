// SPDX-License-Identifier: Apache-2.0
#include "base/other_program.hpp"

#include <gtest/gtest.h>

#include "base/interrupt.hpp"

namespace manyone {
namespace {

ProgramRun shell(const std::string& line, std::string_view input = "", const ProgramLimits& limits = {}) {
  return run_other_program({"/bin/sh", "-c", line}, input, limits);
}

TEST(OtherProgram, ReadsAllOfItsInputAndIsReadToItsEnd) {
  const std::string text(3 << 20, 'x');  // more than a pipe holds
  const ProgramRun run = shell("cat; cat /dev/null >&2", text);
  EXPECT_EQ(run.failure, "");
  EXPECT_EQ(run.output, text);
}

TEST(OtherProgram, NeedNotReadItsInput) { EXPECT_EQ(shell("exit 0", std::string(1 << 20, 'x')).failure, ""); }

TEST(OtherProgram, FailsWithTheFirstLineOfItsComplaint) {
  EXPECT_EQ(shell("echo 'no colours' >&2; echo more >&2; exit 3").failure, "ended with code 3: no colours");
  EXPECT_EQ(shell("kill -9 $$").failure, "ended by signal 9");
  EXPECT_NE(run_other_program({"/no/such/program"}, "", {}).failure.find("cannot be started"), std::string::npos);
}

TEST(OtherProgram, IsKilledAtItsLimits) {
  const auto before = std::chrono::steady_clock::now();
  EXPECT_EQ(shell("exec sleep 60", "", {std::chrono::seconds(1)}).failure, "took more than 1 seconds");
  EXPECT_EQ(shell("exec yes", "", {std::chrono::seconds(60), 1000}).failure, "wrote more than 1000 bytes");
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(30));
}

TEST(OtherProgram, EndsWhenASignalAsksUsToStop) {
  Interrupt interrupt;
  const SignalGuard guard(interrupt);
  interrupt.request();
  EXPECT_THROW(shell("exec sleep 60"), Interrupted);
}

TEST(OtherProgram, IsFoundInTheFoldersOfThePath) {
  EXPECT_TRUE(program_on_path("sh").ends_with("/sh"));
  EXPECT_EQ(program_on_path("no-such-program"), "");
}

}  // namespace
}  // namespace manyone
