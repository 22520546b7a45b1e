// SPDX-License-Identifier: Apache-2.0
#include "manyone/machine/gram.hpp"

#include <algorithm>

namespace manyone {

namespace {

/// Copies the lower triangle onto the upper one.
void mirror_lower(Matrix& K) {
  constexpr Index tile = 16;  // stays in the nearest cache, whatever the length of a row
  for (Index i = 0; i < K.rows(); i += tile) {
    for (Index j = 0; j <= i; j += tile) {
      for (Index c = j; c < std::min(K.rows(), j + tile); ++c) {
        for (Index r = std::max(i, c + 1); r < std::min(K.rows(), i + tile); ++r) K(c, r) = K(r, c);
      }
    }
  }
}

}  // namespace

Matrix Gram::full() const {
  Matrix K(rows(), rows());
  lower(K);
  mirror_lower(K);
  return K;
}

Matrix Gram::full(const std::vector<Index>& rows) const {
  Matrix K = lower(rows);
  mirror_lower(K);
  return K;
}

void FeatureGram::lower(View out) const {
  if (precomputed()) {
    out = features_.dense_rows(0, rows());
  } else {
    execution_.backend.gram_lower(kernel_, features_, out, execution_.interrupt);
  }
}

Matrix FeatureGram::lower(const std::vector<Index>& rows) const {
  if (precomputed()) return block(rows, rows);
  const auto n = static_cast<Index>(rows.size());
  Matrix out(n, n);
  execution_.backend.gram_lower(kernel_, features_.select(rows), out, execution_.interrupt);
  return out;
}

Matrix FeatureGram::block(const std::vector<Index>& rows, const std::vector<Index>& columns) const {
  Matrix out(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
  if (precomputed()) {
    for (Index r = 0; r < out.rows(); ++r)
      out.row(r) = features_.dense_rows(rows[static_cast<std::size_t>(r)], 1).row(0)(columns);
    return out;
  }
  execution_.backend.pair_statistics(kernel_.statistic(), features_.select(rows), features_.select(columns), out);
  execution_.backend.apply_kernel(kernel_, out, out);
  return out;
}

}  // namespace manyone
