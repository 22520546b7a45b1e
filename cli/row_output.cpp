// SPDX-License-Identifier: Apache-2.0
#include "cli/row_output.hpp"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "manyone/base/errors.hpp"

namespace manyone::cli {

RowOutput::RowOutput(const std::string& path) : path_(path), temporary_(path + ".part") {
  if (path.empty()) return;
  file_ = std::fopen(temporary_.c_str(), "wb");
  if (file_ == nullptr) throw ConfigError(fmt::format("{} cannot be written: {}", path, std::strerror(errno)));
}

RowOutput::~RowOutput() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  std::remove(temporary_.c_str());
}

void RowOutput::write(const std::string& text) {
  std::FILE* stream = file_ != nullptr ? file_ : stdout;
  if (std::fwrite(text.data(), 1, text.size(), stream) != text.size()) fail();
}

void RowOutput::finish() {
  if (file_ == nullptr) {
    if (std::fflush(stdout) != 0) fail();
    return;
  }
  const bool closed = std::fclose(file_) == 0;
  file_ = nullptr;
  if (!closed || std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    std::remove(temporary_.c_str());
    fail();
  }
}

void RowOutput::fail() const {
  throw InputError(fmt::format("{}: writing failed: {}; check the free space", path_.empty() ? "stdout" : path_,
                               std::strerror(errno)));
}

}  // namespace manyone::cli
