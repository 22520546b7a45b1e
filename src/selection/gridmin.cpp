// SPDX-License-Identifier: Apache-2.0
#include "selection/gridmin.hpp"

#include <algorithm>
#include <numeric>

#include "manyone/errors.hpp"

namespace manyone {

double GridMinimum::mean() const {
  return std::accumulate(errors.begin(), errors.end(), 0.0) / static_cast<double>(errors.size());
}

double GridMinimum::best() const { return *std::min_element(errors.begin(), errors.end()); }

double GridMinimum::worst() const { return *std::max_element(errors.begin(), errors.end()); }

GridMinimum grid_minimum(std::span<const Cell> surface) {
  GridMinimum out;
  for (const Cell& cell : surface) {
    if (!cell.solved) continue;
    if (out.errors.empty()) out.errors = cell.errors;
    for (std::size_t p = 0; p < cell.errors.size(); ++p) out.errors[p] = std::min(out.errors[p], cell.errors[p]);
  }
  if (out.errors.empty()) throw ConfigError("grid", "no cell of the grid could be solved", "search larger ridges");
  return out;
}

}  // namespace manyone
