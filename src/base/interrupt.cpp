// SPDX-License-Identifier: Apache-2.0
#include "base/interrupt.hpp"

namespace manyone {

namespace {

std::atomic<Interrupt*> active{nullptr};

extern "C" void manyone_on_signal(int) {
  Interrupt* interrupt = active.load();
  if (interrupt != nullptr) interrupt->request();
  ::signal(SIGINT, SIG_DFL);  // the next one ends the process at once
  ::signal(SIGTERM, SIG_DFL);
  struct sigaction hangup = {};
  sigaction(SIGHUP, nullptr, &hangup);
  if (hangup.sa_handler != SIG_IGN) ::signal(SIGHUP, SIG_DFL);
}

}  // namespace

SignalGuard::SignalGuard(Interrupt& interrupt) : outer_(active.exchange(&interrupt)) {
  struct sigaction action = {};
  action.sa_handler = manyone_on_signal;
  action.sa_flags = SA_RESTART;  // reads and writes under way go on; the computation polls
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &previous_int_);
  sigaction(SIGTERM, &action, &previous_term_);
  sigaction(SIGHUP, nullptr, &previous_hangup_);
  if (previous_hangup_.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);  // nohup asked to go on
}

void SignalGuard::check() {
  if (const Interrupt* interrupt = active.load(); interrupt != nullptr) interrupt->check();
}

SignalGuard::~SignalGuard() {
  sigaction(SIGINT, &previous_int_, nullptr);
  sigaction(SIGTERM, &previous_term_, nullptr);
  sigaction(SIGHUP, &previous_hangup_, nullptr);
  active.store(outer_);
}

}  // namespace manyone
