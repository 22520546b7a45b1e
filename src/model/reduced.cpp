// SPDX-License-Identifier: Apache-2.0
#include "model/reduced.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_set>

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "base/worded.hpp"
#include "machine/centres.hpp"
#include "manyone/errors.hpp"

namespace manyone {

namespace {

// Rows up to which msvr uses all as centres unless it is told otherwise, and centres beyond.
constexpr Index kAllCentres = 2000;
constexpr Index kFewCentres = 1000;
constexpr Index kManyCentres = 2000;
// Rows whose kernel columns kernel PCA starts from, at most.
constexpr Index kComponentRows = 2000;
// Rows up to which the whole kernel matrix is used unless asked otherwise.
constexpr Index kExactRows = 20000;
// For guesses of time: flops of a core in a second, factorisations that choose a ridge, and the search for a width.
constexpr double kRate = 2e10;
constexpr double kFactors = 40;
constexpr double kSearchSeconds = 3;

/// Centres of the user's own, in the scale of the training table.
Features given_centres(const CentreChoice& choice, const Scaling& scaling) {
  const std::string& path = choice.said;
  const Matrix& numbers = choice.rows;
  if (numbers.cols() != scaling.offset.size()) {
    throw InputError(
        Place{path, 1, 0},
        fmt::format("expected {} features for each centre, found {}", scaling.offset.size(), numbers.cols()),
        "give as many numbers a line as the table has features", "centers");
  }
  for (Index r = 0; r < numbers.rows(); ++r) {
    for (Index s = 0; s < r; ++s) {
      if (numbers.row(r) == numbers.row(s)) {
        throw InputError(Place{path, static_cast<std::size_t>(r + 1), 0},
                         worded("centres `#{}` and `#{}` are equal", s + 1, r + 1), "leave one of them out", "centers");
      }
    }
  }
  Features out(numbers);
  scaling.apply(out);
  return out;
}

void check_enough(Index centres, Index classes) {
  if (centres >= classes) return;
  throw ConfigError("centers", fmt::format("{} centres cannot tell {} classes apart", centres, classes),
                    worded("use `centers={}` or more", classes));
}

[[noreturn]] void throw_needs_classes(const Recipe& recipe, std::string_view why) {
  throw ConfigError("reduce", fmt::format("{} needs centres that belong to a class, and {}", recipe.machine, why),
                    "use `reduce=stratified`, random or leverage");
}

Index usual_centres(Index rows) { return std::clamp(rows / 20, kFewCentres, kManyCentres); }

bool regresses_on_features(const Recipe& recipe) {
  return recipe.kernel->linear && recipe.reduction.centres.empty() && !recipe.reduction.kind;
}

}  // namespace

Index affordable_centres(const Execution& execution, Index rows, Index features, Index classes,
                         std::optional<double> seconds) {
  const double n = static_cast<double>(rows);
  const double rate = kRate * execution.backend.threads();
  const auto cost = [&](double m) {
    const double columns = 2 * m * static_cast<double>(features) + m * m;  // for a row
    return (n * columns + kFactors * m * m * m / 3) / rate + kSearchSeconds;
  };
  Index best = classes;
  for (double m = 125; m <= 8000 && m <= n; m *= std::sqrt(2.0)) {
    const auto count = static_cast<Index>(std::round(m));
    const bool fits = execution.memory.fits(FoldSums::bytes(count, 16) + 8.0 * m * kSampleRows);
    if (!fits || (seconds ? cost(m) > *seconds : count > usual_centres(rows))) break;
    best = std::max(best, count);
  }
  return best;
}

MachineChoice choose_machine(const Execution& execution, const RowSource& table, std::optional<double> seconds) {
  const Index n = table.rows();
  const double cubes = std::pow(static_cast<double>(n), 3) / 3 / (kRate * execution.backend.threads());
  const Recipe usual;
  const Index tuned = std::min(n, usual.tune_rows);  // with a matrix beside each two that are worked on
  const bool exact = n <= kExactRows && execution.memory.fits(std::max(2 * square_bytes(n), 3 * square_bytes(tuned))) &&
                     !(seconds && cubes > *seconds);
  if (exact) return {std::string(usual_machine().name), ""};
  return {std::string(usual_machine_on_columns().name),
          fmt::format("{}", affordable_centres(execution, n, table.features(),
                                               static_cast<Index>(table.classes().size()), seconds))};
}

KernelColumns columns_for(const Execution& execution, const Recipe& recipe, double sigma, const PreparedTable& table) {
  const ReducedDecoding decoding(recipe, table.class_counts);
  if (regresses_on_features(recipe)) return KernelColumns(table.features.features());
  const Kernel kernel = recipe.kernel_at(sigma);
  const Reduction& reduction = recipe.reduction;
  reduction.centres.validate();
  if (reduction.centres.rows.size() > 0) {
    if (reduction.kind) {
      throw ConfigError("reduce", "`centers=FILE` gives the centres themselves", "leave `reduce` out");
    }
    Features centres = given_centres(reduction.centres, table.scaling);
    check_enough(centres.rows(), table.classes());
    if (decoding.needs_classes_of_centres()) throw_needs_classes(recipe, "those of a file have none");
    return {kernel, std::move(centres)};
  }
  const Index n = table.table_rows();
  const bool pca = reduction.kind == ReduceKind::pca;
  Index count = *centres_of(recipe, n);
  check_enough(count, table.classes());
  if (pca) count = std::min(n, kComponentRows);
  if (reduction.kind == ReduceKind::kmeans && table.features.sparse()) {
    throw ConfigError("reduce", "`reduce=kmeans` needs dense rows", "use stratified for sparse ones");
  }
  const auto kind = reduction.kind.value_or(ReduceKind::stratified);
  ChosenCentres chosen = choose_centres(execution, kind, kernel, table.features, table.labels, count, recipe.seed);
  const Index m = chosen.centres.rows();
  execution.memory.require(4 * FoldSums::bytes(m, 1), fmt::format("{} centres", m),
                           "use fewer centres, or raise the limit with `memory`");
  if (!decoding.needs_classes_of_centres()) {
    KernelColumns out(kernel, std::move(chosen.centres));
    out.came_from(std::move(chosen.of_row));
    return out;
  }
  if (pca) throw_needs_classes(recipe, "components have none");
  if (chosen.rows.empty()) throw_needs_classes(recipe, "means of rows have none");
  std::vector<int> labels;
  for (const Index row : chosen.rows) labels.push_back(table.labels[static_cast<std::size_t>(row)]);
  KernelColumns out(kernel, std::move(chosen.centres), std::move(labels));
  out.came_from(std::move(chosen.of_row));
  if (recipe.entry().weighs_columns) out.weigh_by(decoding.labels().gamma);
  if (decoding.trains_columns()) out.keep_classes_apart();
  return out;
}

Index squares_of(const KernelColumns& columns, Index classes) { return columns.classes_apart() ? classes : 1; }

std::unique_ptr<ReducedMachine> reduced_machine(const Execution& execution, const Recipe& recipe,
                                                const PreparedTable& table, const KernelColumns& columns,
                                                const GroupedSums& all, const Vector& shift) {
  const ReducedDecoding decoding(recipe, table.class_counts);
  return recipe.entry().on_columns({.execution = execution,
                                    .regression = choice_for(recipe, table.table_rows()),
                                    .labels = decoding.labels(),
                                    .trained_code = decoding.trained_code(),
                                    .bias = recipe.bias,
                                    .columns = columns,
                                    .all = all,
                                    .shift = shift});
}

std::optional<Index> centres_of(const Recipe& recipe, Index table_rows) {
  if (regresses_on_features(recipe)) return std::nullopt;
  recipe.reduction.centres.validate();
  if (const auto& asked = recipe.reduction.centres.count) return asked->of(table_rows);
  if (!recipe.reduction.centres.empty()) return std::nullopt;
  return table_rows <= kAllCentres ? table_rows : usual_centres(table_rows);
}

RegressionChoice choice_for(const Recipe& recipe, Index table_rows) {
  RegressionChoice choice;
  const MachineEntry& entry = recipe.entry();
  const bool pca = recipe.reduction.kind == ReduceKind::pca;
  choice.penalty = recipe.reduction.penalty.value_or(pca ? PenaltyKind::identity : entry.usual_penalty);
  // That of a machine with centred books is not one of a regression.
  choice.bias = entry.bias == BiasUse::always || (recipe.bias && entry.bias == BiasUse::optional);
  if (pca) {
    const auto& asked = recipe.reduction.centres.count;
    choice.components = asked ? asked->of(table_rows) : std::min(table_rows, kFewCentres);
  }
  return choice;
}

bool centres_leave_with_rows(const Recipe& recipe, const KernelColumns& columns, Index table_rows) {
  const RegressionChoice choice = choice_for(recipe, table_rows);
  return choice.penalty == PenaltyKind::identity && !choice.components && !recipe.reduction.centres_from_all &&
         !columns.centre_of_row().empty();
}

GroupedSums PassedRows::all() const {
  GroupedSums out = folds.front();
  for (std::size_t f = 1; f < folds.size(); ++f) out += folds[f];
  return out;
}

PassedRows pass_rows(const Execution& execution, const Recipe& recipe, const PreparedTable& table, double sigma,
                     const PassFolds& folds) {
  require_finite_kernel(recipe.kernel_at(sigma), table.features);
  PassedRows out{columns_for(execution, recipe, sigma, table), {}, {}};
  const Index m = out.columns.count();
  // Else machines without a fold would have fewer centres than the one that is kept, and be worse. Who says which rows
  // go together has them kept together.
  out.centres_stay = folds.count() > 1 && folds.free() && 2 * m <= table.table_rows() &&
                     centres_leave_with_rows(recipe, out.columns, table.table_rows());
  std::unordered_set<Index> staying;
  for (std::size_t i = 0; out.centres_stay && i < table.rows.size(); ++i) {
    if (out.columns.centre_of_row()[i] >= 0) staying.insert(table.rows[i]);
  }
  const int groups = folds.count() + (out.centres_stay ? 1 : 0);
  execution.memory.require(FoldSums::bytes(m, (groups + 3) * squares_of(out.columns, table.classes())),
                           fmt::format("{} centres and {} folds", m, folds.count()),
                           "use fewer centres or folds, or raise the limit with `memory`");
  out.shift = choice_for(recipe, table.table_rows()).bias ? column_shift(execution, out.columns) : Vector::Zero(m);
  FoldSums sums(execution, out.columns, out.shift, table.classes(), groups);
  const RowWeights weights(recipe, table.class_counts);
  const auto n = static_cast<double>(table.table_rows());
  execution.observer.begin("adding up rows", n);
  table.source.pass([&](const Features& rows, std::span<const int> labels, Index first) {
    Features scaled = rows;
    table.scaling.apply(scaled);
    std::vector<int> fold(labels.size(), 0);
    for (std::size_t i = 0; i < fold.size(); ++i) {
      const Index row = first + static_cast<Index>(i);
      fold[i] = staying.contains(row) ? folds.count() : folds.of(row);
    }
    sums.add(scaled, labels, fold, weights.of(labels, first));
    execution.observer.update(static_cast<double>(first + rows.rows()), "");
  });
  out.folds = sums.finish();
  execution.observer.end();
  return out;
}

Model train_reduced(const Execution& execution, const Recipe& recipe, const PreparedTable& table,
                    const PassedRows& passed, double ridge) {
  const Backend& backend = execution.backend;
  Model model(recipe, ridge);
  model.schema = table.source.schema();
  model.classes = table.source.classes();
  model.trained_rows = table.table_rows();
  model.scaling = table.scaling;
  const GroupedSums all = passed.all();
  const auto machine = reduced_machine(execution, recipe, table, passed.columns, all, passed.shift);
  const GroupedSums seen = machine->seen(all);
  ReducedFit fit;
  if (!machine->fit(seen, ridge, fit)) throw_ridge_too_small(ridge);
  const ReducedDecoding decoding(recipe, table.class_counts);
  const Matrix code = decoding.code(fit);
  Matrix outputs;
  if (decoding.needs_rows()) {
    if (!table.whole()) {
      execution.observer.note(fmt::format("the planes of ssvm are fitted to a sample of {} of {} rows",
                                          table.rows.size(), table.table_rows()));
    }
    outputs = passed.columns.expansion(fit.A, fit.b).evaluate(backend, table.features);
  }
  model.decoder = decoding.decoder(backend, fit, code, seen, outputs, table.labels, table.weights);
  model.expansion = passed.columns.expansion(fit.A * code, code.transpose() * fit.b);
  return model;
}

}  // namespace manyone
