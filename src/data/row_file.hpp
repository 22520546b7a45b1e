// SPDX-License-Identifier: Apache-2.0
//
// Rows of text, more than should be held in memory, to standard output or to a file that appears when it is complete,
// packed by gzip if its name says so.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/atomic_file.hpp"

namespace manyone {

class RowFile {
 public:
  /// Empty or "-": standard output. A name that ends in .gz: packed. Throws as AtomicFile does.
  explicit RowFile(const std::string& path);
  ~RowFile();
  RowFile(const RowFile&) = delete;
  RowFile& operator=(const RowFile&) = delete;

  /// Standard output, perhaps by a name such as /dev/stdout.
  bool is_standard_output() const;
  /// Throws InputError when writing fails.
  void write(std::string_view text);
  /// Without it the file is not there.
  void finish();

 private:
  class Packer;
  AtomicFile file_;
  std::unique_ptr<Packer> packer_;
};

}  // namespace manyone
