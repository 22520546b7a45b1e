// SPDX-License-Identifier: Apache-2.0
#include "data/schema.hpp"

#include <fmt/format.h>

namespace manyone {

Schema Schema::numbered(Index features, MissingPolicy missing) {
  Schema schema;
  schema.plain = true;
  schema.missing = missing;
  schema.plain_features = features;
  return schema;
}

Index Schema::features() const {
  if (columns.empty()) return plain_features;
  Index count = 0;
  for (const Column& column : columns) count += column.width();
  return count;
}

std::vector<std::string> Schema::feature_names() const {
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(features()));
  if (columns.empty()) {
    for (Index i = 1; i <= plain_features; ++i) names.push_back(fmt::format("f{}", i));
  }
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const Column& column = columns[k];
    const std::string name = column.name.empty() ? fmt::format("f{}", k + 1) : column.name;
    if (!column.nominal) names.push_back(name);
    for (const std::string& value : column.values) names.push_back(name + "=" + value);
    if (column.missing_feature) names.push_back(name + " missing");
  }
  return names;
}

}  // namespace manyone
