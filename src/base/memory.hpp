// SPDX-License-Identifier: Apache-2.0
//
// The memory budget. Whoever allocates something that grows like n*n asks first: require() throws a MemoryError that
// names the need before anything is allocated, instead of a swap storm or a kill by the system.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "manyone/words.hpp"

namespace manyone {

/// Bytes this process may use: the smallest of the memory available now, what the control group leaves and
/// address_space_left().
std::uint64_t available_memory();

/// Bytes that may still be mapped under RLIMIT_AS and RLIMIT_DATA (ulimit -v, -d); nothing where there is no limit.
std::optional<std::uint64_t> address_space_left();

class MemoryBudget {
 public:
  /// Nine tenths of available_memory(), so that the rest of the system keeps breathing.
  MemoryBudget();
  explicit MemoryBudget(std::uint64_t bytes) : bytes_(bytes) {}

  static MemoryBudget unlimited() { return MemoryBudget(std::numeric_limits<std::uint64_t>::max()); }

  std::uint64_t bytes() const { return bytes_; }
  /// This budget, or a smaller one where less address space is left.
  MemoryBudget within_address_space() const;
  bool fits(double bytes) const { return bytes <= static_cast<double>(bytes_); }
  /// Throws MemoryError: "`what` needs 12.0 GB, but only 7.5 GB may be used; `advice`".
  void require(double bytes, std::string_view what, const Words& advice) const;

 private:
  std::uint64_t bytes_;
};

}  // namespace manyone
