// SPDX-License-Identifier: Apache-2.0
//
// Running the library from Python: without the interpreter's lock, so that other threads go on; ended by Ctrl-C; and
// telling a Python function how far it is.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <pybind11/pybind11.h>

#include "backend/runtime.hpp"

namespace manyone::python {

namespace py = pybind11;

/// Calls a Python function with a dict for every event: {"event": "begin" | "progress" | "end", "task", "done",
/// "total", "state"} and {"event": "note", "message"}. Updates come ten times a second at most. What the function
/// raises ends the computation and is raised again by rethrow().
class CallbackObserver final : public Observer {
 public:
  /// `callback` may be None.
  explicit CallbackObserver(py::object callback);
  ~CallbackObserver() override;
  /// Where an exception of the callback asks the computation to stop.
  void stops(Interrupt& interrupt) { interrupt_ = &interrupt; }

  void begin(std::string_view task, double total) override;
  void update(double done, std::string_view state) override;
  void end() override;
  void note(const Words& message) override;

  const std::vector<std::string>& notes() const { return notes_; }
  /// With the interpreter's lock.
  void rethrow();

 private:
  using Clock = std::chrono::steady_clock;
  void call(const std::function<py::dict()>& event);
  void progress(const char* event);

  py::object callback_;
  std::unique_ptr<py::error_already_set> raised_;
  Interrupt* interrupt_ = nullptr;
  std::vector<std::string> notes_;
  std::string task_;
  std::string state_;
  double total_ = 0;
  double done_ = 0;
  Clock::time_point told_;
};

/// Of text such as "8G"; empty: what is free. Throws ConfigError.
MemoryBudget memory_budget(const std::string& memory);

/// How a computation may run.
struct RunChoice {
  int threads = 0;     ///< 0: all
  std::string memory;  ///< "8G"; empty: what is free
};

/// One computation: call with the interpreter's lock held.
class Run {
 public:
  Run(const RunChoice& choice, const py::object& callback);

  Execution execution() const { return runtime_.execution(); }
  const std::vector<std::string>& notes() const { return observer_.notes(); }

  /// Runs `work` on a thread of its own without the lock, while this one waits and looks for signals. Throws what
  /// `work` throws, what the callback raised, or what a signal handler raised (KeyboardInterrupt).
  void operator()(const std::function<void()>& work);

 private:
  CallbackObserver observer_;
  Runtime runtime_;
};

/// A backend that lives as long as the process, for calls that are shorter than starting threads takes. After a fork
/// it is made anew: threads do not survive one.
const Backend& lasting_backend(int threads);

}  // namespace manyone::python
