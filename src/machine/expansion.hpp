// SPDX-License-Identifier: Apache-2.0
//
// What every machine ends in: f(x) = A' k(Z, x) + b, with centres Z (m x d), coefficients A (m x q) and biases b (q).
// One prediction path serves them all.
#pragma once

#include <span>

#include "backend/backend.hpp"

namespace manyone {

struct Expansion {
  Kernel kernel;
  Features centres;     ///< Z; 0 x 0 for a precomputed kernel, whose rows are kernel values already
  Matrix coefficients;  ///< A
  Vector bias;          ///< b

  Index outputs() const { return coefficients.cols(); }
  /// Features a row must have: those of the centres, or one per centre for a precomputed kernel.
  Index features() const;
  /// f for every row: rows x q. Throws InputError when the number of features differs.
  Matrix evaluate(const Backend& backend, const Features& rows) const;
  /// Removes centres whose coefficients are all zero (but the first, where all are) and, where many of the rest are,
  /// puts the centres of a class
  /// (`labels`, one for each) side by side: they mostly serve the same outputs, and backends then leave out the others.
  /// Not for a precomputed kernel, whose columns are fixed.
  void arrange_centres(std::span<const int> labels);
};

}  // namespace manyone
