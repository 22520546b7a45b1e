// SPDX-License-Identifier: Apache-2.0
//
// Products whose inner index is short: rows of few features times others. A general GEMM spends much of its time here
// on clearing, packing and reading again what it writes: with 9 features it took half as long again.
#pragma once

#include "base/matrix.hpp"

namespace manyone {

/// Inner lengths up to which this is used.
inline constexpr Index kNarrow = 40;

/// out = A B for a `rows` x `inner` A without gaps; B and out have `columns` columns and row strides of their own.
/// Every value is summed in the order of its inner index, wherever it stands.
void narrow_multiply(const double* A, Index rows, Index inner, const double* B, Index columns, Index stride_b,
                     double* out, Index stride_out);

}  // namespace manyone
