// SPDX-License-Identifier: Apache-2.0
//
// The binary problems of a code matrix: a column sets the classes of +1 against those of -1, on their rows alone.
#pragma once

#include <vector>

#include "base/fingerprint.hpp"
#include "machine/machine.hpp"

namespace manyone {

/// Columns with the same zeros, the rows they are trained on and their targets there.
struct ProblemGroup {
  std::vector<Index> columns;
  std::vector<Index> rows;
  Matrix T;
};

std::vector<ProblemGroup> problem_groups(const Matrix& code, const LabelledRows& rows);

/// Names the problems of a code for machine/heldout_memo.
Fingerprint code_problem(std::string_view kind, const Matrix& code, bool bias);

}  // namespace manyone
