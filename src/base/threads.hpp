// SPDX-License-Identifier: Apache-2.0
//
// One small thread pool. parallel_for() runs body(0..count-1); which thread takes which index is not fixed, so a body
// writes only to what belongs to its index and sums are made per index and added in order: results never depend on
// the number of threads. A parallel_for inside a body runs serially.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace manyone {

/// Hardware threads of this process (its CPU affinity), at least 1.
int hardware_threads();

class ThreadPool {
 public:
  /// `threads` counts the calling thread; 0 means hardware_threads(). Fewer if the system refuses to start that many.
  explicit ThreadPool(int threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const;

  /// Returns when all indices are done. If bodies throw, the remaining indices are skipped and the exception of the
  /// smallest index that threw is rethrown here: the same one for any number of threads.
  void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) const;

 private:
  struct Job;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace manyone
