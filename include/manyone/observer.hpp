// SPDX-License-Identifier: Apache-2.0
//
// Observer: whom the library tells what it is doing. It prints nothing itself.
#pragma once

#include <string_view>

#include <manyone/words.hpp>

namespace manyone {

/// Hears how long work reports itself. Calls may come from any thread, one at a time.
class Observer {
 public:
  virtual ~Observer() = default;
  /// A task starts; `total` is the amount of work in units of the task's choice.
  virtual void begin(std::string_view task, double total) { (void)task, (void)total; }
  /// `done` units so far, with a few words on the state ("best error 3.2 %").
  virtual void update(double done, std::string_view state) { (void)done, (void)state; }
  virtual void end() {}
  /// Something the user should know; message.text() is it in the words of a program.
  virtual void note(const Words& message) { (void)message; }
};

}  // namespace manyone
