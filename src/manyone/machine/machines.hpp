// SPDX-License-Identifier: Apache-2.0
//
// The list of machines: what exists, what it takes and costs, where it comes from; and the one place that makes them.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "manyone/machine/machine.hpp"

namespace manyone {

/// Which labelbooks a machine takes.
enum class BookUse {
  any,    ///< every book and code
  coded,  ///< codes with entries -1, 0 and 1 only
  own,    ///< none but its own
};

struct MachineInfo {
  std::string_view name;
  std::string_view summary;
  std::string_view cost;
  std::string_view source;
  std::string_view parameter;  ///< "ridge" or "cost" (= 1/ridge): the name its paper uses
  std::string_view default_book;
  BookUse books;
  bool bias;             ///< takes a bias term
  bool label_kernel;     ///< takes a kernel on labels
  bool program = false;  ///< a quadratic program, solved to an accuracy
  bool reduces = false;  ///< may be trained on kernel values at a few centres
};

std::span<const MachineInfo> machines();

/// Throws ConfigError that lists the names and suggests the nearest.
const MachineInfo& machine_from_name(std::string_view name);

/// Of a machine on the whole kernel matrix (msvr has none: machine/msvr). Throws ConfigError when the book, the kernel
/// on labels or the bias do not go with the machine.
std::unique_ptr<Machine> make_machine(std::string_view name, LabelSpace labels, bool bias, SolverChoice solver = {});

}  // namespace manyone
