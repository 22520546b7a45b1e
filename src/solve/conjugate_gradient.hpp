// SPDX-License-Identifier: Apache-2.0
//
// The system of solve/ridge.hpp without a factorisation: block conjugate gradients, preconditioned by the Nystrom
// approximation of K from a few of its columns (SPEC section 15). It pays where n^3/3 flops are more than some thirty
// products of K with the right-hand sides: many rows, a ridge that is not tiny.
#pragma once

#include <functional>
#include <span>

#include "solve/ridge.hpp"

namespace manyone {

struct ConjugateGradientOptions {
  double tolerance = 1e-6;   ///< on the largest |T_k - (K + ridge W^{-1}) A_k| / |T_k| over the columns k
  int max_iterations = 500;  ///< for each block of 32 columns
  bool exact = true;         ///< the residual is computed from its definition before it is believed
  /// Group of each row, from 0 on, for the preconditioner: rows that K ties to each other, such as those of a class.
  /// None at all: no groups.
  std::span<const int> groups;
  /// Called after every iteration with the residual as far as it is known; may be empty.
  std::function<void(int iteration, double residual)> progress;
};

struct ConjugateGradientSummary {
  int iterations = 0;   ///< products with K; the sum over blocks of columns
  double residual = 0;  ///< computed from its definition, in double precision
  bool converged = false;
};

/// `K`: lower triangle; it is read only. `centres`: rows whose columns of K make the preconditioner, m of them; there
/// may be none. Needs 2 n^2 + 4 n m bytes beside K, and 5 kB a row. `solution` is the best that was found, converged or
/// not.
ConjugateGradientSummary solve_ridge_iteratively(const Backend& backend, const Interrupt& interrupt,
                                                 const RidgeProblem& problem, ConstView K, ConstView T,
                                                 std::span<const Index> centres,
                                                 const ConjugateGradientOptions& options, RidgeSolution& solution);

}  // namespace manyone
