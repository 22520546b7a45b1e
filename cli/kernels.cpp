// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel.hpp"

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/listing.hpp"

namespace manyone::cli {

void add_kernels(Tool& app) {
  add_listing(app, "kernels", "The kernels with their formulas and options", "manyone kernels", [] {
    Listing listing{{"name", "formula", "options"}, {}};
    for (const KernelEntry* entry : kernels()) {
      std::string options;
      for (const auto& [has, option] : {std::pair(entry->sigma, "--sigma"), std::pair(entry->degree, "--degree"),
                                        std::pair(entry->offset, "--offset")}) {
        if (has) options += fmt::format("{}{}", options.empty() ? "" : " ", option);
      }
      listing.rows.push_back({std::string(entry->name), std::string(entry->formula), std::move(options)});
    }
    return listing;
  });
}

}  // namespace manyone::cli
