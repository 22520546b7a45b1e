// SPDX-License-Identifier: Apache-2.0
#include "data/bytes/byte_window.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "manyone/errors.hpp"

namespace manyone {

namespace {

// Large enough to make system calls cheap, small enough to stay in the cache.
constexpr std::size_t kWindowBytes = std::size_t{1} << 16;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

ByteWindow::ByteWindow(std::unique_ptr<ByteSource> source, MemoryBudget memory)
    : source_(std::move(source)), memory_(memory), buffer_(kWindowBytes + kSlack) {
  buffer_[0] = '\n';
}

bool ByteWindow::more() {
  if (met_nul_) return false;
  if (first_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + first_, size());
    last_ -= first_;
    first_ = 0;
  }
  const std::size_t old = last_;
  const std::size_t enough = old + old / 2 + 1;
  if (enough + kSlack > buffer_.size()) {
    const std::size_t size = 2 * enough + kSlack;
    memory_.require(static_cast<double>(size + buffer_.size()), "a long line of " + name(),
                    "this does not look like a table; or allow more with `memory`");
    buffer_.resize(size);
  }
  while (last_ < enough) {
    const std::size_t count = source_->read(std::span(buffer_).subspan(last_, buffer_.size() - kSlack - last_));
    if (count == 0) break;
    last_ += count;
  }
  if (text_) cut_at_nul(old);
  buffer_[last_] = '\n';
  return last_ > old;
}

void ByteWindow::expect(std::size_t count) {
  while (size() < count && more()) {
  }
}

void ByteWindow::expect_text() {
  text_ = true;
  cut_at_nul(first_);
  expect(kByteOrderMark.size());
  if (view().starts_with(kByteOrderMark)) consume(kByteOrderMark.size());
}

void ByteWindow::cut_at_nul(std::size_t from) {
  const void* nul = from < last_ ? std::memchr(buffer_.data() + from, 0, last_ - from) : nullptr;
  if (nul == nullptr) return;
  met_nul_ = true;
  last_ = static_cast<std::size_t>(static_cast<const char*>(nul) - buffer_.data());
  buffer_[last_] = '\n';
}

LineReader::LineReader(ByteWindow window) : window_(std::move(window)) { window_.expect_text(); }

bool LineReader::next(std::string_view& line) {
  std::size_t searched = 0;
  for (;;) {
    const void* newline = std::memchr(window_.begin() + searched, '\n', window_.size() - searched);
    if (newline != nullptr) {
      line = {window_.begin(), static_cast<std::size_t>(static_cast<const char*>(newline) - window_.begin())};
      window_.consume(line.size() + 1);
      ++line_;
      return true;
    }
    searched = window_.size();
    if (searched > kMaxRecordBytes) throw InputError(Place{name(), line_ + 1}, "the line is longer than 256 MB");
    if (!window_.more()) break;
  }
  if (window_.met_nul()) fail_on_nul(name(), line_ + 1);
  if (window_.size() == 0) return false;
  line = window_.view();
  window_.consume(line.size());
  ++line_;
  return true;
}

void fail_on_nul(const std::string& file, std::size_t line) {
  throw InputError(Place{file, line}, "expected text, found a NUL byte",
                   "models, other binary files and UTF-16 text cannot be read as a table");
}

}  // namespace manyone
