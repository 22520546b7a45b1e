// SPDX-License-Identifier: Apache-2.0
//
// SharedWork: what machines that are tuned one after the other on the same table have in common: the pair statistics of
// its rows, and held-out outputs of the problems they share (machine/heldout_memo).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "machine/heldout_memo.hpp"

namespace manyone {

/// What is shared on one table, by several threads. What is asked for by a key must always be the same thing.
class SharedWork {
 public:
  /// `bytes`: kept at most.
  explicit SharedWork(double bytes) : room_(bytes) {}
  SharedWork(const SharedWork&) = delete;
  SharedWork& operator=(const SharedWork&) = delete;

  /// Computed the first time it is asked for.
  Matrix statistics(std::uint64_t key, const std::function<Matrix()>& compute);
  HeldOutMemo& memo(std::uint64_t key);

  /// Cells that were not computed because another machine had done so.
  long found() const;

 private:
  mutable std::mutex mutex_;
  double room_;  // bytes that may still be kept
  std::map<std::uint64_t, Matrix> statistics_;
  std::map<std::uint64_t, std::unique_ptr<HeldOutMemo>> memos_;
};

}  // namespace manyone
