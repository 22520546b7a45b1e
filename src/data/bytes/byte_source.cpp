// SPDX-License-Identifier: Apache-2.0
#include "data/bytes/byte_source.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "base/interrupt.hpp"
#include "manyone/errors.hpp"

namespace manyone {

namespace {

class FileSource final : public ByteSource {
 public:
  explicit FileSource(const std::string& path) : ByteSource(path == "-" ? "stdin" : path) {
    // A pipe without a writer shall not block here, where no signal is looked at.
    file_ = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file_ < 0) fail("cannot be opened");
    struct stat status {};
    waits_ = ::fstat(file_, &status) != 0 || !S_ISREG(status.st_mode);
    if (!waits_) size_ = static_cast<double>(status.st_size);
  }
  ~FileSource() override {
    if (file_ > STDIN_FILENO) ::close(file_);
  }

  std::size_t read(std::span<char> out) override {
    for (;;) {
      if (waits_) wait();
      const ssize_t count = ::read(file_, out.data(), out.size());
      if (count >= 0) {
        consumed_ += static_cast<double>(count);
        return static_cast<std::size_t>(count);
      }
      if (errno != EINTR && errno != EAGAIN) fail("cannot be read");
    }
  }

  double progress() const override { return size_ > 0 ? std::min(1.0, consumed_ / size_) : 0.0; }

 private:
  /// Until there is something to read or the end. The signal may come to another thread: each look is short.
  void wait() const {
    constexpr int kMilliseconds = 100;
    pollfd state = {file_, POLLIN, 0};
    do {
      SignalGuard::check();
    } while (::poll(&state, 1, kMilliseconds) <= 0);
  }

  [[noreturn]] void fail(const char* what) const {
    throw InputError(Place{name()}, fmt::format("{}: {}", what, std::strerror(errno)));
  }

  int file_ = -1;
  bool waits_ = false;
  double size_ = 0;
  double consumed_ = 0;
};

class MemorySource final : public ByteSource {
 public:
  MemorySource(std::string bytes, std::string name, std::size_t step)
      : ByteSource(std::move(name)), bytes_(std::move(bytes)), step_(std::max<std::size_t>(step, 1)) {}

  std::size_t read(std::span<char> out) override {
    const std::size_t count = std::min({out.size(), step_, bytes_.size() - position_});
    if (count > 0) std::memcpy(out.data(), bytes_.data() + position_, count);
    position_ += count;
    return count;
  }

  double progress() const override {
    return bytes_.empty() ? 1.0 : static_cast<double>(position_) / static_cast<double>(bytes_.size());
  }

 private:
  std::string bytes_;
  std::size_t step_;
  std::size_t position_ = 0;
};

/// Gives back the bytes that were read ahead, then the rest.
class PrefixedSource final : public ByteSource {
 public:
  PrefixedSource(std::string prefix, std::unique_ptr<ByteSource> rest)
      : ByteSource(rest->name()), prefix_(std::move(prefix)), rest_(std::move(rest)) {}

  std::size_t read(std::span<char> out) override {
    if (position_ == prefix_.size()) return rest_->read(out);
    const std::size_t count = std::min(out.size(), prefix_.size() - position_);
    std::memcpy(out.data(), prefix_.data() + position_, count);
    position_ += count;
    return count;
  }

  double progress() const override { return rest_->progress(); }

 private:
  std::string prefix_;
  std::size_t position_ = 0;
  std::unique_ptr<ByteSource> rest_;
};

/// Unpacks gzip: one or more members, zero bytes behind the last one (padding of tape blocks) are ignored.
class GzipSource final : public ByteSource {
 public:
  explicit GzipSource(std::unique_ptr<ByteSource> packed)
      : ByteSource(packed->name()), packed_(std::move(packed)), input_(std::size_t{1} << 16) {
    constexpr int kGzipWindow = 15 + 16;  // the largest window; 16 asks zlib for the gzip wrapping
    if (inflateInit2(&stream_, kGzipWindow) != Z_OK) throw MemoryError("gzip: no memory to unpack " + name());
  }
  ~GzipSource() override { inflateEnd(&stream_); }

  std::size_t read(std::span<char> out) override {
    constexpr std::size_t kMost = std::size_t{1} << 30;  // zlib counts in 32 bits
    const auto wanted = static_cast<uInt>(std::min(out.size(), kMost));
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = wanted;
    while (stream_.avail_out == wanted && !ended_) step();
    return wanted - stream_.avail_out;
  }

  double progress() const override { return packed_->progress(); }

 private:
  void step() {
    if (stream_.avail_in == 0) refill();
    if (between_members_ && !start_member()) return;
    if (stream_.avail_in == 0) fail("ends in the middle: the download or copy was cut short");
    const int result = inflate(&stream_, Z_NO_FLUSH);
    if (result == Z_STREAM_END) {
      between_members_ = true;
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      fail(fmt::format("is damaged ({})", stream_.msg ? stream_.msg : "bad data"));
    }
  }

  /// False if nothing but padding is left in the input at hand.
  bool start_member() {
    while (stream_.avail_in > 0 && *stream_.next_in == 0) ++stream_.next_in, --stream_.avail_in;
    if (stream_.avail_in == 0) {
      ended_ = packed_ended_;
      return false;
    }
    inflateReset(&stream_);
    between_members_ = false;
    return true;
  }

  void refill() {
    const std::size_t count = packed_->read(input_);
    packed_ended_ = count == 0;
    stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
    stream_.avail_in = static_cast<uInt>(count);
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(Place{name()}, "the gzip data " + what + "; expected a whole gzip file");
  }

  std::unique_ptr<ByteSource> packed_;
  std::vector<char> input_;
  z_stream stream_{};
  bool between_members_ = false;
  bool packed_ended_ = false;
  bool ended_ = false;
};

class WatchedSource final : public ByteSource {
 public:
  WatchedSource(std::unique_ptr<ByteSource> source, BytesSeen& seen)
      : ByteSource(source->name()), source_(std::move(source)), seen_(seen) {}

  std::size_t read(std::span<char> out) override {
    const std::size_t count = source_->read(out);
    seen_.count += count;
    seen_.checksum = crc32_z(seen_.checksum, reinterpret_cast<const Bytef*>(out.data()), count);
    return count;
  }

  double progress() const override { return source_->progress(); }

 private:
  std::unique_ptr<ByteSource> source_;
  BytesSeen& seen_;
};

}  // namespace

std::unique_ptr<ByteSource> watched(std::unique_ptr<ByteSource> source, BytesSeen& seen) {
  return std::make_unique<WatchedSource>(std::move(source), seen);
}

std::unique_ptr<ByteSource> unpacked(std::unique_ptr<ByteSource> source) {
  std::array<char, 2> magic;
  std::size_t size = 0;
  while (size < magic.size()) {
    const std::size_t count = source->read(std::span(magic).subspan(size));
    if (count == 0) break;
    size += count;
  }
  const bool gzip = size == 2 && magic[0] == '\x1f' && magic[1] == '\x8b';
  auto whole = std::make_unique<PrefixedSource>(std::string(magic.data(), size), std::move(source));
  if (!gzip) return whole;
  return std::make_unique<GzipSource>(std::move(whole));
}

std::unique_ptr<ByteSource> open_bytes(const std::string& path) { return unpacked(std::make_unique<FileSource>(path)); }

std::unique_ptr<ByteSource> bytes_in_memory(std::string bytes, std::string name, std::size_t step) {
  return unpacked(std::make_unique<MemorySource>(std::move(bytes), std::move(name), step));
}

}  // namespace manyone
