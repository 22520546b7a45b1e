// SPDX-License-Identifier: Apache-2.0
//
// Rows for programs that measure time: their values do not matter, only that they differ and are the same in every run.
#pragma once

#include <random>

#include "base/matrix.hpp"

namespace manyone::bench {

/// n x d numbers in -1..1.
inline Matrix sample_rows(Index n, Index d, unsigned seed = 1) {
  std::minstd_rand stream(seed);
  Matrix out(n, d);
  for (Index k = 0; k < out.size(); ++k) {
    out.data()[k] = 2.0 * static_cast<double>(stream()) / static_cast<double>(std::minstd_rand::max()) - 1;
  }
  return out;
}

}  // namespace manyone::bench
