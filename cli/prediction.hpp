// SPDX-License-Identifier: Apache-2.0
//
// What predict and evaluate share: a model applied to a table block by block, in memory that does not grow with it.
#pragma once

#include <functional>
#include <string>

#include "cli/options.hpp"
#include "manyone/model/classifier.hpp"

namespace manyone::cli {

struct PredictionInput {
  std::string model;
  std::string path;
  std::string format = "auto";
  std::string header = "auto";

  void declare(CLI::App& command);
  /// The model; says so when model and table have changed places.
  Classifier classifier() const;
  /// Reads the table in blocks by the model's schema and hands each block with its scores to `consume`.
  void for_each_block(const Program& program, const Classifier& classifier, BlockOptions options,
                      const std::function<void(const Block&, const Matrix& scores)>& consume) const;
};

}  // namespace manyone::cli
