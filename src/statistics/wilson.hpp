// SPDX-License-Identifier: Apache-2.0
//
// How sure an error rate is that was counted on so many rows.
#pragma once

#include "statistics/paired.hpp"

namespace manyone {

/// 95 % interval of Wilson for a share seen in `rows` rows, more than 0. Unlike the plain one it has a width at 0 and
/// 1, and ends there.
Interval wilson(double share, long rows);

}  // namespace manyone
