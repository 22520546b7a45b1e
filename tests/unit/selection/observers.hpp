// SPDX-License-Identifier: Apache-2.0
//
// Observers for the tests of selection: one that collects notes, one that asks for a stop.
#pragma once

#include <string>
#include <vector>

#include "backend/runtime.hpp"

namespace manyone::test {

class NoteCollector : public Observer {
 public:
  void note(const Words& message) override { notes.push_back(message.text()); }
  bool noted(std::string_view part) const {
    for (const auto& note : notes) {
      if (note.find(part) != std::string::npos) return true;
    }
    return false;
  }

  std::vector<std::string> notes;
};

/// Requests the interrupt at the given update (1 = the first).
class StopAt : public Observer {
 public:
  explicit StopAt(int update) : left_(update) {}
  void watch(Interrupt& interrupt) { interrupt_ = &interrupt; }
  void update(double, std::string_view) override {
    if (--left_ == 0 && interrupt_ != nullptr) interrupt_->request();
  }

 private:
  int left_;
  Interrupt* interrupt_ = nullptr;
};

}  // namespace manyone::test
