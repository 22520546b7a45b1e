// SPDX-License-Identifier: Apache-2.0
//
// A journal of finished trials, so that a comparison of hours can be stopped in any way and continued. As for searches
// (selection/journal): one line of JSON says what it belongs to, then a line for each trial.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "base/append_file.hpp"
#include "result/compare.hpp"

namespace manyone {

struct TrialPlace {
  std::size_t set = 0;
  std::size_t contestant = 0;
  int repeat = 0;
  int fold = 0;
  auto operator<=>(const TrialPlace&) const = default;  // NOLINT(modernize-use-nullptr): it sees one in <=>
};

class TrialJournal {
 public:
  /// Creates the file or loads it. Throws InputError when it belongs to another comparison or is damaged (an end
  /// without a newline is what a kill leaves behind and is dropped).
  static std::unique_ptr<TrialJournal> open(const std::string& path, std::uint64_t plan);

  /// Nothing when the trial is not there.
  const Trial* find(const TrialPlace& place) const;
  void add(const TrialPlace& place, const Trial& trial);

 private:
  explicit TrialJournal(const std::string& path) : file_(path) {}
  void load(std::uint64_t plan);

  AppendFile file_;
  std::map<TrialPlace, Trial> trials_;
};

}  // namespace manyone
