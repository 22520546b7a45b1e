// SPDX-License-Identifier: Apache-2.0
#include "manyone/backend/cpu/thin_product.hpp"

#include <algorithm>

// Highway compiles the block below once per instruction set and picks one at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "manyone/backend/cpu/thin_product.cpp"
// foreach_target must come first
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace manyone::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
// At most 8 doubles, so that a padded row is a whole number of vectors.
using Tag = hn::CappedTag<double, 8>;
using Lanes = hn::Vec<Tag>;
constexpr int kLanes = static_cast<int>(hn::MaxLanes(Tag()));
// Wide registers come with 32 of them, which hold 6 x 4 sums; narrow ones with 16: 4 x 2.
constexpr int kRows = kLanes >= 8 ? 6 : 4;
constexpr int kVectors = kLanes >= 8 ? 4 : 2;

/// out(0..R-1, 0..V vectors) += K A over `width` rows of A.
template <int R, int V>
HWY_ATTR void accumulate_block(const double* K, Index width, Index stride, const double* A, Index padded, double* out) {
  const Tag tag;
  Lanes sums[R][V];
  for (int r = 0; r < R; ++r) {
    for (int v = 0; v < V; ++v) sums[r][v] = hn::LoadU(tag, out + r * padded + v * kLanes);
  }
  for (Index j = 0; j < width; ++j) {
    Lanes a[V];
    for (int v = 0; v < V; ++v) a[v] = hn::LoadU(tag, A + j * padded + v * kLanes);
    for (int r = 0; r < R; ++r) {
      const Lanes value = hn::Set(tag, K[r * stride + j]);
      for (int v = 0; v < V; ++v) sums[r][v] = hn::MulAdd(value, a[v], sums[r][v]);
    }
  }
  for (int r = 0; r < R; ++r) {
    for (int v = 0; v < V; ++v) hn::StoreU(sums[r][v], tag, out + r * padded + v * kLanes);
  }
}

/// A strip of V vectors of columns, all rows.
template <int V>
HWY_ATTR void accumulate_strip(const double* K, Index rows, Index width, Index stride, const double* A, Index padded,
                               double* out) {
  Index i = 0;
  for (; i + kRows <= rows; i += kRows) {
    accumulate_block<kRows, V>(K + i * stride, width, stride, A, padded, out + i * padded);
  }
  for (; i < rows; ++i) accumulate_block<1, V>(K + i * stride, width, stride, A, padded, out + i * padded);
}

HWY_ATTR void accumulate(const double* K, Index rows, Index width, Index stride, const double* A, Index padded,
                         double* out) {
  for (Index c = 0; c < padded;) {
    const Index left = (padded - c) / kLanes;
    const int vectors = static_cast<int>(std::min<Index>(left, kVectors));
    switch (vectors) {
      case 4: accumulate_strip<std::min(4, kVectors)>(K, rows, width, stride, A + c, padded, out + c); break;
      case 3: accumulate_strip<std::min(3, kVectors)>(K, rows, width, stride, A + c, padded, out + c); break;
      case 2: accumulate_strip<2>(K, rows, width, stride, A + c, padded, out + c); break;
      default: accumulate_strip<1>(K, rows, width, stride, A + c, padded, out + c); break;
    }
    c += vectors * kLanes;
  }
}

}  // namespace manyone::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace manyone {

HWY_EXPORT(accumulate);

void thin_accumulate(const double* K, Index rows, Index width, Index stride, const double* A, Index padded,
                     double* out) {
  HWY_DYNAMIC_DISPATCH(accumulate)(K, rows, width, stride, A, padded, out);
}

}  // namespace manyone
#endif  // HWY_ONCE
