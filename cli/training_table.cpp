// SPDX-License-Identifier: Apache-2.0
#include "cli/training_table.hpp"

#include <filesystem>

namespace manyone::cli {

TrainingTable::TrainingTable(const TableOptions& options, const RecipeOptions& recipe, const Execution& execution) {
  ReadOptions reading = options.read_options(execution.memory, recipe.fold_column());
  if (recipe.word("kernel") == "precomputed") reading.keep_identifiers = true;  // every column is a row's
  const std::string& machine = recipe.word("machine");
  const bool passes = machine == kAutomaticMachine || machine_from_name(machine).on_kernel == nullptr ||
                      !recipe.word("centers").empty();
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
  for (const Words& note : stream_ ? stream_->notes() : data_->notes) execution.observer.note(note);
}

Json TrainingTable::json() const {
  const std::uint64_t fingerprint = data_ ? data_fingerprint(data_->rows(), data_->features, data_->labels) : 0;
  return data_json(std::filesystem::path(rows_->name()).filename().string(), rows_->rows(), rows_->features(),
                   fingerprint);
}

}  // namespace manyone::cli
