// SPDX-License-Identifier: Apache-2.0
#include "base/atomic_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/interrupt.hpp"
#include "base/numbers.hpp"
#include "manyone/errors.hpp"

namespace manyone {

namespace {

namespace fs = std::filesystem;

constexpr int kLook = 50;  // milliseconds between two looks at the user's Ctrl-C

[[noreturn]] void fail_to_open(const std::string& path, int error) {
  throw ConfigError("file", path + ": cannot be written (" + std::strerror(error) + ")",
                    "give a file in a folder that exists and that you may write to");
}

/// Opens a device or a pipe, which may wait for its reader.
int open_special(const std::string& path) {
  while (true) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (descriptor >= 0) {
      ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
      return descriptor;
    }
    if (errno != ENXIO && errno != EINTR) fail_to_open(path, errno);
    SignalGuard::check();
    std::this_thread::sleep_for(std::chrono::milliseconds(kLook));
  }
}

/// Until so many bytes as a pipe takes at once can be written; a reader that does not read holds nobody up for ever.
void wait_for_room(int descriptor) {
  pollfd room{descriptor, POLLOUT, 0};
  while (true) {
    const int ready = ::poll(&room, 1, kLook);
    if (ready > 0 || (ready < 0 && errno != EINTR)) return;
    SignalGuard::check();
  }
}

std::string folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path().string() : "."; }

/// The descriptor of this process that a link such as /proc/self/fd/1 stands for.
std::optional<int> own_stream(const fs::path& link) {
  std::error_code error;
  const fs::path folder = fs::canonical(folder_of(link), error);
  if (error || folder != fs::canonical("/proc/self/fd", error) || error) return std::nullopt;
  const auto number = parse_integer(link.filename().string());
  return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

struct FileBehind {
  std::string path;
  std::optional<int> stream;  ///< of this process; the path is that of the link then
};

FileBehind follow(const std::string& path) {
  constexpr int kMostLinks = 40;  // as many as Linux follows
  fs::path current = path;
  for (int k = 0; k < kMostLinks; ++k) {
    struct stat status = {};
    if (::lstat(current.c_str(), &status) != 0 && errno != ENOENT) fail_to_open(path, errno);
    if (!S_ISLNK(status.st_mode)) return {current.string(), std::nullopt};
    if (const auto stream = own_stream(current)) return {current.string(), stream};
    std::error_code error;
    const fs::path next = fs::read_symlink(current, error);
    if (error) fail_to_open(path, error.value());
    current = next.is_absolute() ? next : current.parent_path() / next;
  }
  fail_to_open(path, ELOOP);
}

/// A name beside `target` that no other process and no other file of this one has.
std::string name_beside(const std::string& target) {
  static std::atomic<unsigned> counter{0};
  constexpr std::size_t kKept = 200;  // of the name: with the ending it must not be longer than 255
  const fs::path file = target;
  return (file.parent_path() /
          fmt::format("{}.tmp-{}-{}", file.filename().string().substr(0, kKept), ::getpid(), counter++))
      .string();
}

/// By this name the kernel shows an open file, also one without a name of its own.
std::string name_of_open_file(int descriptor) { return fmt::format("/proc/self/fd/{}", descriptor); }

/// Makes a new name durable. Some file systems cannot do this for folders; the new file is in place anyway.
void sync_folder(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  (void)::fsync(descriptor);
  ::close(descriptor);
}

/// The new file belongs to whom the old one belonged, where the system lets us, and is as open to others as that was,
/// no more and no less.
bool copy_mode(int descriptor, const struct stat& old) {
  struct stat now = {};
  if (::fstat(descriptor, &now) != 0) return false;
  constexpr mode_t kPermissions = 07777;
  mode_t mode = old.st_mode & kPermissions;
  // Only root can give a file away, and others only to groups they are in; what was for a group is not for another one.
  if (now.st_uid != old.st_uid) (void)!::fchown(descriptor, old.st_uid, static_cast<gid_t>(-1));
  const bool same_group = now.st_gid == old.st_gid || ::fchown(descriptor, static_cast<uid_t>(-1), old.st_gid) == 0;
  if (!same_group) mode &= ~static_cast<mode_t>(S_IRWXG | S_ISGID);
  if (::fstat(descriptor, &now) != 0) return false;
  return (now.st_mode & kPermissions) == mode || ::fchmod(descriptor, mode) == 0;
}

}  // namespace

std::string behind_links(const std::string& path) { return follow(path).path; }

AtomicFile::AtomicFile(const std::string& path) : AtomicFile() {  // which is whole: what follows may throw
  path_ = path;
  if (path.empty()) throw ConfigError("file", "the name of the file to write is empty", "give one");
  const FileBehind found = follow(path);
  if (found.stream) {
    stream_ = *found.stream;
    descriptor_ = ::fcntl(stream_, F_DUPFD_CLOEXEC, 0);
    if (descriptor_ < 0) fail_to_open(path, errno);
    return;
  }
  struct stat old = {};
  replaces_ = ::stat(path.c_str(), &old) == 0;
  if (!replaces_ && errno != ENOENT) fail_to_open(path, errno);
  if (replaces_ && S_ISDIR(old.st_mode)) throw ConfigError("file", path + ": is a folder", "give the name of a file");
  if (replaces_ && !S_ISREG(old.st_mode)) {
    descriptor_ = open_special(path);
    return;
  }
  target_ = found.path;
  if (fs::path(target_).filename().empty()) throw ConfigError("file", path + ": is no name of a file", "give one");
  if (!open_anonymous(folder_of(target_)) && !open_beside()) fail_to_open(path, errno);
  if (replaces_ && !copy_mode(descriptor_, old)) fail_to_open(path, errno);
}

AtomicFile::AtomicFile(int stream, std::string name)
    : path_(std::move(name)), stream_(stream), descriptor_(::fcntl(stream, F_DUPFD_CLOEXEC, 0)) {
  if (descriptor_ < 0) fail(errno);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

bool AtomicFile::open_anonymous(const std::string& folder) {
  descriptor_ = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (descriptor_ < 0) return false;
  if (::access(name_of_open_file(descriptor_).c_str(), F_OK) == 0) return true;
  ::close(descriptor_);  // no /proc: it could not be given a name
  descriptor_ = -1;
  return false;
}

bool AtomicFile::open_beside() {
  do {  // O_EXCL: a leftover of a killed process that had our number is never written to, nor what a link leads to
    temporary_ = name_beside(target_);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor_ < 0 && errno == EEXIST);
  if (descriptor_ < 0) temporary_.clear();
  return descriptor_ >= 0;
}

void AtomicFile::fail(int error) const {
  const char* left = in_place() ? "what is there is incomplete" : "an older file of this name is unchanged";
  throw InputError({path_}, fmt::format("writing failed ({}), {}", std::strerror(error), left),
                   "free some space or choose another folder");
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    if (in_place()) wait_for_room(descriptor_);
    const std::size_t size = in_place() ? std::min(bytes.size(), std::size_t{PIPE_BUF}) : bytes.size();
    const ssize_t written = ::write(descriptor_, bytes.data(), size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void AtomicFile::write(std::string_view text) { write(std::as_bytes(std::span(text))); }

bool AtomicFile::link_to(const std::string& path) const {
  return ::linkat(AT_FDCWD, name_of_open_file(descriptor_).c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

bool AtomicFile::take_the_name() {
  if (temporary_.empty()) {
    if (!replaces_ && link_to(target_)) return true;
    if (!replaces_ && errno != EEXIST) return false;
    std::string name;  // a link never replaces a file; a rename does
    bool linked = false;
    do {
      name = name_beside(target_);
      linked = link_to(name);
    } while (!linked && errno == EEXIST);
    if (!linked) return false;
    temporary_ = std::move(name);
  }
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) return false;
  temporary_.clear();
  return true;
}

void AtomicFile::finish() {
  if (in_place()) {
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    if (closed != 0 && errno != EINTR) fail(errno);
    return;
  }
  // First the data, then the name: else a power cut could leave the name on an empty file.
  if (::fsync(descriptor_) != 0 || !take_the_name()) fail(errno);
  sync_folder(folder_of(target_));
}

void write_file_atomically(const std::string& path, std::span<const std::span<const std::byte>> pieces) {
  AtomicFile file(path);
  for (const auto piece : pieces) file.write(piece);
  file.finish();
}

void write_file_atomically(const std::string& path, std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  write_file_atomically(path, std::span(&bytes, 1));
}

}  // namespace manyone
