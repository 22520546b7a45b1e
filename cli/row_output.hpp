// SPDX-License-Identifier: Apache-2.0
//
// Rows of text, more than should be held in memory, to stdout or to a file that appears when it is complete.
#pragma once

#include <cstdio>
#include <string>

namespace manyone::cli {

class RowOutput {
 public:
  /// Empty: stdout. Throws ConfigError for a file that cannot be written.
  explicit RowOutput(const std::string& path);
  ~RowOutput();
  RowOutput(const RowOutput&) = delete;
  RowOutput& operator=(const RowOutput&) = delete;

  /// Throw InputError when the disk is full.
  void write(const std::string& text);
  /// Without it the file is not there.
  void finish();

 private:
  [[noreturn]] void fail() const;

  std::string path_;
  std::string temporary_;
  std::FILE* file_ = nullptr;
};

}  // namespace manyone::cli
