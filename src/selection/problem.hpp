// SPDX-License-Identifier: Apache-2.0
//
// Problem: the table of a plan as searches and trainings see it, through its whole kernel matrix (kernel_table) or
// through columns of kernel values at centres (reduced_table). tune() and fit() know nothing else of the two.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "selection/plan.hpp"
#include "selection/tune.hpp"
#include "selection/tuning_rows.hpp"

namespace manyone {

/// The rows that a search works on, of a problem that outlives this.
struct SearchedRows {
  const Recipe& recipe;  ///< with the ridge, and the centres, for so many rows
  TuningRows& rows;
  const std::vector<Index>& numbers;  ///< theirs in the table
};

class Problem {
 public:
  virtual ~Problem() = default;

  /// Throws MemoryError when training needs too much: before minutes of tuning.
  virtual void require_training_memory() const {}
  virtual JournalHeader journal_header() const = 0;
  /// Says in a note if these are not all. Once.
  virtual SearchedRows searched_rows() = 0;
  /// After a search, whose rows are let go: where it worked on a part of the table and was not interrupted, corrects
  /// its choice with all rows, and judges it, unless that is a matter of training.
  virtual void choose_on_all_rows(Tuning& tuning, Journal* journal) = 0;
  /// The calibrated classifier at the parameters `at`, which are those of the tuning if there is one; may choose a
  /// ridge anew, and then replaces what the tuning says of the error.
  virtual Model train(const Execution& execution, CellParameters at, std::optional<Tuning>& tuning) = 0;
};

/// Everything outlives the problem.
std::unique_ptr<Problem> problem_of(const Execution& execution, const Plan& plan);

std::unique_ptr<Problem> kernel_problem(const Execution& execution, const Plan& plan);
std::unique_ptr<Problem> reduced_problem(const Execution& execution, const Plan& plan);

}  // namespace manyone
