// SPDX-License-Identifier: Apache-2.0
#include "manyone/backend/cpu/kernel_map.hpp"

#include <algorithm>
#include <cstring>

// Highway compiles the block below once per instruction set and picks one at run time.
// foreach_target must come first
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "manyone/backend/cpu/kernel_map.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace manyone::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::ScalableTag<double>;
using Lanes = hn::Vec<Tag>;

/// body(lanes) over the whole array; the rest that does not fill a vector goes through a padded copy, so that a value
/// never depends on its position.
template <class Body>
void map_lanes(const double* in, double* out, std::size_t count, const Body& body) {
  const Tag tag;
  const std::size_t width = hn::Lanes(tag);
  std::size_t i = 0;
  for (; i + width <= count; i += width) hn::StoreU(body(hn::LoadU(tag, in + i)), tag, out + i);
  if (i < count) {
    HWY_ALIGN double rest[HWY_MAX_BYTES / sizeof(double)] = {};
    std::copy(in + i, in + count, rest);
    hn::Store(body(hn::Load(tag, rest)), tag, rest);
    std::copy(rest, rest + (count - i), out + i);
  }
}

/// exp(-max(0, s) * rate)
void gaussian(const double* in, double* out, std::size_t count, double rate) {
  const Tag tag;
  const Lanes factor = hn::Set(tag, -rate);
  const Lanes zero = hn::Zero(tag);
  map_lanes(in, out, count, [&](Lanes s) HWY_ATTR { return hn::Exp(tag, hn::Mul(hn::Max(s, zero), factor)); });
}

/// exp(-sqrt(max(0, s)) * rate)
void laplacian(const double* in, double* out, std::size_t count, double rate) {
  const Tag tag;
  const Lanes factor = hn::Set(tag, -rate);
  const Lanes zero = hn::Zero(tag);
  map_lanes(in, out, count,
            [&](Lanes s) HWY_ATTR { return hn::Exp(tag, hn::Mul(hn::Sqrt(hn::Max(s, zero)), factor)); });
}

/// (s + offset)^degree by repeated squaring.
void polynomial(const double* in, double* out, std::size_t count, double offset, int degree) {
  const Tag tag;
  const Lanes shift = hn::Set(tag, offset);
  map_lanes(in, out, count, [&](Lanes s) HWY_ATTR {
    Lanes base = hn::Add(s, shift);
    Lanes power = hn::Set(tag, 1.0);
    for (int e = degree; e > 0; e >>= 1) {
      if (e & 1) power = hn::Mul(power, base);
      base = hn::Mul(base, base);
    }
    return power;
  });
}

}  // namespace manyone::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace manyone {

HWY_EXPORT(gaussian);
HWY_EXPORT(laplacian);
HWY_EXPORT(polynomial);

void map_kernel(const Kernel& kernel, const double* statistic, double* out, std::size_t count) {
  switch (kernel.kind) {
    case KernelKind::gaussian:
      HWY_DYNAMIC_DISPATCH(gaussian)(statistic, out, count, 1 / (2 * kernel.sigma * kernel.sigma));
      return;
    case KernelKind::laplacian: HWY_DYNAMIC_DISPATCH(laplacian)(statistic, out, count, 1 / kernel.sigma); return;
    case KernelKind::polynomial:
      HWY_DYNAMIC_DISPATCH(polynomial)(statistic, out, count, kernel.offset, kernel.degree);
      return;
    case KernelKind::linear:
    case KernelKind::precomputed: break;
  }
  if (out != statistic) std::memmove(out, statistic, count * sizeof(double));
}

}  // namespace manyone
#endif  // HWY_ONCE
