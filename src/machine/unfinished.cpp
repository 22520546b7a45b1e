// SPDX-License-Identifier: Apache-2.0
#include "machine/unfinished.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace manyone {

void Unfinished::add(const BoxQpSummary& summary) {
  const std::lock_guard lock(mutex_);
  ++problems_;
  if (summary.converged) return;
  ++unfinished_;
  violation_ = std::max(violation_, summary.violation);
  gap_ = std::max(gap_, summary.gap);
}

void Unfinished::report(const Execution& execution, double tolerance) const {
  if (unfinished_ == 0) return;
  execution.observer.note(fmt::format(
      "{} of {} quadratic programs stopped at their limit of steps, with a violation of {:.1e} where {:g} was "
      "asked for and a gap of {:.1e}; use a smaller cost, or a kernel that is positive semidefinite",
      unfinished_, problems_, violation_, tolerance, gap_));
}

}  // namespace manyone
