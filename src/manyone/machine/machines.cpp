// SPDX-License-Identifier: Apache-2.0
#include "manyone/machine/machines.hpp"

#include <array>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "manyone/base/errors.hpp"
#include "manyone/base/numbers.hpp"

namespace manyone {

namespace {

constexpr std::array kMachines = {
    MachineInfo{"onelsm", "one least-squares machine for all classes: one factorisation, any number of classes",
                "n^3/3", "Honeine, Noumir, Richard 2013"}};

}  // namespace

std::span<const MachineInfo> machines() { return kMachines; }

const MachineInfo& machine_from_name(std::string_view name) {
  std::vector<std::string_view> names;
  for (const auto& info : kMachines) {
    if (info.name == name) return info;
    names.push_back(info.name);
  }
  const auto nearest = nearest_word(name, names);
  throw ConfigError(fmt::format("machine '{}' is not known{}; machines are {}", name,
                                nearest ? fmt::format(" (did you mean '{}'?)", *nearest) : "", fmt::join(names, ", ")));
}

}  // namespace manyone
