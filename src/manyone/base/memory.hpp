// SPDX-License-Identifier: Apache-2.0
//
// The memory budget. Whoever allocates something that grows like n*n asks first: require() throws a MemoryError that
// names the need before anything is allocated, instead of a swap storm or a kill by the system.
#pragma once

#include <cstdint>
#include <string_view>

namespace manyone {

/// Bytes this process may use: the smaller of the memory available now and what the control group leaves.
std::uint64_t available_memory();

class MemoryBudget {
 public:
  /// Nine tenths of available_memory(), so that the rest of the system keeps breathing.
  MemoryBudget();
  explicit MemoryBudget(std::uint64_t bytes) : bytes_(bytes) {}

  std::uint64_t bytes() const { return bytes_; }
  bool fits(double bytes) const { return bytes <= static_cast<double>(bytes_); }
  /// Throws MemoryError: "`what` needs 12.0 GB, but only 7.5 GB may be used; `advice`".
  void require(double bytes, std::string_view what, std::string_view advice) const;

 private:
  std::uint64_t bytes_;
};

}  // namespace manyone
