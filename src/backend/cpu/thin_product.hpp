// SPDX-License-Identifier: Apache-2.0
//
// Kernel values times a few outputs. A general GEMM loses much of its time to copying here: for 26
// outputs on AVX-512 it took 0.17 s where this takes 0.12 s.
#pragma once

#include <span>

#include "base/matrix.hpp"

namespace manyone {

/// Outputs up to which this is used; OpenBLAS nears its peak with wider ones.
inline constexpr Index kThin = 40;
/// Rows of A and of what is computed are padded to a multiple of this.
template <class Scalar>
inline constexpr Index kGroup = 64 / static_cast<Index>(sizeof(Scalar));

/// out(r, :) += K(r, :) A for `rows` x `width` kernel values with row stride `stride`; A and out have `padded` columns,
/// a multiple of kGroup. `transposed`: K is stored as a `width` x `rows` matrix. Every output is summed in the order of
/// its inner index, wherever its row stands in a tile.
void thin_accumulate(const double* K, bool transposed, Index rows, Index width, Index stride, const double* A,
                     Index padded, double* out);
/// thin_accumulate() in single precision, the terms of one call added up before they go to `out`.
void thin_accumulate(const float* K, bool transposed, Index rows, Index width, Index stride, const float* A,
                     Index padded, float* out);

/// A coefficient that is not 0.
struct Entry {
  Index row = 0;
  Index column = 0;
  double value = 0;
};

/// out(column, :) += value K(row, :) for every entry, in their order; fastest where those of a column follow each
/// other. Rows of K have `width` numbers without gaps, those of out the stride `stride`.
void scattered_accumulate(std::span<const Entry> entries, const double* K, Index width, double* out, Index stride);

/// Sum of x[i] y[i], in an order that depends on `count` alone.
double dot(const double* x, const double* y, Index count);

}  // namespace manyone
