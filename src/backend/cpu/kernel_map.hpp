// SPDX-License-Identifier: Apache-2.0
//
// The elementwise step from pair statistics to kernel values, vectorised for the processor it runs on.
#pragma once

#include <cstddef>
#include <vector>

#include "kernel/kernel.hpp"

namespace manyone {

/// Steps of the longest formula.
inline constexpr std::size_t kMostSteps = 16;

/// exp(-rate x) as a power of two.
struct DecayRate {
  double factor;
  double correction;  ///< what `factor` has lost
  double largest;     ///< x beyond which the result is 0
};

struct MapSteps {
  std::vector<Formula::Step> steps;
  std::vector<DecayRate> rates;  ///< of each step
  double least;                  ///< smaller statistics are rounding
  bool chain;                    ///< each step needs the one before and no other
};

/// out[i] = kernel(statistic[i]); squared distances below 0 (rounding) count as 0. `out` may be `statistic`. Made once
/// for many calls.
class KernelMap {
 public:
  explicit KernelMap(const Kernel& kernel);
  void operator()(const double* statistic, double* out, std::size_t count) const;

 private:
  MapSteps map_;
};

}  // namespace manyone
