// SPDX-License-Identifier: Apache-2.0
//
// Random streams that give the same numbers on every platform (the standard library's distributions do not).
// xoshiro256** (Blackman and Vigna), seeded by SplitMix64 from (seed, stream): streams are independent, so that
// a parallel job can take its own by index and the result does not depend on the number of threads.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace manyone {

class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0);

  std::uint64_t next();
  /// Uniform in [0, 1), 53 bits.
  double uniform();
  /// Uniform in {0, ..., bound-1} without bias; bound > 0.
  std::uint64_t below(std::uint64_t bound);
  /// Standard normal (Marsaglia's polar method).
  double normal();

  /// Fisher-Yates.
  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  std::array<std::uint64_t, 4> state_;
};

/// 0, 1, ..., n-1 in random order.
std::vector<std::int64_t> random_permutation(std::int64_t n, Random& random);

}  // namespace manyone
