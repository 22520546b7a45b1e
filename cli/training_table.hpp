// SPDX-License-Identifier: Apache-2.0
//
// The table that fit and tune are given, held in memory or streamed.
#pragma once

#include <memory>

#include "cli/options.hpp"
#include "cli/recipe_options.hpp"

namespace manyone::cli {

/// A training table, in memory or streamed.
class TrainingTable {
 public:
  TrainingTable(const TableOptions& options, const RecipeOptions& recipe, const Execution& execution);
  const RowSource& rows() const { return *rows_; }
  /// Nothing when it is streamed.
  const Dataset* whole() const { return data_.get(); }
  /// Its name, size and fingerprint.
  Json json() const;

 private:
  std::unique_ptr<Dataset> data_;
  std::unique_ptr<TableStream> stream_;
  std::unique_ptr<RowSource> rows_;
};

}  // namespace manyone::cli
