// SPDX-License-Identifier: Apache-2.0
//
// A value for each parameter that is not its standard one, for tests that go through the table.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "model/parameters.hpp"

namespace manyone::test {

constexpr Index kExampleRows = 6;

inline const ParameterValue& example_of(const Parameter& parameter) {
  using Count = std::int64_t;
  static const std::map<std::string, ParameterValue, std::less<>> all = {
      {"machine", "vo-rls-f"},
      {"labelbook", NamedNumbers{"book.csv", Matrix::Identity(3, 3)}},
      {"label_kernel", NamedNumbers{"gram.csv", Matrix::Identity(3, 3)}},
      {"decode", "ssvm:2"},
      {"length", Count{7}},
      {"kernel", "laplacian"},
      {"sigma", 0.5},
      {"degree", Count{2}},
      {"offset", 0.5},
      {"ridge", 0.25},
      {"cost", 4.0},
      {"lambda", 0.125},
      {"bias", true},
      {"solver", "cg"},
      {"accuracy", 1e-5},
      {"mkl", "simplex"},
      {"centers", NamedNumbers{"centres.csv", Matrix::Identity(4, 2)}},
      {"centers_from", "all"},
      {"time", 60.0},
      {"reduce", "pca"},
      {"penalty", "identity"},
      {"priors", NamedNumbers{"priors.csv", Matrix::Ones(3, 1)}},
      {"weights", NamedNumbers{"", Matrix::Constant(kExampleRows, 1, 2)}},
      {"scale", "standard"},
      {"search", "halving"},
      {"grid", std::vector<GridAxis>{{"sigma", {-3, 2, 1}}, {"ridge", {-8, 0, 0.5}}}},
      {"folds", Count{5}},
      {"groups", std::vector<int>{0, 0, 1, 1, 2, 2}},
      {"repeats", Count{3}},
      {"stratify", true},
      {"scale_per_fold", true},
      {"seed", Count{7}},
  };
  const auto found = all.find(parameter.name);
  if (found != all.end()) return found->second;
  ADD_FAILURE() << "no example of " << parameter.name;
  static const ParameterValue none;
  return none;
}

}  // namespace manyone::test
