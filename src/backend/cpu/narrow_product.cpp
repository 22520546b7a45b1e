// SPDX-License-Identifier: Apache-2.0
#include "backend/cpu/narrow_product.hpp"

#include <algorithm>

// Highway compiles the block below once per instruction set and picks one at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/narrow_product.cpp"
// foreach_target must come first
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace manyone::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using Lanes = hn::Vec<Tag>;
constexpr auto kLanes = static_cast<Index>(hn::MaxLanes(Tag()));
// Sums in registers: 6 x 4 of 32 wide ones, 4 x 2 of 16 narrow ones.
constexpr int kVectors = kLanes >= 8 ? 4 : 2;
constexpr int kRows = kLanes >= 8 ? 6 : 4;

/// Rows of A times V vectors of B.
template <int R, int V>
HWY_ATTR HWY_INLINE void multiply_block(const double* A, Index inner, const double* B, Index stride_b, double* out,
                                        Index stride_out) {
  const Tag tag;
  Lanes sums[R][V];
  for (int r = 0; r < R; ++r) {
    for (int v = 0; v < V; ++v) sums[r][v] = hn::Zero(tag);
  }
  for (Index k = 0; k < inner; ++k) {
    Lanes b[V];
    for (int v = 0; v < V; ++v) b[v] = hn::LoadU(tag, B + k * stride_b + v * kLanes);
    for (int r = 0; r < R; ++r) {
      const Lanes a = hn::Set(tag, A[r * inner + k]);
      for (int v = 0; v < V; ++v) sums[r][v] = hn::MulAdd(a, b[v], sums[r][v]);
    }
  }
  for (int r = 0; r < R; ++r) {
    for (int v = 0; v < V; ++v) hn::StoreU(sums[r][v], tag, out + r * stride_out + v * kLanes);
  }
}

/// All rows of A times V vectors of B.
template <int V>
HWY_ATTR void multiply_strip(const double* A, Index rows, Index inner, const double* B, Index stride_b, double* out,
                             Index stride_out) {
  Index i = 0;
  for (; i + kRows <= rows; i += kRows)
    multiply_block<kRows, V>(A + i * inner, inner, B, stride_b, out + i * stride_out, stride_out);
  for (; i < rows; ++i) multiply_block<1, V>(A + i * inner, inner, B, stride_b, out + i * stride_out, stride_out);
}

HWY_ATTR void multiply(const double* A, Index rows, Index inner, const double* B, Index columns, Index stride_b,
                       double* out, Index stride_out) {
  constexpr Index wide = kVectors * kLanes;
  Index j = 0;
  for (; j + wide <= columns; j += wide) multiply_strip<kVectors>(A, rows, inner, B + j, stride_b, out + j, stride_out);
  for (; j + kLanes <= columns; j += kLanes) multiply_strip<1>(A, rows, inner, B + j, stride_b, out + j, stride_out);
  const hn::CappedTag<double, 1> one;
  for (; j < columns; ++j) {  // fused as in the vectors
    for (Index i = 0; i < rows; ++i) {
      auto sum = hn::Zero(one);
      for (Index k = 0; k < inner; ++k)
        sum = hn::MulAdd(hn::LoadU(one, A + i * inner + k), hn::LoadU(one, B + k * stride_b + j), sum);
      hn::StoreU(sum, one, out + i * stride_out + j);
    }
  }
}

}  // namespace manyone::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "backend/cpu/dispatch.hpp"

namespace manyone {

void narrow_multiply(const double* A, Index rows, Index inner, const double* B, Index columns, Index stride_b,
                     double* out, Index stride_out) {
  MANYONE_DISPATCH(multiply)(A, rows, inner, B, columns, stride_b, out, stride_out);
}

}  // namespace manyone
#endif  // HWY_ONCE
