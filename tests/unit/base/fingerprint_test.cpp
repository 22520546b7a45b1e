// SPDX-License-Identifier: Apache-2.0
#include "base/fingerprint.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace manyone {
namespace {

std::uint64_t of_bytes(std::string_view text) {
  return Fingerprint().add_bytes(std::as_bytes(std::span(text))).value();
}

TEST(Fingerprint, OfBytesIsFnv1a) {  // the values that the authors of FNV publish
  EXPECT_EQ(of_bytes(""), 0xcbf29ce484222325U);
  EXPECT_EQ(of_bytes("a"), 0xaf63dc4c8601ec8cU);
  EXPECT_EQ(of_bytes("foobar"), 0x85944171f73967e8U);
}

TEST(Fingerprint, DoesNotDependOnTheWidthOfAnInteger) {
  EXPECT_EQ(Fingerprint().add(7).value(), Fingerprint().add(std::int64_t{7}).value());
  EXPECT_EQ(Fingerprint().add(-7).value(), Fingerprint().add(std::int64_t{-7}).value());
  EXPECT_NE(Fingerprint().add(7).value(), Fingerprint().add(8).value());
}

TEST(Fingerprint, SeesEveryBitOfADouble) {
  const double one = 1;
  EXPECT_NE(Fingerprint().add(one).value(), Fingerprint().add(1 + 0x1p-52).value());
  EXPECT_NE(Fingerprint().add(0.0).value(), Fingerprint().add(-0.0).value());
}

TEST(Fingerprint, SeesWhereOneValueEndsAndTheNextBegins) {
  EXPECT_NE(Fingerprint().add("ab").add("c").value(), Fingerprint().add("a").add("bc").value());
  EXPECT_NE(Fingerprint().add("").value(), Fingerprint().value());
  const std::vector<int> none;
  const std::vector<int> one = {0};
  EXPECT_NE(Fingerprint().add(none).add(one).value(), Fingerprint().add(one).add(none).value());
}

TEST(Fingerprint, SeesTheOrderOfNumbers) {
  const std::vector<double> forward = {1, 2};
  const std::vector<double> backward = {2, 1};
  EXPECT_NE(Fingerprint().add(forward).value(), Fingerprint().add(backward).value());
}

}  // namespace
}  // namespace manyone
