// SPDX-License-Identifier: Apache-2.0
//
// Counts the quadratic programs of a fit that ended before their tolerance, and says so once.
#pragma once

#include <mutex>

#include "backend/backend.hpp"
#include "solve/box_qp.hpp"

namespace manyone {

class Unfinished {
 public:
  /// From any thread.
  void add(const BoxQpSummary& summary);
  /// A note if there were any.
  void report(const Execution& execution, double tolerance) const;

 private:
  std::mutex mutex_;
  int problems_ = 0;
  int unfinished_ = 0;
  double violation_ = 0;
  double gap_ = 0;
};

}  // namespace manyone
