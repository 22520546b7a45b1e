// SPDX-License-Identifier: Apache-2.0
//
// Runtime: owns what an Execution refers to. Programs make one and pass execution() to fit(), tune() and train().
#pragma once

#include <memory>
#include <string_view>

#include "backend/backend.hpp"

namespace manyone {

class Runtime {
 public:
  /// `threads` 0: all of this process. Progress is silent unless an observer is given, which must outlive the runtime.
  explicit Runtime(int threads = 0, std::string_view backend = "cpu", Observer* observer = nullptr,
                   MemoryBudget memory = MemoryBudget())
      : backend_(make_backend(backend, threads)),
        observer_(observer != nullptr ? *observer : silent_),
        memory_(memory.within_address_space()) {}  // the backend has taken what it needs

  const Backend& backend() const { return *backend_; }
  /// request() on it stops a running computation soon.
  Interrupt& interrupt() { return interrupt_; }
  Execution execution() const { return {*backend_, memory_, observer_, interrupt_}; }

 private:
  std::unique_ptr<Backend> backend_;
  Observer silent_;
  Observer& observer_;
  MemoryBudget memory_;
  Interrupt interrupt_;
};

}  // namespace manyone
