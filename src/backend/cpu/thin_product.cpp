// SPDX-License-Identifier: Apache-2.0
#include "backend/cpu/thin_product.hpp"

#include <algorithm>

// Highway compiles the block below once per instruction set and picks one at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/thin_product.cpp"
// foreach_target must come first
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/cache_control.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace manyone::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
// At most 64 bytes, so that a padded row is a whole number of vectors.
template <class T>
using Tag = hn::CappedTag<T, 64 / sizeof(T)>;
template <class T>
using Lanes = hn::Vec<Tag<T>>;
template <class T>
constexpr auto kLanes = static_cast<Index>(hn::MaxLanes(Tag<T>()));
// Wide registers come with 32 of them, which hold 6 x 4 or 12 x 2 sums; narrow ones with 16: 4 x 2.
constexpr bool kWide = kLanes<double> >= 8;
constexpr int kVectors = kWide ? 4 : 2;
// Single precision adds up the terms of a call on their own: the rounding of a long sum grows with the root of its
// length.
template <class T>
constexpr bool kSingle = sizeof(T) == sizeof(float);
constexpr int rows_with(int vectors) { return !kWide ? 4 : vectors > 2 ? 6 : 12; }

/// K(r, j) is at values[r * row + j * inner]. Strides that are known beforehand (not 0) leave more registers to the
/// rest.
template <class T, Index kRow = 0, Index kInner = 0>
struct Strided {
  const T* values;
  Index row_;
  Index inner_;
  constexpr Index row() const { return kRow != 0 ? kRow : row_; }
  constexpr Index inner() const { return kInner != 0 ? kInner : inner_; }
};
// The stride of the tiles and panels that solve/ keeps in single precision; others take the general path.
constexpr Index kTileStride = 256;

/// Asks for what the next R rows will read where these read column j. In single precision K comes from memory, and the
/// processor's own prefetching does not follow R rows side by side; in double precision it is a tile just made.
template <int R, class Values, class T>
HWY_ATTR HWY_INLINE void prefetch_next(const Values& K, const T* column, Index j) {
  constexpr Index line = 64 / sizeof(T);
  if (K.inner() != 1) {
    hwy::Prefetch(column + (2 * R - 1) * K.row());
  } else if (j % line == 0) {
    for (int r = R; r < 2 * R; ++r) hwy::Prefetch(column + r * K.row());
  }
}

/// out(0..R-1, 0..V vectors) += K A over `width` rows of A.
template <int R, int V, class Values, class T>
HWY_ATTR void accumulate_block(const Values& K, Index width, const T* A, Index padded, T* out) {
  const Tag<T> tag;
  Lanes<T> sums[R][V];
  for (int r = 0; r < R; ++r) {
    for (int v = 0; v < V; ++v)
      sums[r][v] = kSingle<T> ? hn::Zero(tag) : hn::LoadU(tag, out + r * padded + v * kLanes<T>);
  }
  for (Index j = 0; j < width; ++j) {
    Lanes<T> a[V];
    for (int v = 0; v < V; ++v) a[v] = hn::LoadU(tag, A + j * padded + v * kLanes<T>);
    const T* column = K.values + j * K.inner();
    if constexpr (kSingle<T>) prefetch_next<R>(K, column, j);
    for (int r = 0; r < R; ++r) {
      const Lanes<T> value = hn::Set(tag, column[r * K.row()]);
      for (int v = 0; v < V; ++v) sums[r][v] = hn::MulAdd(value, a[v], sums[r][v]);
    }
  }
  for (int r = 0; r < R; ++r) {
    for (int v = 0; v < V; ++v) {
      T* at = out + r * padded + v * kLanes<T>;
      hn::StoreU(kSingle<T> ? hn::Add(hn::LoadU(tag, at), sums[r][v]) : sums[r][v], tag, at);
    }
  }
}

/// A strip of V vectors of columns, all rows.
template <int V, class Values, class T>
HWY_ATTR void accumulate_strip(Values K, Index rows, Index width, const T* A, Index padded, T* out) {
  constexpr int R = rows_with(V);
  Index i = 0;
  for (; i + R <= rows; i += R, K.values += R * K.row()) {
    accumulate_block<R, V>(K, width, A, padded, out + i * padded);
  }
  for (; i + 4 <= rows; i += 4, K.values += 4 * K.row()) accumulate_block<4, V>(K, width, A, padded, out + i * padded);
  for (; i < rows; ++i, K.values += K.row()) accumulate_block<1, V>(K, width, A, padded, out + i * padded);
}

template <class Values, class T>
HWY_ATTR void accumulate(const Values& K, Index rows, Index width, const T* A, Index padded, T* out) {
  for (Index c = 0; c < padded;) {
    const Index left = (padded - c) / kLanes<T>;
    const int vectors = static_cast<int>(std::min<Index>(left, kVectors));
    switch (vectors) {
      case 4: accumulate_strip<std::min(4, kVectors)>(K, rows, width, A + c, padded, out + c); break;
      case 3: accumulate_strip<std::min(3, kVectors)>(K, rows, width, A + c, padded, out + c); break;
      case 2: accumulate_strip<2>(K, rows, width, A + c, padded, out + c); break;
      default: accumulate_strip<1>(K, rows, width, A + c, padded, out + c); break;
    }
    c += vectors * kLanes<T>;
  }
}

HWY_ATTR void accumulate_double(const double* K, Index row, Index inner, Index rows, Index width, const double* A,
                                Index padded, double* out) {
  accumulate(Strided<double>{K, row, inner}, rows, width, A, padded, out);
}

HWY_ATTR void accumulate_float(const float* K, Index row, Index inner, Index rows, Index width, const float* A,
                               Index padded, float* out) {
  if (row == kTileStride && inner == 1) {
    accumulate(Strided<float, kTileStride, 1>{K, row, inner}, rows, width, A, padded, out);
  } else if (row == 1 && inner == kTileStride) {
    accumulate(Strided<float, 1, kTileStride>{K, row, inner}, rows, width, A, padded, out);
  } else {
    accumulate(Strided<float>{K, row, inner}, rows, width, A, padded, out);
  }
}

/// One run of entries of the same column, on V vectors of the rows of K.
template <int V>
HWY_ATTR HWY_INLINE void add_run(std::span<const Entry> run, const double* K, Index width, double* to) {
  const Tag<double> tag;
  Lanes<double> sums[V];
  for (int v = 0; v < V; ++v) sums[v] = hn::LoadU(tag, to + v * kLanes<double>);
  for (const Entry& entry : run) {
    const double* from = K + entry.row * width;
    const auto value = hn::Set(tag, entry.value);
    for (int v = 0; v < V; ++v) sums[v] = hn::MulAdd(value, hn::LoadU(tag, from + v * kLanes<double>), sums[v]);
  }
  for (int v = 0; v < V; ++v) hn::StoreU(sums[v], tag, to + v * kLanes<double>);
}

HWY_ATTR void accumulate_scattered(std::span<const Entry> entries, const double* K, Index width, double* out,
                                   Index stride) {
  constexpr int kSums = 8;
  for (std::size_t begin = 0; begin < entries.size();) {
    std::size_t end = begin + 1;
    while (end < entries.size() && entries[end].column == entries[begin].column) ++end;
    const auto run = entries.subspan(begin, end - begin);
    double* to = out + entries[begin].column * stride;
    Index i = 0;
    for (; i + kSums * kLanes<double> <= width; i += kSums * kLanes<double>) add_run<kSums>(run, K + i, width, to + i);
    for (; i + kLanes<double> <= width; i += kLanes<double>) add_run<1>(run, K + i, width, to + i);
    for (; i < width; ++i) {  // fused as in the vectors: a row's output does not depend on where it stands
      const hn::CappedTag<double, 1> one;
      auto sum = hn::LoadU(one, to + i);
      for (const Entry& entry : run)
        sum = hn::MulAdd(hn::Set(one, entry.value), hn::LoadU(one, K + entry.row * width + i), sum);
      hn::StoreU(sum, one, to + i);
    }
    begin = end;
  }
}

HWY_ATTR double dot_lanes(const double* x, const double* y, Index count) {
  const hn::CappedTag<double, 8> tag;
  const auto width = static_cast<Index>(hn::Lanes(tag));
  auto first = hn::Zero(tag);
  auto second = hn::Zero(tag);
  Index i = 0;
  for (; i + 2 * width <= count; i += 2 * width) {
    first = hn::MulAdd(hn::LoadU(tag, x + i), hn::LoadU(tag, y + i), first);
    second = hn::MulAdd(hn::LoadU(tag, x + i + width), hn::LoadU(tag, y + i + width), second);
  }
  double sum = hn::GetLane(hn::SumOfLanes(tag, hn::Add(first, second)));
  for (; i < count; ++i) sum += x[i] * y[i];
  return sum;
}

}  // namespace manyone::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "backend/cpu/dispatch.hpp"

namespace manyone {

void thin_accumulate(const double* K, bool transposed, Index rows, Index width, Index stride, const double* A,
                     Index padded, double* out) {
  MANYONE_DISPATCH(accumulate_double)
  (K, transposed ? 1 : stride, transposed ? stride : 1, rows, width, A, padded, out);
}

void thin_accumulate(const float* K, bool transposed, Index rows, Index width, Index stride, const float* A,
                     Index padded, float* out) {
  MANYONE_DISPATCH(accumulate_float)
  (K, transposed ? 1 : stride, transposed ? stride : 1, rows, width, A, padded, out);
}

void scattered_accumulate(std::span<const Entry> entries, const double* K, Index width, double* out, Index stride) {
  MANYONE_DISPATCH(accumulate_scattered)(entries, K, width, out, stride);
}

double dot(const double* x, const double* y, Index count) { return MANYONE_DISPATCH(dot_lanes)(x, y, count); }

}  // namespace manyone
#endif  // HWY_ONCE
