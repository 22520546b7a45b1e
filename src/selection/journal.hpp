// SPDX-License-Identifier: Apache-2.0
//
// A journal of scored cells, so that a long search can be stopped in any way (kill -9 too) and continued: the second
// run asks the journal before it computes. A text file: one line of JSON says which table and which recipe the scores
// belong to, then there is one line for each cell. Numbers are written as texts that read back to the same bits, so a
// continued search takes the same steps as one that was never stopped.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/append_file.hpp"
#include "selection/search.hpp"

namespace manyone {

/// What the scores of a journal depend on; see base/fingerprint.hpp.
struct JournalHeader {
  std::uint64_t data = 0;    ///< of features and labels
  std::uint64_t recipe = 0;  ///< of every choice that changes a cell's score
};

/// Safe to use from several threads.
class Journal {
 public:
  /// Creates the file or loads it. An end without a newline is what a kill leaves behind and is dropped; any other
  /// damage is an InputError with file and line, as is a header that says other data or another recipe. Throws
  /// ConfigError when the file cannot be written or another run has it open.
  static std::unique_ptr<Journal> open(const std::string& path, const JournalHeader& header);

  /// The score of the cell with exactly these numbers in this stage.
  std::optional<Cell> find(std::string_view stage, const CellParameters& at) const;

  /// Records a finished cell, solved or not; call it as soon as the cell is finished, never for one that was
  /// interrupted. A cell that is already there stays as it is. Throws InputError when writing fails (disk full).
  void add(std::string_view stage, const Cell& cell);

  std::size_t size() const;

 private:
  /// Scores of one stage by the bits of (sigma, ridge).
  using Scores = std::map<std::pair<std::uint64_t, std::uint64_t>, Cell>;

  explicit Journal(const std::string& path) : file_(path) {}
  void load(const JournalHeader& header);
  const Cell* known(std::string_view stage, const CellParameters& at) const;
  void remember(std::string_view stage, const Cell& cell);

  mutable std::mutex mutex_;
  AppendFile file_;
  std::map<std::string, Scores, std::less<>> stages_;
};

/// A scoring function that takes from the journal what is there and asks `inner` for the rest only, in one call and in
/// the same order. It records nothing: `inner` does, cell by cell (CellScorer's `done` is the place), so that a kill in
/// the middle of a call loses no finished cell. With `whole_sigmas` the cells of a sigma are asked for again unless all
/// are there: where one starts from another, a part of them would be scored along another path. `journal` outlives the
/// function.
ScoreCells journalled(ScoreCells inner, const Journal& journal, std::string stage, bool whole_sigmas = false);

}  // namespace manyone
