// SPDX-License-Identifier: Apache-2.0
//
// How every output is written: as a whole or not at all. Whoever reads the path, even after a kill or a power cut in
// the middle of a save, sees the complete old file or the complete new one. The bytes go to a file that has no name
// until it is complete, so that nothing is left behind however the process ends. Where the file system knows no such
// files it is one beside the target, "<name>.tmp-<process>-<number>", which a kill can leave and anyone may delete.
// Devices, pipes and the process's own streams (/dev/stdout) are written where they are and never replaced.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace manyone {

class AtomicFile {
 public:
  /// A file to be. An existing one keeps its permissions, a symbolic link stays a link and what it leads to is
  /// replaced. Throws ConfigError when the path cannot be written (no such folder, no permission, a folder).
  explicit AtomicFile(const std::string& path);
  /// A stream that is open already, written in place; `name` is for messages.
  AtomicFile(int stream, std::string name);
  /// Without finish() an old file is as it was and no new one is there.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Throw InputError when writing fails (disk full); the old file is then untouched.
  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);
  /// The data reaches the disk, then the new file takes its name. Nothing may be written afterwards.
  void finish();

  /// The bytes go to this stream of the process (STDOUT_FILENO), perhaps by a name such as /dev/stdout.
  bool is_stream(int descriptor) const { return stream_ == descriptor; }

 private:
  AtomicFile() = default;
  [[noreturn]] void fail(int error) const;
  bool in_place() const { return target_.empty(); }
  bool open_anonymous(const std::string& folder);
  bool open_beside();
  bool link_to(const std::string& path) const;
  bool take_the_name();

  std::string path_;       ///< as the caller wrote it
  std::string target_;     ///< behind symbolic links; empty: written in place
  std::string temporary_;  ///< name that the new file has for now; empty: none
  bool replaces_ = false;  ///< there is an old file
  int stream_ = -1;        ///< of this process, where the path names one
  int descriptor_ = -1;
};

/// The pieces one after the other, or nothing: an AtomicFile from beginning to end.
void write_file_atomically(const std::string& path, std::span<const std::span<const std::byte>> pieces);
void write_file_atomically(const std::string& path, std::string_view text);

/// Where a chain of symbolic links ends, whether or not a file is there.
std::string behind_links(const std::string& path);

}  // namespace manyone
