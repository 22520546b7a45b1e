// SPDX-License-Identifier: Apache-2.0
//
// ByteWindow: the part of a ByteSource that a reader looks at. Unread bytes are contiguous, the byte behind them is
// always a newline and some more may be read, so that a scanner can run to the end of a line, eight bytes at a time,
// without asking for the end of the window.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory.hpp"
#include "data/bytes/byte_source.hpp"

namespace manyone {

/// Limits that keep a hostile or broken file from filling the memory. Far above any sane table.
inline constexpr std::size_t kMaxFieldBytes = std::size_t{1} << 20;
inline constexpr std::size_t kMaxRecordBytes = std::size_t{1} << 28;
inline constexpr std::size_t kMaxColumns = 10'000'000;

class ByteWindow {
 public:
  /// `memory`: for records so long that the window must grow.
  explicit ByteWindow(std::unique_ptr<ByteSource> source, MemoryBudget memory = MemoryBudget::unlimited());

  /// The unread bytes at hand; *end() is '\n', and kSlack bytes from there on may be read.
  static constexpr std::size_t kSlack = 16;
  const char* begin() const { return buffer_.data() + first_; }
  const char* end() const { return buffer_.data() + last_; }
  std::size_t size() const { return last_ - first_; }
  std::string_view view() const { return {begin(), size()}; }

  /// Brings more bytes behind those at hand; pointers into the window become invalid. Adds at least half of what is
  /// there, so that scanning a long record anew after each call stays linear. False at the end of the source.
  bool more();
  /// Calls more() until `count` bytes are at hand or the source ends.
  void expect(std::size_t count);
  void consume(std::size_t count) { first_ += count; }

  /// Text has no NUL: from now on the window ends in front of the first one, and met_nul() becomes true.
  void expect_text();
  bool met_nul() const { return met_nul_; }

  const MemoryBudget& memory() const { return memory_; }
  const std::string& name() const { return source_->name(); }
  double progress() const { return source_->progress(); }

 private:
  void cut_at_nul(std::size_t from);

  std::unique_ptr<ByteSource> source_;
  MemoryBudget memory_;
  std::vector<char> buffer_;
  std::size_t first_ = 0;
  std::size_t last_ = 0;
  bool text_ = false;
  bool met_nul_ = false;
};

/// Lines of a text window, for the formats in which a record never spans lines.
class LineReader {
 public:
  explicit LineReader(ByteWindow window);
  /// The next line without its end; valid until the next call. False at the end. Throws InputError for a NUL byte or
  /// a line longer than kMaxRecordBytes.
  bool next(std::string_view& line);
  /// 1-based number of the line last returned.
  std::size_t line() const { return line_; }
  const std::string& name() const { return window_.name(); }
  double progress() const { return window_.progress(); }

 private:
  ByteWindow window_;
  std::size_t line_ = 0;
};

/// Throws the InputError for a NUL byte in a text table.
[[noreturn]] void fail_on_nul(const std::string& file, std::size_t line);

}  // namespace manyone
