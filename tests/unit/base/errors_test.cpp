// SPDX-License-Identifier: Apache-2.0
#include "manyone/errors.hpp"

#include <gtest/gtest.h>

namespace manyone {
namespace {

TEST(Errors, PlaceLeavesOutWhatIsNotKnown) {
  EXPECT_EQ((Place{"a.csv", 3, 7}.text()), "a.csv:3:7");
  EXPECT_EQ((Place{"a.csv", 3, 0}.text()), "a.csv:3");
  EXPECT_EQ((Place{"a.csv", 0, 7}.text()), "a.csv");
}

TEST(Errors, InputErrorStartsWithItsPlace) {
  EXPECT_STREQ(InputError({"a.csv", 3, 7}, "expected a number, found 'x'").what(),
               "a.csv:3:7: expected a number, found 'x'");
}

TEST(Errors, EachKindHasItsExitCode) {
  EXPECT_EQ(static_cast<int>(ConfigError("").exit_code()), 2);
  EXPECT_EQ(static_cast<int>(InputError("").exit_code()), 3);
  EXPECT_EQ(static_cast<int>(BackendError("").exit_code()), 4);
  EXPECT_EQ(static_cast<int>(MemoryError("").exit_code()), 5);
  EXPECT_EQ(static_cast<int>(Interrupted().exit_code()), 130);
}

TEST(Errors, AComplaintIsSaidFromItsParts) {
  const auto error = ConfigError::must_be("sigma", "a number above 0 or auto", "-1", "leave it out to have it tuned");
  EXPECT_STREQ(error.what(), "sigma must be a number above 0 or auto, found -1; leave it out to have it tuned");
  EXPECT_EQ(error.complaint().parameter, "sigma");
  EXPECT_EQ(error.complaint().found, "-1");
  EXPECT_EQ(error.complaint().words().parameters(), std::vector<std::string>{"sigma"});
  EXPECT_STREQ(InputError(Place{"w.csv", 2}, "no weight", "write one").what(), "w.csv:2: no weight; write one");
}

TEST(Errors, AllAreCaughtAsError) {
  EXPECT_THROW(throw ConfigError("x"), Error);
  EXPECT_THROW(throw Interrupted(), std::runtime_error);
}

}  // namespace
}  // namespace manyone
