// SPDX-License-Identifier: Apache-2.0
#include "manyone/run.hpp"

#include <fmt/format.h>

#include "door/inside.hpp"
#include "manyone/errors.hpp"

namespace manyone::door {

namespace {

// Starting the threads of a large machine takes as long as this many kernel values on one of them.
constexpr double kWorthThreads = 2e5;

int threads_of(const abi_0::Run& run) {
  if (run.threads < 0)
    throw ConfigError::must_be("threads", "0 or more", std::to_string(run.threads), "leave it out for all");
  return run.threads;
}

std::string device_of(const abi_0::Run& run) { return run.device == "auto" ? backend_names().front() : run.device; }

}  // namespace

void Call::Ear::begin(std::string_view task, double total) {
  if (listener != nullptr) listener->begin(task, total);
}

void Call::Ear::update(double done, std::string_view state) {
  if (listener != nullptr) listener->update(done, state);
}

void Call::Ear::end() {
  if (listener != nullptr) listener->end();
}

void Call::Ear::note(const Words& message) {
  notes.push_back(message.text());
  if (listener != nullptr) listener->note(message);
}

MemoryBudget memory_of(const abi_0::Run& run) { return run.memory > 0 ? MemoryBudget(run.memory) : MemoryBudget(); }

std::unique_ptr<Backend> backend_of(const abi_0::Run& run, std::optional<double> kernel_values) {
  const int threads = threads_of(run);
  return make_backend(device_of(run), kernel_values && *kernel_values < kWorthThreads ? 1 : threads);
}

void tell(const abi_0::Run& run, const std::vector<Words>& notes) {
  if (run.observer == nullptr) return;
  for (const Words& note : notes) run.observer->note(note);
}

Call::Call(const abi_0::Run& run)
    : ear_(run.observer),
      runtime_(threads_of(run), device_of(run), &ear_, memory_of(run)),
      stop_(run.stop, [this] { runtime_.interrupt().request(); }) {}

}  // namespace manyone::door
