// SPDX-License-Identifier: Apache-2.0
//
// Writing messages of protocol buffers: whole numbers, bytes and nested messages, which is all that an ONNX file holds.
// A message is the sequence of its fields, each with its number and the kind of value in front. Who knows which number
// means what is the caller (base/onnx_graph). Nothing is read here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace manyone {

class ProtobufMessage {
 public:
  /// int32, int64, enum and bool fields.
  ProtobufMessage& number(int field, std::int64_t value);
  /// string and bytes fields.
  ProtobufMessage& text(int field, std::string_view value);
  ProtobufMessage& message(int field, const ProtobufMessage& value) { return text(field, value.bytes_); }

  const std::string& bytes() const { return bytes_; }

 private:
  void varint(std::uint64_t value);

  std::string bytes_;
};

}  // namespace manyone
