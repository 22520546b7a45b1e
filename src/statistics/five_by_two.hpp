// SPDX-License-Identifier: Apache-2.0
//
// The combined 5x2cv F test (Alpaydin 1999; SPEC section 10): two classifiers are trained on each half of five random
// halvings of the rows and tested on the other half.
#pragma once

#include <array>

#include "statistics/paired.hpp"

namespace manyone {

/// err(A) - err(B) on the two halves of five halvings.
using HalvedDifferences = std::array<std::array<double, 2>, 5>;

/// The mean of the ten; f, which is F(10, 5) when both are equally good (0 when there is no difference anywhere); the
/// interval holds the differences that the test would not refuse at this confidence.
TestedDifference five_by_two(const HalvedDifferences& differences, double confidence = 0.95);

}  // namespace manyone
