// SPDX-License-Identifier: Apache-2.0
#include "manyone/recipe.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "base/worded.hpp"
#include "door/inside.hpp"
#include "manyone/errors.hpp"
#include "model/parameters.hpp"

namespace manyone::door {

namespace {

constexpr const char* kGiven = "given";  // what a model calls numbers that came from a program

/// What a program says, as settings of the table of parameters.
class Said {
 public:
  void value(std::string_view parameter, ParameterValue value) {
    settings_.push_back({find_parameter(parameter), std::move(value)});
  }
  template <class Number>
  void number(std::string_view parameter, const std::optional<Number>& said) {
    if (!said) return;
    if constexpr (std::is_floating_point_v<Number>) {
      value(parameter, static_cast<double>(*said));
    } else {
      value(parameter, static_cast<std::int64_t>(*said));
    }
  }
  void word(std::string_view parameter, const std::string& said) {
    if (!said.empty()) value(parameter, value_from_word(*find_parameter(parameter), said));
  }
  /// Numbers in the place of a word, which then only names them.
  void numbers(std::string_view parameter, const std::string& said, Matrix given) {
    if (given.size() == 0) return word(parameter, said);
    const bool named = !said.empty() && said != find_parameter(parameter)->standard;
    value(parameter, NamedNumbers{named ? said : kGiven, std::move(given)});
  }
  std::span<const Setting> settings() const { return settings_; }

 private:
  std::vector<Setting> settings_;
};

Vector numbers_of(const std::vector<double>& numbers) {
  return Eigen::Map<const Vector>(numbers.data(), std::ssize(numbers));
}

/// Numbers of folds or groups.
void check_ids(const std::vector<int>& ids, std::string_view parameter) {
  if (ids.empty()) return;
  const auto [least, largest] = std::ranges::minmax(ids);
  if (least >= 0 && least != largest) return;
  throw ConfigError(
      std::string(parameter),
      worded("`{}` must be counted from 0 and not all be the same, found {} to {}", parameter, least, largest),
      "number them from 0");
}

void say_folds(const abi_0::Recipe& recipe, Said& said) {
  check_ids(recipe.given_folds, "folds");
  check_ids(recipe.groups, "groups");
  if (!recipe.given_folds.empty()) {
    said.value("folds", recipe.given_folds);
  } else if (recipe.folds == 0) {
    said.value("folds", "loo");
  } else {
    said.number("folds", recipe.folds);
  }
  if (!recipe.groups.empty()) said.value("groups", recipe.groups);
}

void say_grid(const abi_0::Recipe& recipe, Said& said) {
  std::vector<GridAxis> axes;
  const auto add = [&](const char* name, const abi_0::LogRange& range) {
    axes.push_back({name, {range.low, range.high, range.step}});
  };
  if (recipe.sigma_range) add("sigma", *recipe.sigma_range);
  if (recipe.ridge_range) add("ridge", *recipe.ridge_range);
  if (!axes.empty()) said.value("grid", std::move(axes));
}

}  // namespace

Recipe for_library(const abi_0::Recipe& recipe, std::optional<Index> rows) {
  Said said;
  said.word("machine", recipe.machine);
  said.word("kernel", recipe.kernel);
  said.number("sigma", recipe.sigma);
  said.number("degree", recipe.degree);
  said.number("offset", recipe.offset);
  said.number("ridge", recipe.ridge);
  said.value("bias", recipe.bias);
  said.numbers("labelbook", recipe.labelbook, for_library(recipe.codewords));
  said.numbers("label_kernel", recipe.label_kernel, for_library(recipe.label_gram));
  said.number("length", recipe.length);
  said.word("decode", recipe.decode);
  said.numbers("priors", recipe.priors, numbers_of(recipe.class_priors));
  said.word("solver", recipe.solver);
  said.number("accuracy", recipe.accuracy);
  said.word("mkl", recipe.mkl);

  said.word("centers", recipe.centers);
  said.word("reduce", recipe.reduce);
  said.word("penalty", recipe.penalty);
  said.word("centers_from", recipe.centers_from);
  said.number("time", recipe.time);

  said.word("scale", recipe.scale);
  said.value("scale_per_fold", recipe.scale_per_fold);
  if (!recipe.row_weights.empty() && recipe.weights != find_parameter("weights")->standard) {
    throw ConfigError("weights", worded("`weights` are {}, or given by row_weights", recipe.weights),
                      "leave one of them out");
  }
  if (!find_parameter("weights")->takes_word(recipe.weights)) {
    throw ConfigError::must_be("weights", "uniform or balanced", worded("'{}'", recipe.weights).text(),
                               "leave it out for uniform ones, or give row_weights");
  }
  said.numbers("weights", recipe.weights, numbers_of(recipe.row_weights));

  say_folds(recipe, said);
  said.value("stratify", recipe.stratify);
  said.number("repeats", std::optional(recipe.repeats));
  said.number("seed", std::optional(recipe.seed));
  said.word("search", recipe.search);
  say_grid(recipe, said);
  // Without a table, as many rows as folds were given for.
  const Index many = std::numeric_limits<int>::max();
  const Index given = std::ssize(recipe.given_folds);
  return recipe_from_settings(said.settings(), rows.value_or(given > 0 ? given : many));
}

}  // namespace manyone::door

namespace manyone::abi_0 {

void Recipe::validate() const { for_library(*this, {}).validate(); }

}  // namespace manyone::abi_0
