// SPDX-License-Identifier: Apache-2.0
//
// A file that only grows, for records that must outlive a killed process. What append() was given is with the system
// when it returns: a kill loses nothing, a power cut may lose the end. A kill during append() can leave part of the
// text as the end of the file; who reads it has to recognise that and cut() it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace manyone {

class AppendFile {
 public:
  /// Opens or creates the file and keeps other processes from opening it in this way too. Throws ConfigError when the
  /// path cannot be written, is no regular file or is in use.
  explicit AppendFile(const std::string& path);
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  const std::string& path() const { return path_; }

  /// The file is short, or its first line is: what else may be as large as it likes is not read to see that it is no
  /// journal.
  bool begins_with_short_line() const;
  /// Everything in the file. Throws InputError when reading fails.
  std::string content() const;
  /// Keeps the first `size` bytes.
  void cut(std::size_t size);
  /// All of the text or, with an InputError (disk full), nothing of it.
  void append(std::string_view text);

 private:
  std::string beginning(std::size_t size) const;
  [[noreturn]] void fail(std::string_view action, int error) const;

  std::string path_;
  int descriptor_ = -1;
  std::size_t size_ = 0;
};

}  // namespace manyone
