// SPDX-License-Identifier: Apache-2.0
#include "manyone/backend/cpu/kernel_map.hpp"

#include <algorithm>
#include <cmath>
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

// Vectors computed side by side: the steps of one wait for each other, those of several fill the gaps.
constexpr int kVectors = 4;
struct Group {
  Lanes v[kVectors];
};

/// body(group) over the whole array; the rest that does not fill a group goes through a padded copy, so that a value
/// never depends on its position.
template <class Body>
HWY_ATTR HWY_INLINE void map_groups(const double* in, double* out, std::size_t count, const Body& body) {
  const Tag tag;
  const std::size_t lanes = hn::Lanes(tag);
  const std::size_t width = kVectors * lanes;
  const auto map_group = [&](const double* from, double* to) HWY_ATTR {
    Group group;
    for (int u = 0; u < kVectors; ++u) group.v[u] = hn::LoadU(tag, from + u * lanes);
    body(group);
    for (int u = 0; u < kVectors; ++u) hn::StoreU(group.v[u], tag, to + u * lanes);
  };
  std::size_t i = 0;
  for (; i + width <= count; i += width) map_group(in + i, out + i);
  if (i < count) {
    HWY_ALIGN double rest[kVectors * HWY_MAX_BYTES / sizeof(double)] = {};
    std::copy(in + i, in + count, rest);
    map_group(rest, rest);
    std::copy(rest, rest + (count - i), out + i);
  }
}

/// x -> exp(-rate x) for x >= 0, within one unit in the last place; 0 where that is below the normal numbers. A general
/// exponential spends a third of its time on cases that do not arise here.
class DecayingExponential {
 public:
  HWY_ATTR explicit DecayingExponential(double rate) {
    // -rate / ln 2 as a sum of two numbers
    constexpr double high = 0x1.71547652b82fep0;
    constexpr double low = 0x1.777d0ffda0d24p-56;
    rate = std::min(rate, 1e300);  // of a width so small that its square is 0: equal rows have the value 1 all the same
    const double factor = -rate * high;
    const Tag tag;
    factor_ = hn::Set(tag, factor);
    correction_ = hn::Set(tag, std::fma(-rate, high, -factor) - rate * low);
    largest_ = hn::Set(tag, 708 / rate);
  }

  HWY_ATTR HWY_INLINE void apply(Group& x) const {
    const Tag tag;
    const hn::RebindToSigned<Tag> integers;
    // exp(-rate x) = 2^(k + r) with |r| <= 1/2. Adding the large number leaves k in the lowest bits.
    const Lanes large = hn::Set(tag, 0x1.8p52);
    Lanes shifted[kVectors];
    Lanes r[kVectors];
    Lanes p[kVectors];
    for (int u = 0; u < kVectors; ++u) shifted[u] = hn::MulAdd(x.v[u], factor_, large);
    for (int u = 0; u < kVectors; ++u) {
      r[u] = hn::MulSub(x.v[u], factor_, hn::Sub(shifted[u], large));
      r[u] = hn::MulAdd(x.v[u], correction_, r[u]);
    }
    // 2^r; but for the last one, the coefficients of (2^r - 1) / r interpolated at the Chebyshev points.
    constexpr double coefficients[] = {4.4549605981865186e-10, 7.072585949269223e-09, 1.0178062445845774e-07,
                                       1.321544258792169e-06,  1.525273382983612e-05, 0.0001540353044173605,
                                       0.0013333558146416936,  0.009618129107606888,  0.0555041086648216,
                                       0.24022650695910097,    0.6931471805599453,    1};
    for (int u = 0; u < kVectors; ++u) p[u] = hn::Set(tag, coefficients[0]);
    for (int c = 1; c < 12; ++c) {
      const Lanes coefficient = hn::Set(tag, coefficients[c]);
      for (int u = 0; u < kVectors; ++u) p[u] = hn::MulAdd(p[u], r[u], coefficient);
    }
    for (int u = 0; u < kVectors; ++u) {
      const auto exponent = hn::ShiftLeft<52>(hn::BitCast(integers, shifted[u]));
      const Lanes scaled = hn::BitCast(tag, hn::Add(hn::BitCast(integers, p[u]), exponent));
      x.v[u] = hn::IfThenElseZero(hn::Le(x.v[u], largest_), scaled);
    }
  }

 private:
  Lanes factor_;
  Lanes correction_;
  Lanes largest_;
};

/// exp(-max(0, s) * rate)
HWY_ATTR void gaussian(const double* in, double* out, std::size_t count, double rate) {
  const DecayingExponential exponential(rate);
  const Lanes zero = hn::Zero(Tag());
  map_groups(in, out, count, [&](Group& s) HWY_ATTR {
    for (Lanes& v : s.v) v = hn::Max(v, zero);
    exponential.apply(s);
  });
}

/// exp(-sqrt(max(0, s)) * rate)
HWY_ATTR void laplacian(const double* in, double* out, std::size_t count, double rate) {
  const DecayingExponential exponential(rate);
  const Lanes zero = hn::Zero(Tag());
  map_groups(in, out, count, [&](Group& s) HWY_ATTR {
    for (Lanes& v : s.v) v = hn::Sqrt(hn::Max(v, zero));
    exponential.apply(s);
  });
}

/// (s + offset)^degree by repeated squaring.
HWY_ATTR void polynomial(const double* in, double* out, std::size_t count, double offset, int degree) {
  const Tag tag;
  const Lanes shift = hn::Set(tag, offset);
  map_groups(in, out, count, [&](Group& s) HWY_ATTR {
    for (Lanes& v : s.v) {
      Lanes base = hn::Add(v, shift);
      v = hn::Set(tag, 1.0);
      for (int e = degree; e > 0; e >>= 1) {
        if (e & 1) v = hn::Mul(v, base);
        base = hn::Mul(base, base);
      }
    }
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
