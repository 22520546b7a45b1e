// SPDX-License-Identifier: Apache-2.0
#include "base/random.hpp"

#include <bit>
#include <cmath>
#include <numeric>

namespace manyone {

namespace {

std::uint64_t split_mix(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace

Random::Random(std::uint64_t seed, std::uint64_t stream) {
  std::uint64_t mixer = stream;
  mixer = seed ^ split_mix(mixer);  // neighbouring streams start far apart
  for (auto& word : state_) word = split_mix(mixer);
}

std::uint64_t Random::next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double Random::uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

std::uint64_t Random::below(std::uint64_t bound) {
  const std::uint64_t reject = -bound % bound;  // 2^64 mod bound values at the bottom would be drawn too often
  std::uint64_t draw = next();
  while (draw < reject) draw = next();
  return draw % bound;
}

double Random::normal() {
  while (true) {
    const double u = 2 * uniform() - 1;
    const double v = 2 * uniform() - 1;
    const double s = u * u + v * v;
    if (s > 0 && s < 1) return u * std::sqrt(-2 * std::log(s) / s);
  }
}

std::vector<std::int64_t> random_permutation(std::int64_t n, Random& random) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  random.shuffle(order);
  return order;
}

}  // namespace manyone
