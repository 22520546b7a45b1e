// SPDX-License-Identifier: Apache-2.0
//
// Reading the golden files of tests/golden/data.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "data/dataset.hpp"

namespace manyone::test {

using Json = nlohmann::json;

inline Json golden(const std::string& name) {
  std::ifstream file(std::string(MANYONE_SOURCE) + "/tests/golden/data/" + name + ".json");
  EXPECT_TRUE(file) << name;
  return Json::parse(file);
}

inline Matrix matrix(const Json& rows) {
  Matrix out(static_cast<Index>(rows.size()), static_cast<Index>(rows.at(0).size()));
  for (Index i = 0; i < out.rows(); ++i) {
    for (Index j = 0; j < out.cols(); ++j)
      out(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)].get<double>();
  }
  return out;
}

inline std::vector<int> integers(const Json& values) { return values.get<std::vector<int>>(); }

/// Scaled iris, or the rows of a subset.
inline Dataset iris(const Json& subset = {}) {
  const Json json = golden("iris_data");
  const Matrix x = matrix(json["X"]);
  const std::vector<int> y = integers(json["y"]);
  std::vector<Index> rows;
  for (Index i = 0; i < x.rows(); ++i) {
    if (subset.is_null()) rows.push_back(i);
  }
  for (const Json& row : subset) rows.push_back(row.get<Index>());
  std::vector<std::string> labels;
  for (const Index i : rows) labels.push_back(std::to_string(y[static_cast<std::size_t>(i)]));
  return make_dataset(Matrix(x(rows, Eigen::all)), labels);
}

}  // namespace manyone::test
