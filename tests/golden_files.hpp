// SPDX-License-Identifier: Apache-2.0
//
// Reading the golden files of tests/golden/data.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include <nlohmann/json.hpp>

#include "manyone/base/matrix.hpp"

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

}  // namespace manyone::test
