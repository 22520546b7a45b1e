// SPDX-License-Identifier: Apache-2.0
//
// Asking a long computation to stop. A computation polls an Interrupt between pieces of work that take well under
// a second; whoever owns it (Ctrl-C on the command line, another thread in a program) calls request().
#pragma once

#include <signal.h>

#include <atomic>

#include "manyone/errors.hpp"

namespace manyone {

class Interrupt {
 public:
  void request() { requested_.store(true, std::memory_order_relaxed); }
  bool requested() const { return requested_.load(std::memory_order_relaxed); }
  /// Throws Interrupted when requested.
  void check() const {
    if (requested()) throw Interrupted();
  }

 private:
  std::atomic<bool> requested_{false};
  static_assert(std::atomic<bool>::is_always_lock_free, "request() must be safe in a signal handler");
};

/// While it lives, SIGINT, SIGTERM and SIGHUP (unless it was ignored) call request() on the given Interrupt; a second
/// signal ends the process at once. Afterwards the handlers that were there before (a host program's, Python's) are
/// back. Guards may nest.
class SignalGuard {
 public:
  explicit SignalGuard(Interrupt& interrupt);
  ~SignalGuard();
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;

  /// For what may wait long and has no Interrupt at hand (reading a pipe): throws Interrupted when the innermost guard
  /// of the process, if there is one, has met a signal.
  static void check();

 private:
  Interrupt* outer_;
  struct sigaction previous_int_ = {};
  struct sigaction previous_term_ = {};
  struct sigaction previous_hangup_ = {};
};

}  // namespace manyone
