// SPDX-License-Identifier: Apache-2.0
//
// How long work reports itself. The library calls an Observer and never prints; the command line chooses one of the
// writers below.
#pragma once

#include <chrono>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "manyone/errors.hpp"
#include "manyone/observer.hpp"

namespace manyone {

/// A bar with percentage and time left, redrawn at most ten times a second, for a terminal. Tasks under a second
/// show nothing. Notes are written as lines of their own.
class BarObserver : public Observer {
 public:
  explicit BarObserver(std::FILE* stream, Words::Spelling spelling = Words::as_in_recipes)
      : stream_(stream), spelling_(spelling) {}
  void begin(std::string_view task, double total) override;
  void update(double done, std::string_view state) override;
  void end() override;
  void note(const Words& message) override;

 private:
  void erase();
  using Clock = std::chrono::steady_clock;
  std::FILE* stream_;
  Words::Spelling spelling_;
  std::mutex mutex_;
  std::string task_;
  double total_ = 0;
  Clock::time_point start_;
  Clock::time_point drawn_;
  bool visible_ = false;
};

/// One JSON object a line: {"event":"progress","task":…,"done":…,"total":…,"seconds":…,"left":…,"state":…}, and
/// {"event":"note","message":…,"parameters":[…]}, the names being those of recipes.
class JsonObserver : public Observer {
 public:
  explicit JsonObserver(std::FILE* stream, Words::Spelling spelling = Words::as_in_recipes)
      : stream_(stream), spelling_(spelling) {}
  void begin(std::string_view task, double total) override;
  void update(double done, std::string_view state) override;
  void end() override;
  void note(const Words& message) override;

 private:
  void line(double done, std::string_view state);
  using Clock = std::chrono::steady_clock;
  std::FILE* stream_;
  Words::Spelling spelling_;
  std::mutex mutex_;
  std::string task_;
  double total_ = 0;
  double done_ = 0;
  Clock::time_point start_;
  Clock::time_point written_;
};

/// The parts of a complaint as such a line: {"event":"error","fault":"usage","parameter":…,"expected":…,"found":…,
/// "remedy":…,"message":…}, with "file", "line" and "column" of its place; those that it has not are left out.
void write_complaint(std::FILE* stream, const Complaint& complaint, Words::Spelling spelling);

/// Only the notes, as lines.
class NoteObserver : public Observer {
 public:
  explicit NoteObserver(std::FILE* stream, Words::Spelling spelling = Words::as_in_recipes)
      : stream_(stream), spelling_(spelling) {}
  void note(const Words& message) override;

 private:
  std::FILE* stream_;
  Words::Spelling spelling_;
  std::mutex mutex_;
};

}  // namespace manyone
