// SPDX-License-Identifier: Apache-2.0
//
// ReadAhead: makes the next items on a thread of its own while the caller works on this one. Items come in order; the
// memory is that of the item in use and of at most `most` ahead of it, the one in the making included.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

namespace manyone {

template <class Item>
class ReadAhead {
 public:
  /// `make` gives the next item, nothing at the end; it may throw. It is called from one thread at a time.
  ReadAhead(std::function<std::optional<Item>()> make, std::size_t most) : make_(std::move(make)), most_(most) {
    try {
      thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
    } catch (const std::system_error&) {
      // The system starts no more threads: next() makes the items itself.
    }
  }
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;
  // The thread is the last member: it is asked to stop and joined before anything it uses goes.

  /// The next item, nothing at the end. What `make` throws is thrown here, behind the items made before.
  std::optional<Item> next() {
    if (!thread_.joinable()) return make_();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !items_.empty() || ended_; });
    if (items_.empty()) {
      if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
      return std::nullopt;
    }
    std::optional<Item> item = std::move(items_.front());
    items_.pop_front();
    lock.unlock();
    changed_.notify_all();
    return item;
  }

 private:
  void run(const std::stop_token& stop) {
    for (;;) {
      {
        std::unique_lock lock(mutex_);
        if (!changed_.wait(lock, stop, [&] { return items_.size() < most_; })) return;
      }
      std::optional<Item> item;
      std::exception_ptr error;
      try {
        item = make_();
      } catch (...) {
        error = std::current_exception();
      }
      const bool last = !item;
      {
        const std::lock_guard lock(mutex_);
        if (item) items_.push_back(*std::move(item));
        error_ = error;
        ended_ = last;
      }
      changed_.notify_all();
      if (last || stop.stop_requested()) return;
    }
  }

  std::function<std::optional<Item>()> make_;
  std::size_t most_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<Item> items_;
  std::exception_ptr error_;
  bool ended_ = false;
  std::jthread thread_;
};

}  // namespace manyone
