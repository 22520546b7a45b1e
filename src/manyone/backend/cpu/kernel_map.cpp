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

/// exp(x) for x <= 0 within two units in the last place; 0 where that is below the normal numbers. A general
/// exponential spends a third of its time on cases that do not arise here.
HWY_ATTR inline Lanes exp_of_negative(Lanes x) {
  const Tag tag;
  const hn::RebindToSigned<Tag> integers;
  // x = k ln 2 + r with |r| <= ln 2 / 2. Adding the large number leaves k in the lowest bits; ln 2 is a sum of two
  // numbers, of which the first times k is exact.
  const Lanes large = hn::Set(tag, 0x1.8p52);
  const Lanes shifted = hn::MulAdd(x, hn::Set(tag, 0x1.71547652b82fep0), large);
  const Lanes k = hn::Sub(shifted, large);
  const Lanes r =
      hn::NegMulAdd(k, hn::Set(tag, 0x1.3de6af278ece6p-42), hn::NegMulAdd(k, hn::Set(tag, 0x1.62e42fefa3p-1), x));
  // (exp(r) - 1 - r) / r^2, interpolated at the Chebyshev points of that interval.
  constexpr double coefficients[] = {2.5100421692999058e-08, 2.7620089989897447e-07,
                                     2.7557268354939504e-06, 2.480152129205187e-05,
                                     0.00019841269863157314, 0.0013888888917217067,
                                     0.008333333333330022,   0.041666666666624115,
                                     0.16666666666666669,    0.5};
  Lanes p = hn::Set(tag, coefficients[0]);
  for (int c = 1; c < 10; ++c) p = hn::MulAdd(p, r, hn::Set(tag, coefficients[c]));
  const Lanes value = hn::Add(hn::MulAdd(p, hn::Mul(r, r), r), hn::Set(tag, 1.0));
  const Lanes scaled =
      hn::BitCast(tag, hn::Add(hn::BitCast(integers, value), hn::ShiftLeft<52>(hn::BitCast(integers, shifted))));
  return hn::IfThenElseZero(hn::Ge(x, hn::Set(tag, -708.0)), scaled);
}

/// exp(-max(0, s) * rate)
void gaussian(const double* in, double* out, std::size_t count, double rate) {
  const Tag tag;
  const Lanes factor = hn::Set(tag, -rate);
  const Lanes zero = hn::Zero(tag);
  map_lanes(in, out, count, [&](Lanes s) HWY_ATTR { return exp_of_negative(hn::Mul(hn::Max(s, zero), factor)); });
}

/// exp(-sqrt(max(0, s)) * rate)
void laplacian(const double* in, double* out, std::size_t count, double rate) {
  const Tag tag;
  const Lanes factor = hn::Set(tag, -rate);
  const Lanes zero = hn::Zero(tag);
  map_lanes(in, out, count,
            [&](Lanes s) HWY_ATTR { return exp_of_negative(hn::Mul(hn::Sqrt(hn::Max(s, zero)), factor)); });
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
#include "manyone/backend/cpu/dispatch.hpp"

namespace manyone {

void map_kernel(const Kernel& kernel, const double* statistic, double* out, std::size_t count) {
  switch (kernel.kind) {
    case KernelKind::gaussian:
      MANYONE_DISPATCH(gaussian)(statistic, out, count, 1 / (2 * kernel.sigma * kernel.sigma));
      return;
    case KernelKind::laplacian: MANYONE_DISPATCH(laplacian)(statistic, out, count, 1 / kernel.sigma); return;
    case KernelKind::polynomial:
      MANYONE_DISPATCH(polynomial)(statistic, out, count, kernel.offset, kernel.degree);
      return;
    case KernelKind::linear:
    case KernelKind::precomputed: break;
  }
  if (out != statistic) std::memmove(out, statistic, count * sizeof(double));
}

}  // namespace manyone
#endif  // HWY_ONCE
