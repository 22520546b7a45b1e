// SPDX-License-Identifier: Apache-2.0
//
// The elementwise step from pair statistics to kernel values, vectorised for the processor it runs on.
#pragma once

#include <cstddef>

#include "manyone/kernel/kernel.hpp"

namespace manyone {

/// out[i] = kernel(statistic[i]); squared distances below 0 (rounding) count as 0. `out` may be `statistic`.
void map_kernel(const Kernel& kernel, const double* statistic, double* out, std::size_t count);

}  // namespace manyone
