// SPDX-License-Identifier: Apache-2.0
#include "data/row_file.hpp"

#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "manyone/errors.hpp"

namespace manyone {

/// Text in, gzip out.
class RowFile::Packer {
 public:
  explicit Packer(AtomicFile& file) : file_(file) {
    constexpr int kGzipWindow = 15 + 16;  // the largest window; 16 asks zlib for the gzip wrapping
    constexpr int kMemoryLevel = 8;       // zlib's own default
    if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, kMemoryLevel, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
      throw MemoryError("gzip: no memory to pack the output; write it unpacked");
    }
  }
  ~Packer() { deflateEnd(&stream_); }
  Packer(const Packer&) = delete;
  Packer& operator=(const Packer&) = delete;

  void write(std::string_view text) {
    constexpr std::size_t kMost = std::size_t{1} << 30;  // zlib counts in 32 bits
    while (!text.empty()) {
      const std::string_view part = text.substr(0, kMost);
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(part.data()));  // zlib only reads it
      stream_.avail_in = static_cast<uInt>(part.size());
      drain(Z_NO_FLUSH);
      text.remove_prefix(part.size());
    }
  }
  void finish() { drain(Z_FINISH); }

 private:
  /// All that zlib has to give for its input.
  void drain(int flush) {
    do {
      stream_.next_out = packed_.data();
      stream_.avail_out = static_cast<uInt>(packed_.size());
      deflate(&stream_, flush);
      file_.write(std::as_bytes(std::span(packed_).first(packed_.size() - stream_.avail_out)));
    } while (stream_.avail_out == 0);
  }

  AtomicFile& file_;
  z_stream stream_{};
  std::array<Bytef, 1 << 16> packed_{};
};

namespace {

bool means_standard_output(const std::string& path) { return path.empty() || path == "-"; }

}  // namespace

RowFile::RowFile(const std::string& path)
    : file_(means_standard_output(path) ? AtomicFile(STDOUT_FILENO, "stdout") : AtomicFile(path)) {
  if (is_standard_output()) std::fflush(stdout);  // what was printed comes first
  if (path.ends_with(".gz")) packer_ = std::make_unique<Packer>(file_);
}

RowFile::~RowFile() = default;

bool RowFile::is_standard_output() const { return file_.is_stream(STDOUT_FILENO); }

void RowFile::write(std::string_view text) {
  if (packer_) {
    packer_->write(text);
  } else {
    file_.write(text);
  }
}

void RowFile::finish() {
  if (packer_) packer_->finish();
  file_.finish();
}

}  // namespace manyone
