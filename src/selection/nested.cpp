// SPDX-License-Identifier: Apache-2.0
#include "selection/nested.hpp"

#include "decoder/decoder.hpp"

namespace manyone {

NestedEstimate nested_estimate(const Execution& execution, const TuningRows& rows, const Folds& outer,
                               const ChooseCell& choose) {
  NestedEstimate estimate;
  estimate.folds = outer.count;
  std::vector<int> predicted(rows.labels().size());
  execution.observer.begin("nested cross-validation", outer.count);
  for (int fold = 0; fold < outer.count; ++fold) {
    execution.interrupt.check();
    std::vector<Index> train;
    std::vector<Index> test;
    for (Index i = 0; i < rows.rows(); ++i)
      (outer.fold_of_row[static_cast<std::size_t>(i)] == fold ? test : train).push_back(i);
    const auto part = rows.part(train);
    const CellParameters at = choose(*part, train);
    estimate.chosen.push_back(at);
    const auto classes = argmax_classes(rows.refit_scores(train, test, at));
    for (std::size_t i = 0; i < test.size(); ++i) predicted[static_cast<std::size_t>(test[i])] = classes[i];
    execution.observer.update(fold + 1, "");
  }
  execution.observer.end();
  estimate.error = fold_mean_error(predicted, rows.labels(), outer);
  return estimate;
}

}  // namespace manyone
