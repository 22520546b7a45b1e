// SPDX-License-Identifier: Apache-2.0
//
// Recipe: every choice that turns a table into a model, as one value. A parameter that is not set is tuned.
// validate() says which choices do not go together; nothing that a user sets is ever silently ignored.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "manyone/data/scaling.hpp"
#include "manyone/data/splits.hpp"
#include "manyone/kernel/kernel.hpp"
#include "manyone/labelbook/labelbook.hpp"

namespace manyone {

/// Row weights of the training criterion.
enum class WeightKind {
  uniform,
  balanced,  ///< n / (L n_c): every class weighs the same
  given,     ///< one number per row
};

enum class SearchKind {
  automatic,  ///< starts from the data's own distances; a few well-placed cells
  grid,       ///< every cell of sigma x ridge
};

/// Cells 2^low .. 2^high in steps of a factor 2^step.
struct LogRange {
  double low = -4;
  double high = 4;
  double step = 1;

  std::vector<double> values() const;
};

struct Recipe {
  std::string machine = "onelsm";
  std::string labelbook = "indicator";  ///< a name or a CSV file
  KernelKind kernel = KernelKind::gaussian;
  std::optional<double> sigma;   ///< not set: tuned (kernels with a sigma)
  std::optional<int> degree;     ///< polynomial only; default 3
  std::optional<double> offset;  ///< polynomial only; default 1
  std::optional<double> ridge;   ///< not set: tuned
  bool bias = false;
  std::optional<ScalingKind> scaling;  ///< default: range; maxabs for sparse rows; none for a precomputed kernel
  WeightKind weights = WeightKind::uniform;
  std::vector<double> row_weights;  ///< WeightKind::given

  FoldPlan folds;
  int repeats = 1;
  std::uint64_t seed = 1;
  SearchKind search = SearchKind::automatic;
  LogRange sigma_range;  ///< grid only
  LogRange ridge_range;  ///< grid only

  /// Throws ConfigError that names the option and what goes with it.
  void validate() const;
  bool tuned() const { return !ridge || (has_sigma() && !sigma); }
  bool has_sigma() const { return kernel == KernelKind::gaussian || kernel == KernelKind::laplacian; }
  /// The kernel with the parameters of the recipe; `tuned_sigma` where sigma is not set.
  Kernel kernel_at(double tuned_sigma) const;
};

std::string_view name_of(SearchKind kind);
std::string_view name_of(WeightKind kind);

/// The weights of a recipe for the given rows; empty when all are 1. Throws ConfigError/InputError for weights <= 0 or
/// of the wrong number.
Vector row_weights(const Recipe& recipe, std::span<const int> labels, Index classes);

}  // namespace manyone
