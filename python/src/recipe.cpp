// SPDX-License-Identifier: Apache-2.0
#include "python/src/recipe.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "manyone/base/errors.hpp"
#include "python/src/errors.hpp"

namespace manyone::python {

namespace py = pybind11;

namespace {

std::string shown(const py::handle& value) { return py::repr(value).cast<std::string>(); }

[[noreturn]] void refuse(const std::string& name, const char* expected, const py::handle& value) {
  throw ConfigError(fmt::format("{} must be {}, found {}", name, expected, shown(value)));
}

/// One parameter, with its name for messages.
struct Parameter {
  std::string name;
  py::handle value;

  bool boolean() const {
    // numpy's bool_ is no Python bool; both are taken, numbers are not.
    if (!py::isinstance<py::bool_>(value) &&
        shown(py::type::of(value).attr("__name__")).find("bool") == std::string::npos) {
      refuse(name, "True or False", value);
    }
    return value.cast<bool>();
  }
  double number(const char* expected = "a number") const {
    if (py::isinstance<py::str>(value) || py::isinstance<py::bool_>(value) || PyNumber_Check(value.ptr()) == 0) {
      refuse(name, expected, value);
    }
    return py::float_(py::reinterpret_borrow<py::object>(value)).cast<double>();
  }
  std::int64_t integer() const {
    const double out = number("an integer");
    if (out != std::floor(out) || !(std::abs(out) < 9e15)) refuse(name, "an integer", value);
    return static_cast<std::int64_t>(out);
  }
  std::string text() const {
    if (!py::isinstance<py::str>(value)) refuse(name, "text", value);
    return value.cast<std::string>();
  }
  /// Numbers of the caller's, where text would be the name of a book or a file.
  bool numbers() const { return py::isinstance<py::array>(value); }
  Matrix matrix() const {
    const auto array = value.cast<py::array_t<double, py::array::c_style | py::array::forcecast>>();
    if (array.ndim() != 2) refuse(name, "text or an array with two dimensions", value);
    return Eigen::Map<const Matrix>(array.data(), array.shape(0), array.shape(1));
  }
  std::optional<double> number_or_auto() const {
    if (py::isinstance<py::str>(value) && text() == "auto") return std::nullopt;
    const double out = number("a number above 0 or 'auto'");
    if (!(out > 0) || !std::isfinite(out)) refuse(name, "a number above 0 or 'auto'", value);
    return out;
  }
};

/// {"sigma": (-4, 4), "ridge": (-8, 2, 0.5)}: low, high[, step] as powers of two.
void set_grid(const Parameter& grid, Recipe& recipe) {
  if (!py::isinstance<py::dict>(grid.value)) {
    refuse("grid", "a dict such as {'sigma': (-4, 4), 'ridge': (-8, 2)}", grid.value);
  }
  for (const auto& [key, range] : py::reinterpret_borrow<py::dict>(grid.value)) {
    const std::string axis = Parameter{"grid", key}.text();
    std::vector<double> numbers;
    try {
      numbers = range.cast<std::vector<double>>();
    } catch (const py::cast_error&) {
      refuse("grid", "low, high and perhaps a step for each axis", range);
    }
    if (numbers.size() < 2 || numbers.size() > 3) refuse("grid", "low, high and perhaps a step for each axis", range);
    const double step = numbers.size() == 3 ? numbers[2] : 1;
    if (axis == "sigma" && recipe.has_sigma() && !recipe.sigma) {
      recipe.sigma_range = {numbers[0], numbers[1], step};
    } else if (axis == "ridge" && !recipe.ridge) {
      recipe.ridge_range = {numbers[0], numbers[1], step};
    } else if (axis == "cost" && !recipe.ridge) {
      recipe.ridge_range = {-numbers[1], -numbers[0], step};
    } else {
      throw ConfigError(fmt::format(
          "grid has axes sigma and ridge (or cost) that are 'auto' and belong to the kernel, found {}", shown(key)));
    }
  }
}

void set_folds(const Parameter& folds, Index rows, Recipe& recipe) {
  FoldPlan& plan = recipe.folds;
  if (py::isinstance<py::str>(folds.value)) {
    if (folds.text() != "loo") refuse("folds", "a number, 'loo' or an array with a fold for each row", folds.value);
    plan.count = 0;
  } else if (py::isinstance<py::array>(folds.value)) {
    plan.given = folds.value.cast<std::vector<int>>();
    if (std::ssize(plan.given) != rows) {
      throw ConfigError(
          fmt::format("folds must have an entry for each of the {} rows, found {}", rows, plan.given.size()));
    }
  } else {
    plan.count = static_cast<int>(std::clamp<std::int64_t>(folds.integer(), 1, 1'000'000'000));
    if (plan.count > rows) {
      throw ConfigError(
          fmt::format("folds={} needs as many rows, found {}; use fewer folds or 'loo'", plan.count, rows));
    }
    recipe.pass_folds = std::max(2, plan.count);
  }
}

/// Random folds of groups, or with "loo" each group as a fold. `counted`: the number of folds was asked for.
void keep_together(std::vector<int> groups, bool counted, FoldPlan& plan) {
  const int count = 1 + *std::max_element(groups.begin(), groups.end());
  if (plan.leave_one_out()) {
    plan.given = std::move(groups);
    return;
  }
  if (counted && plan.count > count) {
    throw ConfigError(
        fmt::format("folds={} needs as many groups, found {}; use fewer folds or 'loo'", plan.count, count));
  }
  plan.count = std::min(plan.count, count);
  plan.groups = std::move(groups);
}

void set_decoder(const Parameter& decode, Recipe& recipe) {
  const DecoderChoice choice = decoder_choice(decode.text());
  recipe.decode = choice.entry;
  recipe.decode_cost = choice.cost;
}

void set_weights(const Parameter& weights, Recipe& recipe) {
  if (py::isinstance<py::str>(weights.value)) {
    if (weights.text() != "balanced") refuse("weights", "'balanced' or an array", weights.value);
    recipe.weights = WeightKind::balanced;
    return;
  }
  recipe.weights = WeightKind::given;
  recipe.row_weights = weights.value.cast<std::vector<double>>();
}

SolverKind solver_from_name(const Parameter& solver) {
  const std::string name = solver.text();
  if (name == "direct") return SolverKind::direct;
  if (name == "cg") return SolverKind::iterative;
  if (name != "auto") refuse("solver", "'auto', 'direct' or 'cg'", solver.value);
  return SolverKind::automatic;
}

LabelLearning learning_from_name(const Parameter& mkl) {
  const std::string name = mkl.text();
  if (name != "published" && name != "simplex") refuse("mkl", "'published' or 'simplex'", mkl.value);
  return name == "simplex" ? LabelLearning::simplex : LabelLearning::published;
}

bool stay_centres(const Parameter& from) {
  const std::string name = from.text();
  if (name != "training" && name != "all") refuse("centers_from", "'training' or 'all'", from.value);
  return name == "all";
}

using Set = void (*)(const Parameter&, Recipe&);

/// Parameters that stand for themselves; those that need others or the rows are set in recipe_from().
const std::map<std::string, Set>& setters() {
  static const std::map<std::string, Set> all = {
      {"machine", [](const Parameter& p, Recipe& r) { r.machine = p.text(); }},
      {"labelbook",
       [](const Parameter& p, Recipe& r) {
         if (p.numbers()) r.codewords = p.matrix();
         r.labelbook = p.numbers() ? kGiven : p.text();
       }},
      {"label_kernel",
       [](const Parameter& p, Recipe& r) {
         if (p.numbers()) r.label_gram = p.matrix();
         r.label_kernel = p.numbers() ? kGiven : p.text();
       }},
      {"decode", [](const Parameter& p, Recipe& r) { set_decoder(p, r); }},
      {"length", [](const Parameter& p, Recipe& r) { r.code_length = p.integer(); }},
      {"kernel", [](const Parameter& p, Recipe& r) { r.kernel = &kernel_from_name(p.text()); }},
      {"sigma", [](const Parameter& p, Recipe& r) { r.sigma = p.number_or_auto(); }},
      {"degree", [](const Parameter& p, Recipe& r) { r.degree = static_cast<int>(p.integer()); }},
      {"offset", [](const Parameter& p, Recipe& r) { r.offset = p.number(); }},
      {"bias", [](const Parameter& p, Recipe& r) { r.bias = p.boolean(); }},
      {"solver", [](const Parameter& p, Recipe& r) { r.solver.kind = solver_from_name(p); }},
      {"accuracy", [](const Parameter& p, Recipe& r) { r.solver.accuracy = p.number(); }},
      {"mkl", [](const Parameter& p, Recipe& r) { r.solver.learning = learning_from_name(p); }},
      {"centers", [](const Parameter& p, Recipe& r) { r.reduction.centres = p.text(); }},
      {"centers_from", [](const Parameter& p, Recipe& r) { r.reduction.centres_from_all = stay_centres(p); }},
      {"reduce", [](const Parameter& p, Recipe& r) { r.reduction.kind = reduce_from_name(p.text()); }},
      {"penalty", [](const Parameter& p, Recipe& r) { r.reduction.penalty = penalty_from_name(p.text()); }},
      {"priors",
       [](const Parameter& p, Recipe& r) {
         if (p.numbers()) r.class_priors = p.matrix().reshaped();
         r.priors = p.numbers() ? kGiven : p.text();
       }},
      {"scale", [](const Parameter& p, Recipe& r) { r.scaling = scaling_from_name(p.text()); }},
      {"scale_per_fold", [](const Parameter& p, Recipe& r) { r.scale_per_fold = p.boolean(); }},
      {"weights", [](const Parameter& p, Recipe& r) { set_weights(p, r); }},
      {"repeats", [](const Parameter& p, Recipe& r) { r.repeats = static_cast<int>(p.integer()); }},
      {"stratify", [](const Parameter& p, Recipe& r) { r.folds.stratified = p.boolean(); }},
      {"seed", [](const Parameter& p, Recipe& r) { r.seed = static_cast<std::uint64_t>(p.integer()); }},
      {"search", [](const Parameter& p, Recipe& r) { r.search = search_from_name(p.text()); }},
  };
  return all;
}

}  // namespace

Recipe recipe_from(const py::dict& parameters, Index rows, std::vector<int> groups) {
  Recipe out;
  std::map<std::string, Parameter> later;
  for (const auto& [key, value] : parameters) {
    Parameter parameter{key.cast<std::string>(), value};
    if (value.is_none()) continue;
    const auto setter = setters().find(parameter.name);
    if (setter != setters().end()) {
      setter->second(parameter, out);
    } else if (parameter.name == "ridge" || parameter.name == "cost" || parameter.name == "grid" ||
               parameter.name == "folds") {
      later.emplace(parameter.name, parameter);
    } else {
      throw ConfigError(fmt::format("parameter '{}' is not known", parameter.name));
    }
  }
  if (later.contains("ridge")) out.ridge = later.at("ridge").number_or_auto();
  if (later.contains("cost")) {
    if (const auto cost = later.at("cost").number_or_auto()) {
      if (out.ridge) throw ConfigError("cost is 1/ridge: give one of them");
      out.ridge = 1 / *cost;
    }
  }
  const bool searched = out.search != SearchKind::automatic || later.contains("grid");
  if (!out.tuned() && searched) {
    throw ConfigError("all parameters are given, so there is nothing to search; leave search and grid out");
  }
  if (later.contains("grid")) {
    if (out.search == SearchKind::greedy) throw ConfigError("search='greedy' has no ranges; leave grid out");
    if (out.search == SearchKind::automatic) out.search = SearchKind::grid;
    set_grid(later.at("grid"), out);
  }
  out.folds.count = static_cast<int>(std::min<Index>(out.folds.count, rows));
  if (later.contains("folds")) set_folds(later.at("folds"), rows, out);
  if (!groups.empty()) keep_together(std::move(groups), later.contains("folds"), out.folds);
  if (out.folds.stratified && (out.folds.count == 0 || !out.folds.given.empty())) {
    throw ConfigError("stratify needs random folds; leave it out with 'loo' or given folds");
  }
  out.validate();
  return out;
}

}  // namespace manyone::python
