// SPDX-License-Identifier: Apache-2.0
#include "manyone/model/recipe.hpp"

#include <cmath>

#include <fmt/format.h>

#include "manyone/base/errors.hpp"
#include "manyone/base/numbers.hpp"
#include "manyone/machine/machines.hpp"

namespace manyone {

namespace {

void require_positive(const std::optional<double>& value, std::string_view name) {
  if (value && !(*value > 0 && std::isfinite(*value))) {
    throw ConfigError(fmt::format("{} must be a number above 0 or auto, found {}", name, format_double(*value)));
  }
}

void check_range(const LogRange& range, std::string_view name) {
  if (!std::isfinite(range.low) || !std::isfinite(range.high) || !(range.step > 0) || range.low > range.high ||
      range.low < -60 || range.high > 60) {
    throw ConfigError(
        fmt::format("the grid of {} must be low:high or low:high:step in powers of two within -60..60", name));
  }
  if ((range.high - range.low) / range.step > 1000)
    throw ConfigError(fmt::format("the grid of {} has over 1000 values", name));
}

}  // namespace

std::vector<double> LogRange::values() const {
  std::vector<double> out;
  // Half a step of slack, so that rounding never loses the last value.
  for (int k = 0; low + k * step <= high + 1e-9 * step; ++k) out.push_back(std::exp2(low + k * step));
  return out;
}

void Recipe::validate() const {
  machine_from_name(machine);
  require_positive(sigma, "sigma");
  require_positive(ridge, "ridge");
  const std::string_view kernel_name = name_of(kernel);
  if (sigma && !has_sigma()) {
    throw ConfigError(
        fmt::format("the {} kernel has no sigma; leave --sigma out, or use gaussian or laplacian", kernel_name));
  }
  if ((degree || offset) && kernel != KernelKind::polynomial) {
    throw ConfigError(
        fmt::format("the {} kernel has no degree or offset; they go with --kernel polynomial", kernel_name));
  }
  if (kernel == KernelKind::precomputed && scaling && *scaling != ScalingKind::none) {
    throw ConfigError("a precomputed kernel cannot be scaled; leave --scale out or use --scale none");
  }
  kernel_at(1).validate();
  if (repeats < 1 || repeats > 10000) throw ConfigError(fmt::format("repeats must be 1 to 10000, found {}", repeats));
  if (repeats > 1 && (folds.leave_one_out() || !folds.given.empty())) {
    throw ConfigError("repeats need random folds; with loo or given folds every repeat would be the same");
  }
  if (folds.given.empty() && folds.count != 0 && folds.count < 2) {
    throw ConfigError(fmt::format("folds must be 2 or more, loo or a file, found {}", folds.count));
  }
  check_range(sigma_range, "sigma");
  check_range(ridge_range, "ridge");
}

Kernel Recipe::kernel_at(double tuned_sigma) const {
  Kernel out;
  out.kind = kernel;
  out.sigma = has_sigma() ? sigma.value_or(tuned_sigma) : 1;
  out.degree = degree.value_or(out.degree);
  out.offset = offset.value_or(out.offset);
  return out;
}

std::string_view name_of(SearchKind kind) { return kind == SearchKind::grid ? "grid" : "auto"; }

std::string_view name_of(WeightKind kind) {
  switch (kind) {
    case WeightKind::uniform: return "uniform";
    case WeightKind::balanced: return "balanced";
    case WeightKind::given: break;
  }
  return "given";
}

Vector row_weights(const Recipe& recipe, std::span<const int> labels, Index classes) {
  const auto n = static_cast<Index>(labels.size());
  if (recipe.weights == WeightKind::uniform) return {};
  Vector weights(n);
  if (recipe.weights == WeightKind::balanced) {
    Vector count = Vector::Zero(classes);
    for (const int label : labels) count[label] += 1;
    for (Index i = 0; i < n; ++i) {
      weights[i] = static_cast<double>(n) / (static_cast<double>(classes) * count[labels[static_cast<std::size_t>(i)]]);
    }
    return weights;
  }
  if (static_cast<Index>(recipe.row_weights.size()) != n) {
    throw InputError(
        fmt::format("expected one weight for each of the {} rows, found {}", n, recipe.row_weights.size()));
  }
  for (Index i = 0; i < n; ++i) {
    weights[i] = recipe.row_weights[static_cast<std::size_t>(i)];
    if (!(weights[i] > 0 && std::isfinite(weights[i]))) {
      throw InputError(fmt::format("row weights must be above 0; row {} has {} (leave rows of weight 0 out)", i + 1,
                                   format_double(weights[i])));
    }
  }
  return weights;
}

}  // namespace manyone
