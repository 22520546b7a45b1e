// SPDX-License-Identifier: Apache-2.0
//
// Duals with one block of variables per row (solve/row_step.hpp says which): maximise, over feasible x,
//     D = margin sum(a) - tr(A'KA) / 2,      with offsets also subject to 1'A = 0,
// for an n x L matrix A whose row i follows from the L variables of row i. Three levels: working sets of the rows that
// matter, with their own copy of K; in them sweeps of exact row steps; and where sweeps get slow a Newton step on the
// variables that are at no bound. Offsets are the multipliers of an augmented Lagrangian: the penalty rho |1'A|^2 / 2
// is the same problem with K + rho, so all three levels stay what they are.
#pragma once

#include <span>

#include "backend/backend.hpp"
#include "solve/row_step.hpp"

namespace manyone {

struct RowBlockProblem {
  RowLoss loss = RowLoss::margin_sum;
  double margin = 1;
  Index columns = 0;          ///< L >= 2
  std::span<const int> home;  ///< of each row, 0 .. L-1
  Vector bounds;              ///< of each row, >= 0; with 0 the row takes no part, but gets its outputs
  bool offsets = false;       ///< with b; its entries sum to 0
};

struct RowBlockOptions {
  double tolerance = 1e-3;        ///< on the violation; with offsets also on |1'A| in units of the largest bound
  std::int64_t max_steps = 0;     ///< row steps; 0: 2000 for each row, at least a million
  Index working_rows = 1024;      ///< rows of a working set: 8 working_rows^2 bytes; on satimage 512 to 1536 were
                                  ///< equally fast
  Index newton_variables = 2048;  ///< no Newton steps with more variables: 8 newton_variables^2 bytes
};

struct RowBlockSummary {
  double objective = 0;    ///< D
  double gap = 0;          ///< primal objective minus D, >= 0 up to rounding
  double violation = 0;    ///< of the worst row, in units of outputs
  double imbalance = 0;    ///< largest |1'A|; 0 without offsets
  std::int64_t steps = 0;  ///< row steps
  int newton_steps = 0;
  bool converged = false;
};

struct RowBlockSolution {
  Matrix x;        ///< n x L, variables: where to start if it has n rows, feasible or not
  Vector b;        ///< L; 0 without offsets
  Matrix A;        ///< n x L
  Matrix outputs;  ///< K A + 1 b'
};

/// `K` is full and symmetric. Needs, besides the solution, 8 n L bytes and what the options say.
RowBlockSummary solve_row_blocks(const Backend& backend, const Interrupt& interrupt, ConstView K,
                                 const RowBlockProblem& problem, const RowBlockOptions& options,
                                 RowBlockSolution& solution);

/// What solve_row_blocks() needs.
double row_block_bytes(Index rows, Index columns, const RowBlockOptions& options);

}  // namespace manyone
