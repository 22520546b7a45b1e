// SPDX-License-Identifier: Apache-2.0
//
// The t test for repeated cross-validation (Nadeau and Bengio 2003): training parts overlap, so the variance of the
// mean difference is larger than that of independent ones by the share of rows that are tested.
#pragma once

#include <span>

#include "statistics/paired.hpp"

namespace manyone {

/// `differences`: err(A) - err(B) on every fold, two or more. `test_share`: rows tested over rows trained on, in a
/// fold.
/// Two-sided.
TestedDifference resampled_t(std::span<const double> differences, double test_share, double confidence = 0.95);

}  // namespace manyone
