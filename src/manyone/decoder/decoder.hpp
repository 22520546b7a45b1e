// SPDX-License-Identifier: Apache-2.0
//
// From scores to classes and probabilities. Scores are one per class, larger = more likely; the class is the argmax
// with ties to the smallest index. Probabilities are a softmax with one temperature, monotone in the scores: the most
// probable class is always the predicted one (SPEC section 15).
#pragma once

#include <span>
#include <vector>

#include "manyone/base/matrix.hpp"

namespace manyone {

/// Class of every row of `scores` (rows x L).
std::vector<int> argmax_classes(ConstView scores);

/// p_c ∝ exp(s_c / T) for every row. T > 0.
Matrix softmax(ConstView scores, double temperature);

/// Mean negative log probability of the true classes.
double log_loss(ConstView scores, std::span<const int> labels, double temperature);

/// The temperature that minimises the log loss of held-out scores (convex in 1/T; safeguarded Newton).
double calibrate_temperature(ConstView scores, std::span<const int> labels);

}  // namespace manyone
