// SPDX-License-Identifier: Apache-2.0
//
// A 64-bit fingerprint of values: FNV-1a over their bytes, the same on every platform. It tells whether two runs saw
// the same table and the same choices; it is no protection against someone who wants two tables to look alike.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace manyone {

class Fingerprint {
 public:
  std::uint64_t value() const { return value_; }

  /// The bytes and nothing else: two calls in a row are one call with both.
  Fingerprint& add_bytes(std::span<const std::byte> bytes) {
    for (const std::byte byte : bytes) add_byte(std::to_integer<std::uint64_t>(byte));
    return *this;
  }

  /// The bits of the number: 0 and -0 differ.
  Fingerprint& add(double number) { return add_word(std::bit_cast<std::uint64_t>(number)); }

  /// Any integer as 64 bits: the width of its type does not matter.
  template <std::integral Integer>
  Fingerprint& add(Integer number) {
    return add_word(static_cast<std::uint64_t>(number));
  }

  /// Lengths are part of the fingerprint: "ab", "c" differs from "a", "bc".
  Fingerprint& add(std::string_view text) {
    add_word(text.size());
    return add_bytes(std::as_bytes(std::span(text)));
  }
  Fingerprint& add(std::span<const double> numbers) { return add_all(numbers); }
  Fingerprint& add(std::span<const int> numbers) { return add_all(numbers); }

 private:
  void add_byte(std::uint64_t byte) {
    constexpr std::uint64_t prime = 0x100000001b3;
    value_ = (value_ ^ byte) * prime;
  }
  /// Lowest byte first, whatever the machine's own order is.
  Fingerprint& add_word(std::uint64_t word) {
    for (int shift = 0; shift < 64; shift += 8) add_byte((word >> shift) & 0xff);
    return *this;
  }
  template <class Number>
  Fingerprint& add_all(std::span<const Number> numbers) {
    add_word(numbers.size());
    for (const Number number : numbers) add(number);
    return *this;
  }

  std::uint64_t value_ = 0xcbf29ce484222325;  // the offset basis of FNV-1a
};

}  // namespace manyone
