// SPDX-License-Identifier: Apache-2.0
//
// Regularised least squares in its dual form, for any number of right-hand sides T (n x q) at once:
//     (K + ridge W^{-1}) A + 1 b' = T          W: row weights (all 1 by default)
//     1'A = 0, or b = 0 without bias
// and what every held-out prediction of it would be, without refitting (SPEC section 10). Nothing here knows of
// classes.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "backend/backend.hpp"
#include "data/splits.hpp"

namespace manyone {

struct RidgeProblem {
  double ridge = 1;
  Vector weights;  ///< > 0, one per row; empty: all 1
  bool bias = false;
};
/// The diagonal of ridge W^{-1} for n rows.
Vector ridge_diagonal(const RidgeProblem& problem, Index n);

/// K := K + ridge W^{-1}.
void add_ridge(const RidgeProblem& problem, View K);

/// One factorisation, n^3/3 flops. `K` (lower triangle) is overwritten. Returns false if K + ridge W^{-1} is not
/// numerically positive definite.
struct RidgeSolution {
  Matrix A;  ///< n x q
  Vector b;  ///< q; zeros without bias
};
bool solve_ridge(const Backend& backend, const Interrupt& interrupt, const RidgeProblem& problem, View K, ConstView T,
                 RidgeSolution& solution);

/// solve_ridge(), and `without[k]`: the solution of the other rows when those of block k are left out, 0 in the block.
/// A block holds some of the last rows of K, about which the factor tells all: with c rows from the first of any block
/// to the end, the blocks cost c^3 flops at most and a solution each.
bool solve_ridge(const Backend& backend, const Interrupt& interrupt, const RidgeProblem& problem, View K, ConstView T,
                 std::span<const std::vector<Index>> blocks, RidgeSolution& solution,
                 std::vector<RidgeSolution>& without);

/// One inverse, n^3 flops, from which every partition's held-out outputs follow.
struct RidgeInverse {
  Matrix P;    ///< (K + ridge W^{-1})^{-1}; with bias P - P11'P/(1'P1)
  Vector rho;  ///< with bias: the row 1'P/(1'P1) that gives b' = rho' T; else empty
  RidgeSolution solution;
};
/// `K` is full. Storage in `inverse` is reused. Returns false as solve_ridge().
bool invert_ridge(const Backend& backend, const Interrupt& interrupt, const RidgeProblem& problem, ConstView K,
                  ConstView T, RidgeInverse& inverse);

/// What RidgeInverse is, with the inverse in single precision: about half the time and half the memory. What is asked
/// of it is a choice between cells, not a model.
struct SingleRidgeInverse {
  FloatMatrix P;
  Vector rho;
  RidgeSolution solution;  ///< in double precision: refined once, so its error is the square of that of P
};
bool invert_ridge_single(const Backend& backend, const Interrupt& interrupt, const RidgeProblem& problem, ConstView K,
                         ConstView T, SingleRidgeInverse& inverse);

/// For every partition, the outputs f(x_i) of every row i when the fold of i was left out of training: equal to refits
/// in value, and in the order of the outputs of a row. The short form T_B - P_BB^{-1} A_B subtracts the held-out
/// target, so where outputs are tiny (narrow kernels) its rounding noise carries that target; rows whose two largest
/// outputs nearly tie are therefore computed in the longer form that leaves the rows of the fold out explicitly. `K`:
/// full; its diagonal is used as scratch and restored. A partition into k folds costs n^3/(3k^2) flops, and at most 4
/// n^2 q for rows that need the longer form.
enum class HeldOutForm {
  guarded,  ///< short, but for near ties
  stable,   ///< the longer form for all rows: for outputs that are not compared with each other
};
std::vector<Matrix> heldout_outputs(const Backend& backend, const Interrupt& interrupt, View K,
                                    const RidgeInverse& inverse, ConstView T, std::span<const Folds> partitions,
                                    HeldOutForm form = HeldOutForm::guarded);
std::vector<Matrix> heldout_outputs(const Backend& backend, const Interrupt& interrupt, View K,
                                    const SingleRidgeInverse& inverse, ConstView T, std::span<const Folds> partitions);

/// For a problem (without bias) on the rows `S` of a table whose full kernel matrix is `K`: the outputs of every row of
/// the table, in S or not, without the rows of its fold. `use` is told of each fold's rows and their outputs.
void heldout_elsewhere(const Backend& backend, const Interrupt& interrupt, ConstView K, const std::vector<Index>& S,
                       const RidgeInverse& inverse, const Folds& folds,
                       const std::function<void(const std::vector<Index>&, const Matrix&)>& use);

}  // namespace manyone
