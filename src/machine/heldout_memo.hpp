// SPDX-License-Identifier: Apache-2.0
//
// Held-out outputs that several machines have in common: all labelbooks of onelsm and all codes without zeros follow
// from the same ridge problem, votes and a tree of decisions from the same pairs. Where such machines are tuned one
// after the other on the same rows and folds, a memo gives each what another has computed.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <vector>

#include "machine/machine.hpp"

namespace manyone {

/// Held-out outputs that are known, of one kernel on one set of rows, weights and partitions. Safe to use from several
/// threads.
class HeldOutMemo {
 public:
  using Compute = std::function<std::vector<HeldOut>(std::span<const double> ridges)>;

  /// `room`: bytes that may still be kept, which several memos may share that are not used at the same time. When it
  /// is used up, what comes later is computed anew each time.
  explicit HeldOutMemo(double& room) : room_(room) {}

  /// The outputs of a problem for every ridge, which do not depend on the ridges asked for with them: those that are
  /// not known come from one call of `compute`.
  std::vector<HeldOut> each(std::uint64_t problem, double sigma, std::span<const double> ridges,
                            const Compute& compute);
  /// The outputs of a problem for every ridge where they depend on the others a little, as where one solution starts
  /// the next: known are only those that were asked for together.
  std::vector<HeldOut> together(std::uint64_t problem, double sigma, std::span<const double> ridges,
                                const Compute& compute);

  /// Outputs that were known.
  long found() const;

 private:
  using Key = std::pair<std::uint64_t, std::vector<double>>;  // problem; sigma and ridges

  void keep(Key key, const std::vector<HeldOut>& outputs);

  mutable std::mutex mutex_;
  std::map<Key, std::vector<HeldOut>> known_;
  double& room_;
  long found_ = 0;
};

}  // namespace manyone
