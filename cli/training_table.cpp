// SPDX-License-Identifier: Apache-2.0
#include "cli/training_table.hpp"

namespace manyone::cli {

TrainingTable::TrainingTable(const TableOptions& options, const RecipeOptions& recipe, const Execution& execution) {
  const ReadOptions reading = options.read_options(execution.memory, recipe.folds);
  const bool passes = recipe.machine == "auto" || recipe.machine == "msvr" || !recipe.centres.empty();
  if (options.stream || (passes && options.large(execution.memory))) {
    execution.observer.begin("reading", 1);
    stream_ = std::make_unique<TableStream>(options.path, reading, execution.interrupt,
                                            [&](double part) { execution.observer.update(part, ""); });
    execution.observer.end();
    rows_ = std::make_unique<StreamedRows>(*stream_);
  } else {
    data_ = std::make_unique<Dataset>(read_dataset(options.path, reading));
    rows_ = std::make_unique<DatasetRows>(*data_);
  }
}

}  // namespace manyone::cli
