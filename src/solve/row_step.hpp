// SPDX-License-Identifier: Apache-2.0
//
// One row of a dual with a block of variables per row (solve/row_blocks.hpp): what is feasible, how far it is from
// optimal, and its exact optimum when all other rows stay. Row i has a home column y, an upper bound U and, of each
// column k, the output f_k = (K A)_ik + b_k. Its L variables x and its row of A:
//     margin_sum    sum over k != y of hinge(f_y - f_k):      x_k = a_k in [0, U], A_k = -a_k, A_y = sum a
//     margin_max    the largest of these hinges:              x = A itself, A_k <= 0, A_y <= U, sum A = 0
//     output_sum    sum over k != y of hinge(-f_k):           x_k = a_k in [0, U], A_k = mean(a) - a_k
// with hinge(z) = max(0, margin - z); a_y = 0. To be maximised: margin sum(a) - tr(A'KA) / 2. The Hessian of a row is
// K_ii times the identity plus a matrix of rank one (or a projection), so each optimum is one monotone equation in one
// unknown.
#pragma once

#include <vector>

#include "base/matrix.hpp"

namespace manyone {

enum class RowLoss { margin_sum, margin_max, output_sum };

class RowStep {
 public:
  RowStep(RowLoss loss, Index columns, double margin)
      : loss_(loss), L_(columns), margin_(margin), targets_(static_cast<std::size_t>(columns)) {}

  RowLoss loss() const { return loss_; }
  double margin() const { return margin_; }

  /// The row of A that belongs to x.
  void coefficients(Index home, const double* x, double* A) const;
  /// margin sum(a).
  double gain(Index home, const double* x) const;
  /// The largest component of the gradient that feasible changes of x can follow.
  double violation(Index home, double bound, const double* f, const double* x) const;
  /// What the row adds to primal minus dual objective; never negative.
  double gap(Index home, double bound, const double* f, const double* x) const;
  /// x := its optimum; `curvature` = K_ii > 0.
  void solve(Index home, double bound, double curvature, const double* f, double* x);
  /// x := a feasible point near x.
  void make_feasible(Index home, double bound, double* x) const;

  /// Column k of the row may move both ways.
  bool free(Index home, double bound, const double* x, Index k) const {
    if (loss_ == RowLoss::margin_max) return x[k] < (k == home ? bound : 0);
    return k != home && x[k] > 0 && x[k] < bound;
  }

 private:
  /// d (dual objective) / d a_k.
  double slope(Index home, const double* f, Index k) const {
    return loss_ == RowLoss::output_sum ? margin_ + f[k] : margin_ - (f[home] - f[k]);
  }
  void solve_box(Index home, double bound, double curvature, const double* f, double* x);
  void solve_simplex(Index home, double bound, double curvature, const double* f, double* x);

  RowLoss loss_;
  Index L_;
  double margin_;
  std::vector<double> targets_;  // scratch
};

}  // namespace manyone
