// SPDX-License-Identifier: Apache-2.0
#include "base/append_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "manyone/errors.hpp"

namespace manyone {

namespace {

/// Why an open file cannot be ours; empty if it can.
std::string obstacle(int descriptor) {
  struct stat status = {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    return "is not a regular file; give the name of a file";
  }
  // Some file systems know no locks (ENOLCK and the like); they are no reason to refuse.
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    return "is in use by another run; wait for its end or give another file";
  }
  return "";
}

}  // namespace

AppendFile::AppendFile(const std::string& path) : path_(path) {
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0666);
  if (descriptor_ < 0) {
    throw ConfigError("file", fmt::format("{}: cannot be written ({})", path, std::strerror(errno)),
                      "give a file in a folder that exists and that you may write to");
  }
  const std::string reason = obstacle(descriptor_);
  if (!reason.empty()) {
    ::close(descriptor_);
    throw ConfigError("file", path + ": " + reason, "give another file");
  }
  const off_t end = ::lseek(descriptor_, 0, SEEK_END);
  if (end < 0) {
    const int error = errno;
    ::close(descriptor_);
    fail("finding the end", error);
  }
  size_ = static_cast<std::size_t>(end);
}

AppendFile::~AppendFile() { ::close(descriptor_); }

void AppendFile::fail(std::string_view action, int error) const {
  throw InputError({path_}, fmt::format("{} failed ({})", action, std::strerror(error)));
}

bool AppendFile::begins_with_short_line() const {
  constexpr std::size_t kShort = 4096;
  return size_ <= kShort || beginning(kShort).find('\n') != std::string::npos;
}

std::string AppendFile::content() const { return beginning(size_); }

std::string AppendFile::beginning(std::size_t size) const {
  std::string text(size, '\0');
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got = ::pread(descriptor_, text.data() + done, size - done, static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("reading", errno);
    if (got == 0) break;  // someone made it shorter
    done += static_cast<std::size_t>(got);
  }
  text.resize(done);
  return text;
}

void AppendFile::cut(std::size_t size) {
  if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) fail("writing", errno);
  size_ = size;
}

void AppendFile::append(std::string_view text) {
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int error = errno;
      if (rest.size() < text.size()) (void)::ftruncate(descriptor_, static_cast<off_t>(size_));
      fail("writing", error);
    }
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  size_ += text.size();
}

}  // namespace manyone
