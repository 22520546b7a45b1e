// SPDX-License-Identifier: Apache-2.0
#include "studies/coded_regression.hpp"

#include <cmath>

#include "studies/table_run.hpp"

namespace manyone {

Recipe recipe_at_setting(const PublishedTable& table, const PublishedRow& row, std::size_t set) {
  Recipe out = recipe_of(row);
  PublishedSetting at{1, 1 / static_cast<double>(table.sets[set].features)};
  if (!row.settings.empty() && row.settings[set]) at = *row.settings[set];
  out.scaling = ScalingKind::standard;
  out.sigma = std::sqrt(1 / (2 * at.gamma));
  out.ridge = 1 / at.cost;
  if (!row.decode.empty()) out.decode = &decoder_from_name(row.decode);
  if (row.machine != "msvr") return out;
  out.reduction.centres = table.sets[set].centres;
  if (out.decode != nullptr && out.decode->cost) out.decode_cost = at.cost;
  if (out.labelbook.empty()) out.labelbook = "balanced";
  return out;
}

CodedRegression::CodedRegression(const Execution& execution, const Dataset& data, const Recipe& recipe)
    : execution_(execution),
      recipe_(recipe),
      source_(data),
      table_(prepare(execution, source_, recipe_, data.rows())),
      passed_(pass_rows(execution, recipe_, table_, *recipe_.sigma, PassFolds(recipe_, false))) {
  const GroupedSums all = passed_.all();
  const Msvr machine(execution, choice_for(recipe_, data.rows()), passed_.columns, all, passed_.shift);
  seen_ = machine.seen(all);
  if (!machine.fit(seen_, *recipe_.ridge, fit_)) throw_ridge_too_small(*recipe_.ridge);
}

Matrix CodedRegression::code(const std::string& name, std::uint64_t seed) const {
  BookRequest request{static_cast<int>(table_.classes()), table_.class_counts, seed, {}};
  if (name == "random") request.length = table_.classes();
  request.explained = fit_.explained;
  return make_labelbook(name, request).codewords;
}

Matrix CodedRegression::outputs(const Features& unscaled) const {
  Features rows = unscaled;
  table_.scaling.apply(rows);
  return passed_.columns.expansion(fit_.A, fit_.b).evaluate(execution_.backend, rows);
}

Decoder CodedRegression::discriminant(const Matrix& code) const {
  Recipe recipe = recipe_;
  recipe.decode = &decoder_from_name("flda");
  return ReducedDecoding(recipe, table_.class_counts).decoder(execution_.backend, fit_, code, seen_);
}

Model train_at_setting(const Execution& execution, const Dataset& data, const PublishedTable& table,
                       const PublishedRow& row, std::size_t set, std::uint64_t seed) {
  Recipe recipe = recipe_at_setting(table, row, set);
  recipe.seed = seed;
  if (recipe.machine != "msvr") return train(execution, data, recipe, *recipe.sigma, *recipe.ridge);
  const DatasetRows source(data);
  const PreparedTable prepared = prepare(execution, source, recipe, data.rows());
  const PassedRows passed = pass_rows(execution, recipe, prepared, *recipe.sigma, PassFolds(recipe, false));
  return train_reduced(execution, recipe, prepared, passed, *recipe.ridge);
}

}  // namespace manyone
