// SPDX-License-Identifier: Apache-2.0
//
// ByteSource: where the bytes of a table come from: a file, standard input or memory, unpacked on the way when they
// are gzip. Everything streams; nothing here grows with the input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace manyone {

class ByteSource {
 public:
  explicit ByteSource(std::string name) : name_(std::move(name)) {}
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Writes at most out.size() bytes and returns how many; 0 only at the end. Throws InputError.
  virtual std::size_t read(std::span<char> out) = 0;
  /// Part of the input consumed so far, in 0..1; 0 while the size is not known.
  virtual double progress() const = 0;
  /// The file name, for messages.
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

/// The file at `path`, or standard input for "-", unpacked if it is gzip. Throws InputError if it cannot be opened.
std::unique_ptr<ByteSource> open_bytes(const std::string& path);

/// Bytes held in memory, unpacked if they are gzip; read() gives at most `step` of the stored bytes at a time.
std::unique_ptr<ByteSource> bytes_in_memory(std::string bytes, std::string name, std::size_t step = std::size_t(-1));

/// How many bytes came and their CRC-32: tells whether two readings gave the same bytes.
struct BytesSeen {
  std::uint64_t count = 0;
  unsigned long checksum = 0;
  bool operator==(const BytesSeen&) const = default;
};

/// `source`, whose bytes are counted in `seen` on their way; `seen` must outlive it.
std::unique_ptr<ByteSource> watched(std::unique_ptr<ByteSource> source, BytesSeen& seen);

/// `source` itself, or its unpacked contents if it starts with the gzip magic bytes.
std::unique_ptr<ByteSource> unpacked(std::unique_ptr<ByteSource> source);

}  // namespace manyone
