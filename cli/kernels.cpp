// SPDX-License-Identifier: Apache-2.0
#include "manyone/kernel/kernel.hpp"

#include "cli/commands.hpp"
#include "cli/listing.hpp"

namespace manyone::cli {

void add_kernels(Tool& app) {
  add_listing(app, "kernels", "The kernels with their formulas and options", "manyone kernels", [] {
    Listing listing{{"name", "formula", "options"}, {}};
    for (const KernelInfo& info : kernels())
      listing.rows.push_back({std::string(info.name), std::string(info.formula), std::string(info.parameters)});
    return listing;
  });
}

}  // namespace manyone::cli
