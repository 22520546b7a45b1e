// SPDX-License-Identifier: Apache-2.0
#include "data/records/cell.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>

#include "base/numbers.hpp"

namespace manyone {
namespace {

std::optional<std::uint64_t> bits(std::optional<double> value) {
  return value ? std::optional(std::bit_cast<std::uint64_t>(*value)) : std::nullopt;
}

std::optional<double> parsed(std::string_view text) {
  double value = 0;
  return parse_number(text, value) ? std::optional(value) : std::nullopt;
}

TEST(ParseNumber, ReadsWhatPeopleWrite) {
  EXPECT_EQ(parsed("7"), 7);
  EXPECT_EQ(parsed("42"), 42);
  EXPECT_EQ(parsed("255"), 255);
  EXPECT_EQ(parsed("007"), 7);
  EXPECT_EQ(parsed("-3.25"), -3.25);
  EXPECT_EQ(parsed("+1"), 1);
  EXPECT_EQ(parsed(".5"), 0.5);
  EXPECT_EQ(parsed("5."), 5);
  EXPECT_EQ(parsed("1e-3"), 1e-3);
  EXPECT_EQ(parsed("0.1"), 0.1);
  EXPECT_EQ(parsed("123456789012345678"), 123456789012345678.0);
}

TEST(MarkedNumber, IsAnAmountWithGroupsCommasOrPercent) {
  for (const char* text : {"1,234.50", "1.234,5", "1'234", "12 500", "-12.3%", "12%", "3,5", "+1,234,567"})
    EXPECT_TRUE(is_marked_number(text)) << text;
  for (const char* text : {"", "%", "a", "1.5", "10-20", "12.03.2020", "1.2.3", "3 5", "1st", "12:30", "1,"})
    EXPECT_FALSE(is_marked_number(text)) << text;
}

TEST(ParseNumber, RefusesWhatIsNoNumber) {
  for (const char* text :
       {"", "-", "+", ".", "-.", "1a", "a1", "1 2", "--1", "+-1", "1,5", "0x10", "1e", "e5", "1-", "1.2.3"}) {
    EXPECT_EQ(parsed(text), std::nullopt) << text;
  }
}

TEST(ParseNumber, ZeroKeepsItsSign) { EXPECT_TRUE(std::signbit(*parsed("-0"))); }

RC_GTEST_PROP(ParseNumber, AgreesWithTheGeneralParserOnDecimals, (std::uint64_t mantissa)) {
  const int digits = *rc::gen::inRange(1, 20);
  const int point = *rc::gen::inRange(0, digits + 1);
  std::string text = std::to_string(mantissa).substr(0, static_cast<std::size_t>(digits));
  text.insert(std::min(static_cast<std::size_t>(point), text.size()), ".");
  if (*rc::gen::arbitrary<bool>()) text.insert(0, "-");
  RC_ASSERT(bits(parsed(text)) == bits(parse_double(text)));
}

RC_GTEST_PROP(ParseNumber, AgreesWithTheGeneralParserOnAnything, ()) {
  const auto text = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("0123456789+-.eE xnaif")));
  RC_ASSERT(bits(parsed(text)) == bits(parse_double(text)));
}

RC_GTEST_PROP(ParseNumber, ReadsBackWhatFormatDoubleWrites, (std::uint64_t pattern)) {
  const double value = std::bit_cast<double>(pattern);
  RC_PRE(std::isfinite(value));
  RC_ASSERT(bits(parsed(format_double(value))) == pattern);
}

TEST(Cell, NominalNumbersHaveOneSpelling) {
  EXPECT_EQ(canonical_value("1.0"), "1");
  EXPECT_EQ(canonical_value("+1"), "1");
  EXPECT_EQ(canonical_value("-0.0"), "0");
  EXPECT_EQ(canonical_value("red"), "red");
  EXPECT_EQ(canonical_value("inf"), "inf");
}

TEST(Cell, MessagesShowHostileTextSafely) {
  EXPECT_EQ(shown("abc"), "'abc'");
  EXPECT_EQ(shown("a\nb\xff"), "'a\\x0ab\\xff'");
  EXPECT_EQ(shown("caf\xc3\xa9"), "'caf\xc3\xa9'");
  EXPECT_LT(shown(std::string(1000, 'x')).size(), 50u);
}

TEST(Cell, OnlyUtf8IsText) {
  EXPECT_NO_THROW(require_utf8("na\xc3\xafve \xe2\x82\xac \xf0\x9f\x98\x80", {}));
  for (const char* text : {"\xff", "\xc3", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82"}) {
    EXPECT_THROW(require_utf8(text, {}), InputError);
  }
}

}  // namespace
}  // namespace manyone
