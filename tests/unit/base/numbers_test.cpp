// SPDX-License-Identifier: Apache-2.0
#include "base/numbers.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace manyone {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

RC_GTEST_PROP(Numbers, EveryDoubleReadsBackToTheSameBits, (std::uint64_t bits)) {
  const double value = std::bit_cast<double>(bits);
  const auto back = parse_double(format_double(value));
  RC_ASSERT(back.has_value());
  if (std::isnan(value)) {
    RC_ASSERT(std::isnan(*back));
  } else {
    RC_ASSERT(std::bit_cast<std::uint64_t>(*back) == bits);
  }
}

RC_GTEST_PROP(Numbers, EveryIntegerReadsBack, (std::int64_t value)) {
  RC_ASSERT(parse_integer(std::to_string(value)) == value);
}

TEST(Numbers, ExtremeDoublesReadBack) {
  using Limits = std::numeric_limits<double>;
  for (const double value :
       {0.0, -0.0, Limits::denorm_min(), Limits::min(), Limits::max(), -Limits::max(), 0.1, 1.0 / 3}) {
    const auto back = parse_double(format_double(value));
    ASSERT_TRUE(back);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(*back), std::bit_cast<std::uint64_t>(value)) << value;
  }
}

TEST(Numbers, DoubleIsTheWholeTextOrNothing) {
  EXPECT_EQ(parse_double("1.5"), 1.5);
  EXPECT_EQ(parse_double("+1.5"), 1.5);
  EXPECT_EQ(parse_double("-.5"), -0.5);
  EXPECT_EQ(parse_double("1."), 1.0);
  EXPECT_EQ(parse_double("1E3"), 1000.0);
  EXPECT_EQ(parse_double("inf"), kInfinity);
  EXPECT_TRUE(std::isnan(parse_double("NaN").value()));
  for (const char* text :
       {"", "+", "-", ".", "+-1", "++1", " 1", "1 ", "1,5", "0x10", "1e", "1e+", "e5", "1.2.3", "one"}) {
    EXPECT_FALSE(parse_double(text)) << text;
  }
  EXPECT_FALSE(parse_double(std::string_view("1\0", 2)));
}

TEST(Numbers, OutOfRangeBecomesZeroOrInfinity) {
  const std::string zeros(400, '0'), nines(400, '9');
  EXPECT_EQ(parse_double("1e400"), kInfinity);
  EXPECT_EQ(parse_double("-1e400"), -kInfinity);
  EXPECT_EQ(parse_double("1e-400"), 0.0);
  EXPECT_TRUE(std::signbit(parse_double("-1e-400").value()));
  EXPECT_EQ(parse_double("1e99999999999999999999"), kInfinity);
  EXPECT_EQ(parse_double("1e-99999999999999999999"), 0.0);
  EXPECT_EQ(parse_double("0e99999999999999999999"), 0.0);
  // Where the sign of the exponent alone would mislead:
  EXPECT_EQ(parse_double("0." + zeros + "1"), 0.0);
  EXPECT_EQ(parse_double("0." + zeros + "1e+10"), 0.0);
  EXPECT_EQ(parse_double(nines), kInfinity);
  EXPECT_EQ(parse_double(nines + "e-10"), kInfinity);
  EXPECT_EQ(parse_double("-" + nines + ".5e-10"), -kInfinity);
  EXPECT_DOUBLE_EQ(parse_double("0." + zeros + "1e401").value(), 1.0);
}

TEST(Numbers, IntegerEdges) {
  EXPECT_EQ(parse_integer("+7"), 7);
  EXPECT_EQ(parse_integer("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  for (const char* text : {"", "+", "+-5", "-+5", "9223372036854775808", "1.0", "5 ", "0x5"}) {
    EXPECT_FALSE(parse_integer(text)) << text;
  }
}

TEST(Numbers, BytesWithUnits) {
  EXPECT_EQ(parse_bytes("1000000"), 1000000u);
  EXPECT_EQ(parse_bytes("64k"), 65536u);
  EXPECT_EQ(parse_bytes("1.5G"), 1610612736u);
  EXPECT_EQ(parse_bytes("8GB"), 8589934592u);
  EXPECT_EQ(parse_bytes("512 M"), 536870912u);
  EXPECT_EQ(parse_bytes("2T"), 2199023255552u);
  for (const char* text : {"", "G", "B", "-1G", "0", "0.5", "nan", "inf", "8Q", "1e30", "8GG"}) {
    EXPECT_FALSE(parse_bytes(text)) << text;
  }
}

TEST(Numbers, TextForPeople) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(1023), "1023 B");
  EXPECT_EQ(format_bytes(1536), "1.5 kB");
  EXPECT_EQ(format_bytes(1048575), "1.0 MB");
  EXPECT_EQ(format_bytes(std::uint64_t{3} << 30), "3.0 GB");
  EXPECT_EQ(format_seconds(0.42), "0.42 s");
  EXPECT_EQ(format_seconds(12.3), "12 s");
  EXPECT_EQ(format_seconds(59.7), "1 min 00 s");
  EXPECT_EQ(format_seconds(185), "3 min 05 s");
  EXPECT_EQ(format_seconds(3599.7), "1 h 00 min");
  EXPECT_EQ(format_seconds(3720), "1 h 02 min");
  EXPECT_EQ(format_seconds(kInfinity), format_seconds(1e15));
}

TEST(Numbers, TrimTakesBlanksFromBothEnds) {
  EXPECT_EQ(trim(" \ta b\r"), "a b");
  EXPECT_EQ(trim(" \t"), "");
  EXPECT_EQ(trim(""), "");
}

TEST(Numbers, NearestWordForgivesASlip) {
  const std::array words = {"sigma", "ridge", "seed", "scale"};
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(nearest_word("sigms", words), "sigma");
  EXPECT_EQ(nearest_word("rigde", words), "ridge");
  EXPECT_FALSE(nearest_word("kernel", words));
}

}  // namespace
}  // namespace manyone
