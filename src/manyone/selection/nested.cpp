// SPDX-License-Identifier: Apache-2.0
#include "manyone/selection/nested.hpp"

#include "manyone/decoder/decoder.hpp"

namespace manyone {

namespace {

/// Classes of `test` rows by a machine trained at `at` on `part`, the `train` rows of `data`.
std::vector<int> predict_fold(const Execution& execution, const Recipe& recipe, const Machine& machine,
                              const Decoder& decoder, const CellData& data, const CellData& part,
                              const std::vector<Index>& train, const std::vector<Index>& test,
                              const CellParameters& at) {
  const Backend& backend = execution.backend;
  const Kernel kernel = recipe.kernel_at(at.sigma);
  Matrix K(part.rows(), part.rows());
  backend.apply_kernel(kernel, part.statistics, K);
  const Coefficients solution = machine.fit(execution, MatrixGram(kernel, K), part, at.ridge);
  Matrix cross = data.statistics(test, train);
  backend.apply_kernel(kernel, cross, cross);
  Matrix f(cross.rows(), solution.A.cols());
  f.rowwise() = solution.b.transpose();
  backend.multiply(1, cross, Transpose::no, solution.A, Transpose::no, 1, f);
  return argmax_classes(decoder.scores(std::move(f)));
}

}  // namespace

NestedEstimate nested_estimate(const Execution& execution, const Recipe& recipe, const CellData& data,
                               const Machine& machine, const Decoder& decoder, const Folds& outer,
                               const ChooseCell& choose) {
  NestedEstimate estimate;
  estimate.folds = outer.count;
  std::vector<int> predicted(data.labels.size());
  execution.observer.begin("nested cross-validation", outer.count);
  for (int fold = 0; fold < outer.count; ++fold) {
    execution.interrupt.check();
    std::vector<Index> train;
    std::vector<Index> test;
    for (Index i = 0; i < data.rows(); ++i)
      (outer.fold_of_row[static_cast<std::size_t>(i)] == fold ? test : train).push_back(i);
    const CellData part = data.part(train);
    const CellParameters at = choose(part, train);
    estimate.chosen.push_back(at);
    const auto classes = predict_fold(execution, recipe, machine, decoder, data, part, train, test, at);
    for (std::size_t i = 0; i < test.size(); ++i) predicted[static_cast<std::size_t>(test[i])] = classes[i];
    execution.observer.update(fold + 1, "");
  }
  execution.observer.end();
  estimate.error = fold_mean_error(predicted, data.labels, outer);
  return estimate;
}

}  // namespace manyone
