// SPDX-License-Identifier: Apache-2.0
//
// Several tests at once (Holm 1979).
#pragma once

#include <span>
#include <vector>

namespace manyone {

/// Adjusted p values, in the order given: with those up to alpha called significant, the chance of one or more false
/// alarms among all is at most alpha.
std::vector<double> holm(std::span<const double> p);

}  // namespace manyone
