// SPDX-License-Identifier: Apache-2.0
#include "model/model.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/worded.hpp"
#include "machine/registry.hpp"
#include "manyone/errors.hpp"

namespace manyone {

std::string_view name_of(EstimateKind kind) {
  switch (kind) {
    case EstimateKind::held_out: return "held-out";
    case EstimateKind::subset: return "subset";
    case EstimateKind::cross_validation: break;
  }
  return "cross-validation";
}

EstimateKind estimate_from_name(std::string_view name) {
  for (const auto kind : {EstimateKind::cross_validation, EstimateKind::held_out, EstimateKind::subset}) {
    if (name_of(kind) == name) return kind;
  }
  throw ConfigError("estimate", fmt::format("estimate '{}' is not known", name),
                    "estimates are cross-validation, held-out and subset");
}

Matrix Model::scores(const Backend& backend, Features rows) const {
  if (!expansion.kernel.precomputed()) scaling.apply(rows);  // kernel values are used as they are
  return decoder.scores(expansion.evaluate(backend, rows));
}

std::vector<int> Model::predict(const Backend& backend, Features rows) const {
  return finite_classes(scores(backend, std::move(rows)));
}

Matrix Model::probabilities(const Backend& backend, Features rows) const {
  return softmax(scores(backend, std::move(rows)), temperature);
}

ScalingKind scaling_for(const Recipe& recipe, bool sparse) {
  if (!recipe.kernel->of_rows) return ScalingKind::none;
  return recipe.scaling.value_or(sparse ? ScalingKind::maxabs : ScalingKind::range);
}

void check_gram(const Features& gram, const std::string& source) {
  if (gram.rows() != gram.features()) {
    throw InputError(Place{source},
                     fmt::format("a precomputed kernel needs a square table to train on, found {} rows and {} columns",
                                 gram.rows(), gram.features()),
                     "give one column per row", "kernel");
  }
  const Matrix K = gram.dense_rows(0, gram.rows());
  const double tolerance = 1e-8 * K.cwiseAbs().maxCoeff();
  for (Index i = 0; i < K.rows(); ++i) {
    for (Index j = 0; j < i; ++j) {
      if (std::abs(K(i, j) - K(j, i)) > tolerance) {
        throw InputError(
            Place{source},
            worded("the kernel matrix is not symmetric: entry (`#{}`, `#{}`) is {:.6g} but (`#{}`, `#{}`) is {:.6g}",
                   i + 1, j + 1, K(i, j), j + 1, i + 1, K(j, i)),
            "give more digits, or the mean of both", "kernel");
      }
    }
  }
}

Model::Model(const Recipe& recipe, double ridge_used)
    : machine(recipe.entry().name),
      labelbook(recipe.book()),
      label_kernel(recipe.label_kernel.said),
      search(recipe.tuned() ? name_of(recipe.search) : "fixed"),
      ridge(ridge_used),
      bias(recipe.bias),
      weights(name_of(recipe.weights)) {}

Model train(const Execution& execution, const Dataset& data, const Recipe& recipe, double sigma, double ridge) {
  const auto machine = machine_of(recipe, data.labels, data.class_count());
  return train(execution, data, recipe, *machine, decoder_of(recipe, *machine), {sigma, ridge}, {});
}

Model train(const Execution& execution, const Dataset& data, const Recipe& recipe, const Machine& machine,
            const Decoder& decoder, const CellParameters& at, std::optional<Coefficients> solution) {
  Model model(recipe, at.ridge);
  model.schema = data.schema;
  model.classes = data.classes;
  model.trained_rows = data.rows();
  model.decoder = decoder;
  if (!recipe.kernel->of_rows) check_gram(data.features, data.source);
  Features rows = data.features;
  model.scaling = Scaling::fit(scaling_for(recipe, rows.sparse()), rows);
  model.scaling.apply(rows);
  const LabelledRows labelled{data.labels, data.class_count(), row_weights(recipe, data.labels, data.class_count())};
  execution.memory.require(machine.fit_bytes(labelled), fmt::format("{} on {} rows", model.machine, data.rows()),
                           memory_advice(recipe));
  const Kernel kernel = recipe.kernel_at(at.sigma);
  require_finite_kernel(kernel, rows);
  if (!solution) solution = machine.fit(execution, FeatureGram(execution, kernel, rows), labelled, at.ridge);
  model.expansion.kernel = kernel;
  model.expansion.coefficients = std::move(solution->A);
  model.expansion.bias = std::move(solution->b);
  if (!kernel.precomputed()) model.expansion.centres = std::move(rows);
  model.expansion.arrange_centres(data.labels);
  return model;
}

}  // namespace manyone
