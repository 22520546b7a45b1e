// SPDX-License-Identifier: Apache-2.0
#include "manyone/machine/machines.hpp"

#include "cli/commands.hpp"
#include "cli/listing.hpp"

namespace manyone::cli {

void add_machines(Tool& app) {
  add_listing(app, "machines", "The machines, what they cost and where they come from", "manyone machines", [] {
    Listing listing{{"name", "summary", "flops", "parameter", "source"}, {}};
    for (const MachineInfo& info : machines())
      listing.rows.push_back({std::string(info.name), std::string(info.summary), std::string(info.cost),
                              std::string(info.parameter), std::string(info.source)});
    return listing;
  });
}

}  // namespace manyone::cli
