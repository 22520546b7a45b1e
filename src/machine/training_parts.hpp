// SPDX-License-Identifier: Apache-2.0
//
// What machines share that solve quadratic programs, or whose held-out outputs come from training anew.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "machine/machine.hpp"

namespace manyone {

/// The rows that are not in a fold, or not among some.
struct TrainingPart {
  std::vector<Index> places;
  LabelledRows rows;
};
TrainingPart without_fold(const LabelledRows& rows, const Folds& folds, std::size_t fold);
TrainingPart without_rows(const LabelledRows& rows, const std::vector<Index>& left_out);

/// Outputs of some rows by the machine that was trained on others.
Matrix outputs_at(const Backend& backend, const Gram& gram, const std::vector<Index>& rows,
                  const std::vector<Index>& trained_on, const Coefficients& machine);

/// One below the other.
Matrix stacked(std::span<const Matrix> blocks);

/// One fold of one partition: the rows to predict, and those to train on (some in each).
struct FoldTask {
  std::size_t partition = 0;
  std::vector<Index> held_out;
  TrainingPart training;
};

/// body(every such fold), side by side where so many bytes for each fit into memory.
void for_each_fold(const Execution& execution, const LabelledRows& rows, std::span<const Folds> partitions,
                   double bytes, const std::function<void(const FoldTask&)>& body);

/// Rows in the order of their classes.
std::vector<Index> by_class(const LabelledRows& rows);

/// Some of the rows, in this order.
LabelledRows rows_at(const LabelledRows& rows, const std::vector<Index>& places);

/// For every ridge and partition n x q zeros, solved.
std::vector<HeldOut> zero_outputs(std::size_t ridges, std::size_t partitions, Index n, Index q);

/// Counts a program of a cell that was stopped at its limit. From any thread.
void count_unfinished(bool converged, HeldOut& cell);

/// cost w_i for some of the rows: the bounds on their dual variables.
Vector dual_bounds(const LabelledRows& rows, const std::vector<Index>& places, double cost);

/// Positions of the ridges from the largest to the smallest: a solution of a quadratic program is a feasible start for
/// every smaller one.
std::vector<std::size_t> descending(std::span<const double> ridges);

}  // namespace manyone
