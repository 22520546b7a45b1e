// SPDX-License-Identifier: Apache-2.0
#include "manyone/base/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "manyone/base/errors.hpp"

namespace manyone {

namespace {

[[noreturn]] void fail_to_open(const std::string& path, int error) {
  throw ConfigError(path + ": cannot be written (" + std::strerror(error) +
                    "); give a file in a folder that exists and that you may write to");
}

[[noreturn]] void fail_to_write(const std::string& path, int error) {
  throw InputError({path}, std::string("writing failed (") + std::strerror(error) +
                               "), an older file of this name is unchanged; free some space or choose another folder");
}

/// A new file beside its target, removed again unless it takes the target's place.
class Temporary {
 public:
  explicit Temporary(const std::string& target) {
    static std::atomic<unsigned> counter{0};
    do {  // O_EXCL: a leftover of a killed process that had our number is never written to
      path_ = fmt::format("{}.tmp-{}-{}", target, ::getpid(), counter++);
      descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (descriptor_ < 0 && errno == EEXIST);
    if (descriptor_ < 0) fail_to_open(target, errno);
  }
  ~Temporary() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  void set_mode(mode_t mode) { (void)::fchmod(descriptor_, mode); }

  bool append(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return false;
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return true;
  }

  /// The data reaches the disk before the new name does: else a power cut could leave the name on an empty file.
  bool take_place_of(const std::string& target) {
    if (::fsync(descriptor_) != 0) return false;
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    if (closed != 0 || std::rename(path_.c_str(), target.c_str()) != 0) return false;
    path_.clear();
    return true;
  }

 private:
  std::string path_;
  int descriptor_ = -1;
};

/// Makes the rename itself durable. Some file systems cannot do this for folders; the new file is in place anyway.
void sync_folder(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  (void)::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

void write_file_atomically(const std::string& path, std::span<const std::span<const std::byte>> pieces) {
  if (path.empty()) throw ConfigError("the name of the file to write is empty; give one");
  struct stat old = {};
  const bool exists = ::stat(path.c_str(), &old) == 0;
  if (exists && !S_ISREG(old.st_mode)) {  // renaming over /dev/null would replace the device
    throw ConfigError(path + ": is not a regular file and cannot be replaced; give the name of a file");
  }
  std::error_code error;
  const std::filesystem::path resolved = std::filesystem::canonical(path, error);  // through symbolic links
  const std::string target = error ? path : resolved.string();

  Temporary temporary(target);
  if (exists) temporary.set_mode(old.st_mode & 07777);
  const bool written = std::ranges::all_of(pieces, [&](auto piece) { return temporary.append(piece); });
  if (!written || !temporary.take_place_of(target)) fail_to_write(path, errno);
  sync_folder(target);
}

void write_file_atomically(const std::string& path, std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  write_file_atomically(path, std::span(&bytes, 1));
}

}  // namespace manyone
