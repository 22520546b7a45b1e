// SPDX-License-Identifier: Apache-2.0
#include "machine/reduced_machine.hpp"

#include <algorithm>
#include <limits>

namespace manyone {

LeadingVectors leading_vectors(const Execution& execution, Matrix symmetric, Index most) {
  Vector ascending;
  execution.backend.eigen(symmetric, ascending, execution.interrupt);
  const Index m = ascending.size();
  const double noise =
      static_cast<double>(m) * std::numeric_limits<double>::epsilon() * std::max(ascending[m - 1], 0.0);
  Index r = 0;
  while (r < std::min(most, m) && ascending[m - 1 - r] > noise) ++r;
  return {symmetric.rightCols(r).rowwise().reverse(), ascending.tail(r).reverse()};
}

Matrix whitening(const Execution& execution, Matrix penalty) {
  const Index m = penalty.rows();
  LeadingVectors leading = leading_vectors(execution, std::move(penalty), m);
  leading.vectors.array().rowwise() /= leading.values.transpose().array().sqrt();
  return std::move(leading.vectors);
}

}  // namespace manyone
