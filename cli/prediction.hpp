// SPDX-License-Identifier: Apache-2.0
//
// What predict and evaluate share: a model applied to a table block by block, in memory that does not grow with it.
#pragma once

#include <functional>
#include <string>

#include "cli/options.hpp"
#include "model/model.hpp"

namespace manyone::cli {

struct PredictionInput {
  std::string model;
  std::string path;
  std::string format = "auto";
  std::string header = "auto";
  std::string decimal = "auto";

  void declare(CLI::App& command);
  /// The model; says so when model and table have changed places.
  Model classifier() const;
  /// `classes`: of each row, -1 where a score is not finite.
  using Consume = std::function<void(const Block&, const Matrix& scores, const std::vector<int>& classes)>;

  /// Reads the table in blocks by the model's schema and hands each block with the scores of its rows to `consume`.
  /// Rows without a class are counted, and a note says how many there are. Returns their number. `start` is called
  /// before with the names of the columns that are kept.
  Index for_each_block(const Program& program, const Model& classifier, BlockOptions options, const Consume& consume,
                       const std::function<void(const std::vector<std::string>& kept)>& start = {}) const;
};

}  // namespace manyone::cli
