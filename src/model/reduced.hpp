// SPDX-License-Identifier: Apache-2.0
//
// Training machines with centres (machine/reduced_machine) from rows that are only passed over: what a recipe means for
// a table, the pass it takes, and the classifier that comes out.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "machine/fold_sums.hpp"
#include "model/prepared_table.hpp"
#include "model/reduced_decoding.hpp"

namespace manyone {

/// What the machine of a recipe becomes for a table: onelsm while its kernel matrix is within reach, else msvr, with as
/// many centres as memory and `seconds` (if given) allow.
struct MachineChoice {
  std::string machine;
  std::string centres;  ///< empty: not reduced
};
MachineChoice choose_machine(const Execution& execution, const RowSource& table, std::optional<double> seconds);

/// As many centres as fit into memory, and into `seconds` if given, for training on so many rows.
Index affordable_centres(const Execution& execution, Index rows, Index features, Index classes,
                         std::optional<double> seconds);

/// What a reduced machine regresses on, for one sigma: centres are chosen among the rows of the sample.
KernelColumns columns_for(const Execution& execution, const Recipe& recipe, double sigma, const PreparedTable& table);

/// How many centres those are; nothing when they are features or come from a file.
std::optional<Index> centres_of(const Recipe& recipe, Index table_rows);

/// How its regression is penalised; for kernel PCA also how many components it keeps.
RegressionChoice choice_for(const Recipe& recipe, Index table_rows);

/// Square matrices of sums that a fold takes.
Index squares_of(const KernelColumns& columns, Index classes);

/// The machine of a recipe on such columns. `all`: the sums of all rows, of K~ - shift.
std::unique_ptr<ReducedMachine> reduced_machine(const Execution& execution, const Recipe& recipe,
                                                const PreparedTable& table, const KernelColumns& columns,
                                                const GroupedSums& all, const Vector& shift);

/// A row that is held out must be no centre where the penalty is on the coefficients: columns are features of their own
/// then. (With the penalty on the function a column of its own tells nothing.)
bool centres_leave_with_rows(const Recipe& recipe, const KernelColumns& columns, Index table_rows);

/// Sums of all rows at one sigma, fold by fold.
struct PassedRows {
  KernelColumns columns;
  Vector shift;
  std::vector<GroupedSums> folds;
  bool centres_stay = false;  ///< the last fold holds the centres: few rows, which are trained on whatever is left out

  GroupedSums all() const;
};
PassedRows pass_rows(const Execution& execution, const Recipe& recipe, const PreparedTable& table, double sigma,
                     const PassFolds& folds);

/// The classifier from such sums, without calibration. Throws ConfigError when the ridge is too small.
Model train_reduced(const Execution& execution, const Recipe& recipe, const PreparedTable& table,
                    const PassedRows& passed, double ridge);

}  // namespace manyone
