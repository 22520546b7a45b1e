// SPDX-License-Identifier: Apache-2.0
//
// The text of a LIBSVM model file: "key values" lines up to "SV", then a line for each support vector. Every look-up
// that fails says what was expected, and in which line. What the values mean is libsvm_import's business.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "data/bytes/byte_window.hpp"

namespace manyone {

class LibsvmModelText {
 public:
  /// Reads up to and with the line "SV". Throws InputError.
  explicit LibsvmModelText(std::unique_ptr<ByteSource> source);

  [[noreturn]] void fail(std::size_t line, const std::string& message, std::size_t token = 0) const;
  /// Blames the line of a key.
  [[noreturn]] void fail_at(const std::string& key, const std::string& message) const;

  bool has(const std::string& key) const { return header_.contains(key); }
  /// The only value of a key.
  const std::string& word(const std::string& key) const;
  std::int64_t integer(const std::string& key) const;
  double number(const std::string& key) const;
  /// The values of a key, of which there must be `count`.
  const std::vector<std::string>& list(const std::string& key, std::size_t count) const;
  std::size_t line_of(const std::string& key) const { return entry(key).line; }
  double number_from(std::string_view text, std::size_t line, std::size_t token) const;

  /// The next line of a support vector, trimmed. False at the end.
  bool next(std::string_view& text);
  /// Number of the line last read.
  std::size_t line() const { return lines_.line(); }
  const std::string& name() const { return lines_.name(); }

 private:
  struct Entry {
    std::vector<std::string> values;
    std::size_t line = 0;
  };
  const Entry& entry(const std::string& key) const;

  LineReader lines_;
  std::map<std::string, Entry> header_;
  std::size_t header_end_ = 0;
};

}  // namespace manyone
