// SPDX-License-Identifier: Apache-2.0
//
// Codes whose columns are pairs of classes: what votes and exports to LIBSVM read from them.
#pragma once

#include <vector>

#include "base/matrix.hpp"

namespace manyone {

/// A pair column of a code: +1 for `first`, -1 for `second`, 0 elsewhere.
struct ClassPair {
  Index first = 0;
  Index second = 0;
};

/// The pair of each column; empty unless every column is a pair and every pair of classes is there once.
std::vector<ClassPair> class_pairs(const Matrix& code);

}  // namespace manyone
