// SPDX-License-Identifier: Apache-2.0
//
// The list of machines: what exists, what it costs, where it comes from.
#pragma once

#include <span>
#include <string_view>

namespace manyone {

struct MachineInfo {
  std::string_view name;
  std::string_view summary;
  std::string_view cost;
  std::string_view source;
};

std::span<const MachineInfo> machines();

/// Throws ConfigError that lists the names and suggests the nearest.
const MachineInfo& machine_from_name(std::string_view name);

}  // namespace manyone
