// SPDX-License-Identifier: Apache-2.0
#include "base/progress.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/numbers.hpp"
#include "base/printable.hpp"

namespace manyone {

namespace {

double seconds_between(std::chrono::steady_clock::time_point a, std::chrono::steady_clock::time_point b) {
  return std::chrono::duration<double>(b - a).count();
}

/// Time left at the mean speed so far; negative when nothing can be said yet.
double seconds_left(double elapsed, double done, double total) {
  return done > 0 && total > 0 ? elapsed * std::max(0.0, total - done) / done : -1.0;
}

/// A closed terminal or a full disk must not end the work that is reported on: failures are ignored.
void write(std::FILE* stream, std::string_view text) {
  (void)!std::fwrite(text.data(), 1, text.size(), stream);
  std::fflush(stream);
}

void write_line(std::FILE* stream, const nlohmann::json& event) {
  // Messages may quote bytes of a user's file: invalid UTF-8 is replaced, never thrown at.
  write(stream, event.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n');
}

void write_note(std::FILE* stream, const std::string& message) {
  write(stream, fmt::format("note: {}\n", printable_line(message)));
}

}  // namespace

void BarObserver::begin(std::string_view task, double total) {
  const std::lock_guard lock(mutex_);
  task_ = task;
  total_ = total;
  start_ = drawn_ = Clock::now();
}

void BarObserver::update(double done, std::string_view state) {
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  const double elapsed = seconds_between(start_, now);
  if (elapsed < 1.0 || (visible_ && seconds_between(drawn_, now) < 0.1)) return;
  drawn_ = now;
  visible_ = true;
  const double part = total_ > 0 ? std::clamp(done / total_, 0.0, 1.0) : 0.0;
  constexpr int width = 24;
  const int filled = static_cast<int>(std::floor(part * width));
  const double left = seconds_left(elapsed, done, total_);
  write(stream_, fmt::format("\r\033[K{} [{}{}] {:3.0f} %  {} left{}{}", task_, std::string(filled, '#'),
                             std::string(width - filled, '.'), std::floor(100 * part),  // 100 only when done
                             left < 0 ? "?" : format_seconds(left), state.empty() ? "" : ", ", state));
}

void BarObserver::end() {
  const std::lock_guard lock(mutex_);
  erase();
}

void BarObserver::note(const Words& message) {
  const std::lock_guard lock(mutex_);
  erase();
  write_note(stream_, message.in(spelling_));
}

void BarObserver::erase() {
  if (!visible_) return;
  write(stream_, "\r\033[K");
  visible_ = false;
}

void JsonObserver::begin(std::string_view task, double total) {
  const std::lock_guard lock(mutex_);
  task_ = task;
  total_ = total;
  done_ = 0;
  start_ = Clock::now();
  line(0, "");
}

void JsonObserver::update(double done, std::string_view state) {
  const std::lock_guard lock(mutex_);
  done_ = done;
  if (seconds_between(written_, Clock::now()) >= 0.1) line(done, state);
}

void JsonObserver::end() {
  const std::lock_guard lock(mutex_);
  line(done_, "finished");
}

void JsonObserver::line(double done, std::string_view state) {
  written_ = Clock::now();
  const double elapsed = seconds_between(start_, written_);
  const double left = seconds_left(elapsed, done, total_);
  nlohmann::json event = {
      {"event", "progress"}, {"task", task_}, {"done", done}, {"total", total_}, {"seconds", elapsed}};
  event["left"] = left < 0 ? nlohmann::json() : nlohmann::json(left);
  event["state"] = std::string(state);
  write_line(stream_, event);
}

void JsonObserver::note(const Words& message) {
  const std::lock_guard lock(mutex_);
  write_line(stream_, {{"event", "note"}, {"message", message.in(spelling_)}, {"parameters", message.parameters()}});
}

void write_complaint(std::FILE* stream, const Complaint& complaint, Words::Spelling spelling) {
  nlohmann::json event = {{"event", "error"}, {"fault", name_of(complaint.fault)}};
  const auto part = [&](const char* name, const std::string& text) {
    if (!text.empty()) event[name] = text;
  };
  part("parameter", complaint.parameter);
  part("expected", complaint.expected.in(spelling));
  part("found", complaint.found);
  part("remedy", complaint.remedy.in(spelling));
  part("message", complaint.words().in(spelling));
  part("file", complaint.place.file);
  if (complaint.place.line > 0) event["line"] = complaint.place.line;
  if (complaint.place.line > 0 && complaint.place.column > 0) event["column"] = complaint.place.column;
  write_line(stream, event);
}

void NoteObserver::note(const Words& message) {
  const std::lock_guard lock(mutex_);
  write_note(stream_, message.in(spelling_));
}

}  // namespace manyone
