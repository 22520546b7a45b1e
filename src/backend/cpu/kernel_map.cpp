// SPDX-License-Identifier: Apache-2.0
#include "backend/cpu/kernel_map.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

// Highway compiles the block below once per instruction set and picks one at run time.
// foreach_target must come first
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/kernel_map.cpp"
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

/// Statistics that go through the steps together: few enough that the values of all steps stay in the first-level
/// cache, and a multiple of every group.
constexpr std::size_t kBlock = 256;

/// to = body(from), from read as at least `least`, a group at a time; `count` is a multiple of a group.
template <class Body>
HWY_ATTR HWY_INLINE void map_groups(const double* from, double least, double* to, std::size_t count, const Body& body) {
  const Tag tag;
  const std::size_t lanes = hn::Lanes(tag);
  const Lanes floor = hn::Set(tag, least);
  for (std::size_t i = 0; i < count; i += kVectors * lanes) {
    Group group;
    for (int u = 0; u < kVectors; ++u) group.v[u] = hn::Max(hn::LoadU(tag, from + i + u * lanes), floor);
    body(group, i);
    for (int u = 0; u < kVectors; ++u) hn::StoreU(group.v[u], tag, to + i + u * lanes);
  }
}

/// x := exp(-rate x) for x >= 0, within one unit in the last place; 0 where that is below the normal numbers. A general
/// exponential spends a third of its time on cases that do not arise here.
HWY_ATTR HWY_INLINE void decay(const DecayRate& rate, Group& x) {
  const Tag tag;
  const hn::RebindToSigned<Tag> integers;
  const Lanes factor = hn::Set(tag, rate.factor);
  const Lanes correction = hn::Set(tag, rate.correction);
  const Lanes largest = hn::Set(tag, rate.largest);
  // exp(-rate x) = 2^(k + r) with |r| <= 1/2. Adding the large number leaves k in the lowest bits.
  const Lanes large = hn::Set(tag, 0x1.8p52);
  Lanes shifted[kVectors];
  Lanes r[kVectors];
  Lanes p[kVectors];
  for (int u = 0; u < kVectors; ++u) shifted[u] = hn::MulAdd(x.v[u], factor, large);
  for (int u = 0; u < kVectors; ++u) {
    r[u] = hn::MulSub(x.v[u], factor, hn::Sub(shifted[u], large));
    r[u] = hn::MulAdd(x.v[u], correction, r[u]);
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
    x.v[u] = hn::IfThenElseZero(hn::Le(x.v[u], largest), scaled);
  }
}

HWY_ATTR HWY_INLINE void power(int exponent, Group& x) {
  for (Lanes& v : x.v) {
    Lanes base = v;
    v = hn::Set(Tag(), 1.0);
    for (int e = exponent; e > 0; e >>= 1) {
      if (e & 1) v = hn::Mul(v, base);
      base = hn::Mul(base, base);
    }
  }
}

/// One step of a kernel on a block: to = verb(left, right).
HWY_ATTR void run_step(const Formula::Step& step, const DecayRate& rate, const double* left, double least,
                       const double* right, double* to, std::size_t count) {
  using Verb = Formula::Verb;
  const Tag tag;
  const Lanes number = hn::Set(tag, step.number);
  const Lanes floor = hn::Set(tag, step.right == 0 ? least : -std::numeric_limits<double>::infinity());
  const auto each = [&](const auto& body) HWY_ATTR {
    map_groups(left, step.left == 0 ? least : -std::numeric_limits<double>::infinity(), to, count, body);
  };
  const auto value = [&](std::size_t i, int u)
                         HWY_ATTR { return hn::Max(hn::LoadU(tag, right + i + u * hn::Lanes(tag)), floor); };
  switch (step.verb) {
    case Verb::statistic: break;
    case Verb::scale:
      return each([&](Group& x, std::size_t) HWY_ATTR {
        for (Lanes& v : x.v) v = hn::Mul(v, number);
      });
    case Verb::shift:
      return each([&](Group& x, std::size_t) HWY_ATTR {
        for (Lanes& v : x.v) v = hn::Add(v, number);
      });
    case Verb::root:
      return each([&](Group& x, std::size_t) HWY_ATTR {
        for (Lanes& v : x.v) v = hn::Sqrt(v);
      });
    case Verb::decay: return each([&](Group& x, std::size_t) HWY_ATTR { decay(rate, x); });
    case Verb::power: return each([&](Group& x, std::size_t) HWY_ATTR { power(step.exponent, x); });
    case Verb::add:
      return each([&](Group& x, std::size_t i) HWY_ATTR {
        for (int u = 0; u < kVectors; ++u) x.v[u] = hn::Add(x.v[u], value(i, u));
      });
    case Verb::multiply:
      return each([&](Group& x, std::size_t i) HWY_ATTR {
        for (int u = 0; u < kVectors; ++u) x.v[u] = hn::Mul(x.v[u], value(i, u));
      });
  }
}

/// All steps on a block. Where each needs the one before alone, all write to `out`.
HWY_ATTR void run_block(const MapSteps& map, const double* in, double* out, std::size_t count) {
  const std::size_t steps = map.steps.size();
  HWY_ALIGN double values[kMostSteps][kBlock];
  const auto place = [&](int k) HWY_ATTR -> const double* { return k == 0 ? in : map.chain ? out : values[k]; };
  for (std::size_t k = 1; k < steps; ++k) {
    const Formula::Step& step = map.steps[k];
    run_step(step, map.rates[k], place(step.left), map.least, place(step.right),
             map.chain || k + 1 == steps ? out : values[k], count);
  }
}

/// Values that do not fill a group go through a padded copy, so that a value never depends on its position.
HWY_ATTR void run_steps(const MapSteps& map, const double* in, double* out, std::size_t count) {
  const std::size_t width = kVectors * hn::Lanes(Tag());
  const std::size_t whole = count / width * width;
  for (std::size_t i = 0; i < whole; i += kBlock) run_block(map, in + i, out + i, std::min(kBlock, whole - i));
  if (whole < count) {
    HWY_ALIGN double rest[std::size_t{kVectors} * HWY_MAX_BYTES / sizeof(double)] = {};
    std::copy(in + whole, in + count, rest);
    run_block(map, rest, rest, width);
    std::copy(rest, rest + (count - whole), out + whole);
  }
}

}  // namespace manyone::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "backend/cpu/dispatch.hpp"

namespace manyone {

KernelMap::KernelMap(const Kernel& kernel) {
  map_.steps = kernel.entry->steps(kernel);
  if (map_.steps.size() > kMostSteps) throw std::logic_error("a kernel of too many steps");
  map_.least = kernel.statistic() == PairStatistic::squared_distance ? 0 : -std::numeric_limits<double>::infinity();
  map_.chain = true;
  for (std::size_t k = 1; k < map_.steps.size(); ++k) {
    const Formula::Step& step = map_.steps[k];
    const bool pair = step.verb == Formula::Verb::add || step.verb == Formula::Verb::multiply;
    if (pair || step.left + 1 != static_cast<int>(k)) map_.chain = false;
  }
  for (const Formula::Step& step : map_.steps) {
    // -rate / ln 2 as a sum of two numbers
    constexpr double high = 0x1.71547652b82fep0;
    constexpr double low = 0x1.777d0ffda0d24p-56;
    // Of a width so small that its square is 0: equal rows have the value 1 all the same.
    const double rate = std::min(step.number, 1e300);
    const double factor = -rate * high;
    map_.rates.push_back({factor, std::fma(-rate, high, -factor) - rate * low, 708 / rate});
  }
}

void KernelMap::operator()(const double* statistic, double* out, std::size_t count) const {
  if (map_.steps.size() > 1) {
    MANYONE_DISPATCH(run_steps)(map_, statistic, out, count);
  } else if (out != statistic) {
    std::memmove(out, statistic, count * sizeof(double));
  }
}

}  // namespace manyone
#endif  // HWY_ONCE
