// SPDX-License-Identifier: Apache-2.0
#include "python/src/running.hpp"

#include <unistd.h>

#include <chrono>
#include <future>
#include <map>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "manyone/errors.hpp"
#include "python/src/errors.hpp"

namespace manyone::python {

namespace {

constexpr auto kSignalPause = std::chrono::milliseconds(50);  // Ctrl-C is seen this soon
constexpr auto kProgressPause = std::chrono::milliseconds(100);

}  // namespace

MemoryBudget memory_budget(const std::string& memory) {
  if (memory.empty()) return {};
  const auto bytes = parse_bytes(memory);
  if (!bytes) throw ConfigError(fmt::format("memory must be a size such as '8G' or '500M', found '{}'", memory));
  return MemoryBudget(*bytes);
}

CallbackObserver::CallbackObserver(py::object callback) : callback_(std::move(callback)) {}

CallbackObserver::~CallbackObserver() = default;

void CallbackObserver::call(const std::function<py::dict()>& event) {
  if (callback_.is_none()) return;  // pointers may be compared without the lock
  const py::gil_scoped_acquire lock;
  if (raised_) return;
  try {
    callback_(event());
  } catch (py::error_already_set& error) {
    raised_ = std::make_unique<py::error_already_set>(std::move(error));
    interrupt_->request();
  }
}

void CallbackObserver::progress(const char* event) {
  call([&] {
    py::dict out;
    out["event"] = event;
    out["task"] = task_;
    out["done"] = done_;
    out["total"] = total_;
    out["state"] = state_;
    return out;
  });
  told_ = Clock::now();
}

void CallbackObserver::begin(std::string_view task, double total) {
  task_ = task;
  state_.clear();
  total_ = total;
  done_ = 0;
  progress("begin");
}

void CallbackObserver::update(double done, std::string_view state) {
  done_ = done;
  state_ = state;
  if (Clock::now() - told_ >= kProgressPause) progress("progress");
}

void CallbackObserver::end() { progress("end"); }

void CallbackObserver::note(const Words& message) {
  const std::string& text = notes_.emplace_back(in_python(message));
  call([&] {
    py::dict out;
    out["event"] = "note";
    out["message"] = text;
    return out;
  });
}

void CallbackObserver::rethrow() {
  if (raised_) throw py::error_already_set(std::move(*std::exchange(raised_, nullptr)));
}

Run::Run(const RunChoice& choice, const py::object& callback)
    : observer_(callback), runtime_(choice.threads, "cpu", &observer_, memory_budget(choice.memory)) {
  observer_.stops(runtime_.interrupt());
}

void Run::operator()(const std::function<void()>& work) {
  std::unique_ptr<py::error_already_set> signalled;
  std::future<void> done;
  {
    const py::gil_scoped_release unlocked;
    done = std::async(std::launch::async, work);
    while (done.wait_for(kSignalPause) != std::future_status::ready) {
      const py::gil_scoped_acquire lock;
      if (PyErr_CheckSignals() == 0) continue;
      signalled = std::make_unique<py::error_already_set>();
      runtime_.interrupt().request();
      break;
    }
    done.wait();
  }
  if (signalled) throw py::error_already_set(std::move(*signalled));
  observer_.rethrow();
  done.get();
}

const Backend& lasting_backend(int threads) {
  static std::mutex mutex;
  // Never destroyed: at exit, or in the child of a fork, the threads are gone before the objects that wait for them.
  static auto& backends = *new std::map<std::pair<pid_t, int>, std::unique_ptr<Backend>>();
  const std::lock_guard lock(mutex);
  auto& backend = backends[{::getpid(), threads}];
  if (!backend) backend = make_backend("cpu", threads);
  return *backend;
}

}  // namespace manyone::python
