// SPDX-License-Identifier: Apache-2.0
#include "base/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "manyone/errors.hpp"

namespace manyone {

namespace {

std::optional<std::uint64_t> number_in(const std::string& path) {
  std::ifstream file(path);
  std::string word;
  if (!(file >> word)) return std::nullopt;
  const auto value = parse_integer(word);  // cgroup v2 writes "max" where there is no limit
  if (!value || *value < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*value);
}

std::uint64_t physical_available() {
  std::ifstream file("/proc/meminfo");
  std::string key;
  std::uint64_t kilobytes = 0;
  std::string unit;
  while (file >> key >> kilobytes >> unit) {
    if (key == "MemAvailable:") return kilobytes * 1024;
  }
  return std::uint64_t{4} << 30;  // no /proc: a guess that most machines can meet
}

/// The value of a "key value" line in a cgroup's memory.stat.
std::uint64_t statistic(const std::string& path, std::string_view wanted) {
  std::ifstream file(path);
  std::string key;
  std::uint64_t value = 0;
  while (file >> key >> value) {
    if (key == wanted) return value;
  }
  return 0;
}

/// What one version of control groups calls things.
struct ControlGroups {
  const char* root;
  const char* limit;
  const char* used;
  const char* cache;
};
constexpr ControlGroups kVersion1 = {"/sys/fs/cgroup/memory", "/memory.limit_in_bytes", "/memory.usage_in_bytes",
                                     "total_inactive_file"};
constexpr ControlGroups kVersion2 = {"/sys/fs/cgroup", "/memory.max", "/memory.current", "inactive_file"};

/// Version 1 writes the largest number of whole pages where there is no limit.
constexpr std::uint64_t kNoLimit = std::uint64_t{1} << 60;

/// What the control group at `path` and those above it leave; without any limit the largest number.
std::uint64_t left_in(const ControlGroups& groups, std::string path) {
  std::uint64_t left = std::numeric_limits<std::uint64_t>::max();
  while (true) {
    const std::string folder = groups.root + path;
    const auto limit = number_in(folder + groups.limit);
    if (limit && *limit < kNoLimit) {
      // Files that were read count as used but are given back on demand.
      const std::uint64_t cache = statistic(folder + "/memory.stat", groups.cache);
      const std::uint64_t used = number_in(folder + groups.used).value_or(0);
      const std::uint64_t held = used - std::min(cache, used);
      left = std::min(left, *limit - std::min(held, *limit));
    }
    if (path.empty()) return left;
    path.resize(path.find_last_of('/'));
  }
}

/// Lines of /proc/self/cgroup read "number:controllers:/path"; version 2 has no controllers. In a container the path
/// may name folders that are not visible inside; walking up to the root then finds the container's own limit.
std::uint64_t cgroup_left() {
  std::uint64_t left = std::numeric_limits<std::uint64_t>::max();
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const auto path = line.find(":/");
    if (path == std::string::npos) continue;
    if (line.find(":memory:") != std::string::npos) left = std::min(left, left_in(kVersion1, line.substr(path + 1)));
    if (line.starts_with("0::")) left = std::min(left, left_in(kVersion2, line.substr(path + 1)));
  }
  return left;
}

}  // namespace

std::optional<std::uint64_t> address_space_left() {
  // Pages: all, resident, shared, text, 0, data and stacks.
  std::array<std::uint64_t, 6> pages{};
  std::ifstream file("/proc/self/statm");
  for (std::uint64_t& count : pages) file >> count;
  const auto page = static_cast<std::uint64_t>(std::max(1L, ::sysconf(_SC_PAGESIZE)));
  std::optional<std::uint64_t> left;
  for (const auto& [resource, used] :
       {std::pair{RLIMIT_AS, pages[0] * page}, std::pair{RLIMIT_DATA, pages[5] * page}}) {
    rlimit limit{};
    if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) continue;
    left = std::min(left.value_or(limit.rlim_cur), limit.rlim_cur - std::min<std::uint64_t>(used, limit.rlim_cur));
  }
  return left;
}

std::uint64_t available_memory() {
  const std::uint64_t memory = std::min(physical_available(), cgroup_left());
  return std::min(memory, address_space_left().value_or(memory));
}

MemoryBudget::MemoryBudget() : bytes_(available_memory() / 10 * 9) {}

MemoryBudget MemoryBudget::within_address_space() const {
  return MemoryBudget(std::min(bytes_, address_space_left().value_or(bytes_)));
}

void MemoryBudget::require(double bytes, std::string_view what, const Words& advice) const {
  if (fits(bytes)) return;
  const auto shown = static_cast<std::uint64_t>(std::min(bytes, 1e18));
  throw MemoryError(
      fmt::format("{} needs {}, but only {} may be used", what, format_bytes(shown), format_bytes(bytes_)), advice);
}

}  // namespace manyone
