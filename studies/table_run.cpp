// SPDX-License-Identifier: Apache-2.0
#include "studies/table_run.hpp"

#include "manyone/errors.hpp"

namespace manyone {

Recipe recipe_of(const PublishedRow& row) {
  Recipe out;
  out.machine = row.machine;
  out.labelbook = row.labelbook;
  out.bias = row.bias;
  return out;
}

bool accepted(const PublishedRow& row, const Dataset& data) {
  try {
    machine_of(recipe_of(row), data.labels, data.class_count());
    return true;
  } catch (const ConfigError&) {
    return false;
  }
}

Reproduction empty_reproduction(const ReproduceChoice& choice, std::span<const FoundSet> found) {
  Reproduction out;
  out.table = choice.table;
  for (const PublishedRow* row : choice.rows) {
    for (const FoundSet& set : found) {
      ReproducedCell cell;
      cell.row = row;
      cell.set = set.set;
      out.cells.push_back(std::move(cell));
    }
  }
  return out;
}

Dataset selected(const Dataset& data, const std::vector<Index>& rows) {
  Dataset out = data;
  out.features = data.features.select(rows);
  out.labels.clear();
  for (const Index row : rows) out.labels.push_back(data.labels[static_cast<std::size_t>(row)]);
  return out;
}

}  // namespace manyone
