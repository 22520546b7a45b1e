// SPDX-License-Identifier: Apache-2.0
//
// From scores to classes and probabilities. Scores are one per class, larger = more likely; the class is the argmax
// with ties to the smallest index. Probabilities are a softmax with one temperature, monotone in the scores: the most
// probable class is always the predicted one (SPEC section 15).
#pragma once

#include <span>
#include <vector>

#include "base/matrix.hpp"

namespace manyone {

/// The score of a class that a fitted decoder has seen no row of.
constexpr double kNeverPredicted = -1e30;
inline bool never_predicted(double score) { return score < kNeverPredicted / 2; }

/// Class of every row of `scores` (rows x L).
std::vector<int> argmax_classes(ConstView scores);

/// argmax_classes(), and -1 for a row in which a score is not finite: its values are beyond what the model can compute
/// with.
std::vector<int> finite_classes(ConstView scores);

/// p_c ∝ exp(s_c / T) for every row. T > 0.
Matrix softmax(ConstView scores, double temperature);

/// Mean negative log probability of the true classes, over the rows whose class their decoder may predict.
double log_loss(ConstView scores, std::span<const int> labels, double temperature);

/// The temperature that minimises the log loss of held-out scores (convex in 1/T; safeguarded Newton). Of scores
/// without an error every smaller temperature has less loss: as many rows are then taken to go to the runner-up as
/// Laplace's rule of succession says, one in n + 2. Rows of classes that their decoder never predicts are left out.
double calibrate_temperature(ConstView scores, std::span<const int> labels);

}  // namespace manyone
