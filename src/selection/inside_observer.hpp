// SPDX-License-Identifier: Apache-2.0
//
// Hears of the progress of work inside a cell of a search, in shares of it. Notes go on to another observer.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>

#include "base/progress.hpp"

namespace manyone {

class InsideObserver final : public Observer {
 public:
  /// `report` may be empty. Both outlive it.
  InsideObserver(Observer& notes, const std::function<void(double)>& report) : notes_(notes), report_(report) {}
  void begin(std::string_view, double total) override { total_ = total; }
  void update(double done, std::string_view) override {
    if (report_) report_(total_ > 0 ? std::clamp(done / total_, 0.0, 1.0) : 0);
  }
  void note(const Words& message) override { notes_.note(message); }

 private:
  Observer& notes_;
  const std::function<void(double)>& report_;
  std::atomic<double> total_{0};
};

}  // namespace manyone
