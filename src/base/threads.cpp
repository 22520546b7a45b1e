// SPDX-License-Identifier: Apache-2.0
#include "base/threads.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace manyone {

namespace {

thread_local bool inside_body = false;

}  // namespace

int hardware_threads() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

/// One parallel_for call.
struct ThreadPool::Job {
  const std::function<void(std::size_t)>* body = nullptr;
  std::size_t count = 0;
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  std::mutex mutex;
  std::size_t error_index = 0;
  std::exception_ptr error;

  void work() {
    inside_body = true;
    // An index once taken is run even if another failed meanwhile: all below a failing index are, so the smallest
    // failing index, and with it the error the caller sees, is the same in every run.
    while (!failed) {
      const std::size_t i = next++;
      if (i >= count) break;
      try {
        (*body)(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!error || i < error_index) {
          error = std::current_exception();
          error_index = i;
        }
        failed = true;
      }
    }
    inside_body = false;
  }
};

struct ThreadPool::State {
  std::mutex mutex;
  std::condition_variable wake;
  std::condition_variable idle;
  Job* job = nullptr;
  std::size_t generation = 0;
  std::size_t active = 0;
  bool stop = false;
  std::mutex caller;  // one parallel_for at a time
  std::vector<std::jthread> workers;

  void run_worker() {
    std::size_t seen = 0;
    std::unique_lock lock(mutex);
    while (true) {
      wake.wait(lock, [&] { return stop || (job != nullptr && generation != seen); });
      if (stop) return;
      seen = generation;
      Job* current = job;
      ++active;
      lock.unlock();
      current->work();
      lock.lock();
      if (--active == 0) idle.notify_all();
    }
  }
};

ThreadPool::ThreadPool(int threads) : state_(std::make_unique<State>()) {
  const int total = threads > 0 ? threads : hardware_threads();
  try {
    for (int i = 1; i < total; ++i) {
      state_->workers.emplace_back([state = state_.get()] { state->run_worker(); });
    }
  } catch (const std::exception&) {
    // The system gives no more threads, or no memory for them: work with those there are.
  }
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->stop = true;
  }
  state_->wake.notify_all();
}

int ThreadPool::threads() const { return 1 + static_cast<int>(state_->workers.size()); }

void ThreadPool::parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) const {
  if (inside_body || count <= 1 || state_->workers.empty()) {
    for (std::size_t i = 0; i < count; ++i) body(i);
    return;
  }
  const std::lock_guard one_at_a_time(state_->caller);
  Job job;
  job.body = &body;
  job.count = count;
  {
    const std::lock_guard lock(state_->mutex);
    state_->job = &job;
    ++state_->generation;
  }
  state_->wake.notify_all();
  job.work();
  std::unique_lock lock(state_->mutex);
  state_->job = nullptr;  // no worker joins from here on
  state_->idle.wait(lock, [&] { return state_->active == 0; });
  lock.unlock();
  if (job.error) std::rethrow_exception(job.error);
}

}  // namespace manyone
