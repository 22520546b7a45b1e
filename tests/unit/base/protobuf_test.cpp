// SPDX-License-Identifier: Apache-2.0
//
// The examples of the encoding's own documentation, byte for byte.
#include "base/protobuf.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace manyone::test {
namespace {

using namespace std::string_literals;

TEST(Protobuf, NumbersAreWrittenSevenBitsAByte) {
  EXPECT_EQ(ProtobufMessage().number(1, 150).bytes(), "\x08\x96\x01"s);
  EXPECT_EQ(ProtobufMessage().number(2, 0).bytes(), "\x10\x00"s);
  EXPECT_EQ(ProtobufMessage().number(1, 127).bytes(), "\x08\x7f"s);
  EXPECT_EQ(ProtobufMessage().number(1, 128).bytes(), "\x08\x80\x01"s);
  EXPECT_EQ(ProtobufMessage().number(20, 1).bytes(), "\xa0\x01\x01"s);  // the tag itself takes two bytes
}

TEST(Protobuf, NegativeNumbersTakeTenBytes) {
  EXPECT_EQ(ProtobufMessage().number(1, -1).bytes(), "\x08"s + std::string(9, '\xff') + "\x01");
  EXPECT_EQ(ProtobufMessage().number(1, std::numeric_limits<std::int64_t>::min()).bytes().size(), 11U);
}

TEST(Protobuf, BytesAndMessagesHaveTheirLengthInFront) {
  EXPECT_EQ(ProtobufMessage().text(2, "testing").bytes(), "\x12\x07testing"s);
  EXPECT_EQ(ProtobufMessage().text(2, "").bytes(), "\x12\x00"s);
  EXPECT_EQ(ProtobufMessage().message(3, ProtobufMessage().number(1, 150)).bytes(), "\x1a\x03\x08\x96\x01"s);
  EXPECT_EQ(ProtobufMessage().text(1, std::string(300, 'x')).bytes().substr(0, 3), "\x0a\xac\x02"s);
}

}  // namespace
}  // namespace manyone::test
