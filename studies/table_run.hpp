// SPDX-License-Identifier: Apache-2.0
//
// What all reproductions share while they run: recipes of published rows, empty results, parts of tables, progress.
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "studies/reproduce.hpp"

namespace manyone {

inline constexpr int kReproducedFolds = 10;  ///< of a set without test rows

Recipe recipe_of(const PublishedRow& row);

/// False when the machine refuses the labelbook: a bias that alone would fit every row.
bool accepted(const PublishedRow& row, const Dataset& data);

/// A cell for each row of the choice on each data set, with nothing of ours in it.
Reproduction empty_reproduction(const ReproduceChoice& choice, std::span<const FoundSet> found);

/// The given rows of a table.
Dataset selected(const Dataset& data, const std::vector<Index>& rows);

/// Seconds since construction.
class Timer {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

/// Progress of one job as a share of all jobs.
class ShareObserver : public Observer {
 public:
  ShareObserver(Observer& whole, double before, double share, std::string name)
      : whole_(whole), before_(before), share_(share), name_(std::move(name)) {}
  void begin(std::string_view, double total) override { total_ = total; }
  void update(double done, std::string_view) override { whole_.update(before_ + share_ * done / total_, name_); }
  void note(const Words& message) override { whole_.note(message); }

 private:
  Observer& whole_;
  double before_;
  double share_;
  std::string name_;
  double total_ = 1;
};

/// Ends the task also when something is thrown.
class Task {
 public:
  Task(Observer& observer, std::string_view name, double total) : observer_(observer) { observer_.begin(name, total); }
  ~Task() { observer_.end(); }
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

 private:
  Observer& observer_;
};

}  // namespace manyone
