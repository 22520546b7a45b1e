// SPDX-License-Identifier: Apache-2.0
#include "base/interrupt.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace manyone {
namespace {

TEST(Interrupt, ThrowsOnceRequested) {
  Interrupt interrupt;
  EXPECT_NO_THROW(interrupt.check());
  interrupt.request();
  EXPECT_TRUE(interrupt.requested());
  EXPECT_THROW(interrupt.check(), Interrupted);
}

TEST(SignalGuard, SignalsBecomeRequests) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    Interrupt interrupt;
    const SignalGuard guard(interrupt);
    ::raise(number);
    EXPECT_TRUE(interrupt.requested());
  }
}

/// The signal that ended a child which ran `body`, 0 if it ended by itself.
template <class Body>
int ending_signal(Body body) {
  const pid_t child = ::fork();
  if (child == 0) {
    body();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

TEST(SignalGuard, SecondSignalEndsTheProcess) {
  const auto two = [](int first, int second) {
    return ending_signal([=] {
      Interrupt interrupt;
      const SignalGuard guard(interrupt);
      ::raise(first);
      ::raise(second);
    });
  };
  EXPECT_EQ(two(SIGINT, SIGINT), SIGINT);
  EXPECT_EQ(two(SIGINT, SIGTERM), SIGTERM);
}

TEST(SignalGuard, AHangupThatWasIgnoredStaysIgnored) {  // nohup
  EXPECT_EQ(ending_signal([] {
              ::signal(SIGHUP, SIG_IGN);
              Interrupt interrupt;
              const SignalGuard guard(interrupt);
              ::raise(SIGHUP);
              if (interrupt.requested()) ::raise(SIGKILL);
              ::raise(SIGINT);
              ::raise(SIGHUP);
            }),
            0);
}

volatile sig_atomic_t host_signals = 0;
extern "C" void count_host_signal(int) { host_signals = host_signals + 1; }

TEST(SignalGuard, GivesTheHostItsHandlerBack) {
  struct sigaction host = {}, before = {};
  host.sa_handler = count_host_signal;
  sigaction(SIGINT, &host, &before);
  {
    Interrupt interrupt;
    const SignalGuard guard(interrupt);
    ::raise(SIGINT);
    EXPECT_EQ(host_signals, 0);
  }
  ::raise(SIGINT);
  EXPECT_EQ(host_signals, 1);
  sigaction(SIGINT, &before, nullptr);
}

TEST(SignalGuard, InnerGuardGivesBackToTheOuter) {
  Interrupt outer, inner;
  const SignalGuard outer_guard(outer);
  {
    const SignalGuard inner_guard(inner);
    ::raise(SIGINT);
  }
  EXPECT_TRUE(inner.requested());
  EXPECT_FALSE(outer.requested());
  ::raise(SIGINT);
  EXPECT_TRUE(outer.requested());
}

}  // namespace
}  // namespace manyone
