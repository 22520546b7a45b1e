// SPDX-License-Identifier: Apache-2.0
#include "base/protobuf.hpp"

namespace manyone {

namespace {

constexpr std::uint64_t kVarint = 0;
constexpr std::uint64_t kLengthAndBytes = 2;

std::uint64_t tag(int field, std::uint64_t kind) { return static_cast<std::uint64_t>(field) << 3 | kind; }

}  // namespace

/// Seven bits a byte, the lowest first; the eighth says that more follow.
void ProtobufMessage::varint(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>((value & 0x7f) | 0x80);
  bytes_ += static_cast<char>(value);
}

ProtobufMessage& ProtobufMessage::number(int field, std::int64_t value) {
  varint(tag(field, kVarint));
  varint(static_cast<std::uint64_t>(value));
  return *this;
}

ProtobufMessage& ProtobufMessage::text(int field, std::string_view value) {
  varint(tag(field, kLengthAndBytes));
  varint(value.size());
  bytes_ += value;
  return *this;
}

}  // namespace manyone
