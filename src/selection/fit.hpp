// SPDX-License-Identifier: Apache-2.0
//
// fit(): tunes what a recipe leaves open, trains on all rows, calibrates the probabilities.
#pragma once

#include <optional>

#include "selection/tune.hpp"

namespace manyone {

struct Fit {
  Model classifier;
  std::optional<Tuning> tuning;  ///< nothing when all parameters were given
  double solve_seconds = 0;
};

/// What an interrupt during the search leads to.
enum class WhenInterrupted {
  stop,       ///< Interrupted is thrown
  keep_best,  ///< the model is trained with the best parameters so far; Interrupted only if there are none
};

/// Throws Interrupted when interrupted; otherwise as its parts.
Fit fit(const Execution& execution, const Plan& plan, WhenInterrupted when_interrupted = WhenInterrupted::stop);
Fit fit(const Execution& execution, const RowSource& table, const Recipe& recipe = {}, PlanWishes wishes = {});
Fit fit(const Execution& execution, const Dataset& data, const Recipe& recipe = {}, PlanWishes wishes = {});

}  // namespace manyone
