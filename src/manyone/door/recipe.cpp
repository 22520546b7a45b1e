// SPDX-License-Identifier: Apache-2.0
#include "manyone/recipe.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "manyone/base/errors.hpp"
#include "manyone/door/inside.hpp"

namespace manyone::door {

namespace {

constexpr const char* kGiven = "given";  // what a model calls numbers that came from a program

[[noreturn]] void refuse(std::string_view parameter, std::string_view expected, const std::string& found) {
  throw ConfigError(fmt::format("{} must be {}, found '{}'", parameter, expected, found));
}

bool is_second(const std::string& word, const char* first, const char* second, std::string_view parameter) {
  if (word != first && word != second) refuse(parameter, fmt::format("{} or {}", first, second), word);
  return word == second;
}

SolverKind solver_kind(const std::string& word) {
  if (word == "auto") return SolverKind::automatic;
  if (word == "direct") return SolverKind::direct;
  if (word == "cg") return SolverKind::iterative;
  refuse("solver", "auto, direct or cg", word);
}

LogRange range_of(const abi_0::LogRange& range) { return {range.low, range.high, range.step}; }

/// What numbers of a program are called where they stand in the place of a name.
std::string called(const std::string& name, const std::string& usual, bool numbers) {
  return numbers && name == usual ? kGiven : name;
}

/// Numbers of folds or groups, one for each row.
void check_ids(const std::vector<int>& ids, std::string_view parameter, std::optional<Index> rows) {
  if (ids.empty()) return;
  if (rows && std::ssize(ids) != *rows) {
    throw ConfigError(
        fmt::format("{} must have an entry for each of the {} rows, found {}", parameter, *rows, ids.size()));
  }
  const auto [least, largest] = std::ranges::minmax(ids);
  if (least < 0 || least == largest) {
    throw ConfigError(
        fmt::format("{} must be counted from 0 and not all be the same, found {} to {}", parameter, least, largest));
  }
}

FoldPlan folds_of(const abi_0::Recipe& recipe, std::optional<Index> rows) {
  check_ids(recipe.given_folds, "given_folds", rows);
  check_ids(recipe.groups, "groups", rows);
  FoldPlan out;
  out.stratified = recipe.stratify;
  out.given = recipe.given_folds;
  out.groups = recipe.groups;
  if (recipe.folds) {
    out.count = *recipe.folds;
  } else {
    if (rows) out.count = static_cast<int>(std::min<Index>(out.count, *rows));
    if (!out.groups.empty()) out.count = std::min(out.count, 1 + std::ranges::max(out.groups));
  }
  // Leaving one group out after the other: every group is a fold.
  if (out.leave_one_out() && !out.groups.empty()) std::swap(out.given, out.groups);
  if (out.stratified && (out.leave_one_out() || !out.given.empty())) {
    throw ConfigError("stratify needs random folds; leave it out with folds 0 or given_folds");
  }
  return out;
}

}  // namespace

Recipe for_library(const abi_0::Recipe& recipe, std::optional<Index> rows) {
  Recipe out;
  out.machine = recipe.machine;
  out.kernel = &kernel_from_name(recipe.kernel);
  out.sigma = recipe.sigma;
  out.degree = recipe.degree;
  out.offset = recipe.offset;
  out.ridge = recipe.ridge;
  out.bias = recipe.bias;
  out.codewords = for_library(recipe.codewords);
  out.labelbook = called(recipe.labelbook, "", out.codewords.size() > 0);
  out.label_gram = for_library(recipe.label_gram);
  out.label_kernel = called(recipe.label_kernel, "linear", out.label_gram.size() > 0);
  out.code_length = recipe.length;
  if (!recipe.decode.empty()) {
    const DecoderChoice choice = decoder_choice(recipe.decode);
    out.decode = choice.entry;
    out.decode_cost = choice.cost;
  }
  out.class_priors = Eigen::Map<const Vector>(recipe.class_priors.data(), std::ssize(recipe.class_priors));
  out.priors = called(recipe.priors, "uniform", out.class_priors.size() > 0);
  out.solver.kind = solver_kind(recipe.solver);
  out.solver.accuracy = recipe.accuracy;
  if (is_second(recipe.mkl, "published", "simplex", "mkl")) out.solver.learning = LabelLearning::simplex;

  out.reduction.centres = recipe.centers;
  if (!recipe.reduce.empty()) out.reduction.kind = reduce_from_name(recipe.reduce);
  if (!recipe.penalty.empty()) out.reduction.penalty = penalty_from_name(recipe.penalty);
  out.reduction.centres_from_all = is_second(recipe.centers_from, "training", "all", "centers_from");
  out.seconds = recipe.time;

  if (!recipe.scale.empty()) out.scaling = scaling_from_name(recipe.scale);
  out.scale_per_fold = recipe.scale_per_fold;
  if (is_second(recipe.weights, "uniform", "balanced", "weights")) out.weights = WeightKind::balanced;
  if (!recipe.row_weights.empty()) {
    if (out.weights == WeightKind::balanced) {
      throw ConfigError("weights are balanced, or given by row_weights; leave one of them out");
    }
    out.weights = WeightKind::given;
    out.row_weights = recipe.row_weights;
  }

  out.folds = folds_of(recipe, rows);
  out.repeats = recipe.repeats;
  out.seed = recipe.seed;
  out.search = search_from_name(recipe.search);
  out.sigma_range = range_of(recipe.sigma_range);
  if (recipe.ridge_range) out.ridge_range = range_of(*recipe.ridge_range);
  if (recipe.folds && *recipe.folds >= 2) out.pass_folds = *recipe.folds;
  return out;
}

}  // namespace manyone::door

namespace manyone::abi_0 {

void Recipe::validate() const { for_library(*this, {}).validate(); }

}  // namespace manyone::abi_0
