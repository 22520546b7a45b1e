// SPDX-License-Identifier: Apache-2.0
#include "solve/row_step.hpp"

#include <algorithm>
#include <limits>

namespace manyone {

void RowStep::coefficients(Index home, const double* x, double* A) const {
  if (loss_ == RowLoss::margin_max) {
    std::copy_n(x, L_, A);
    return;
  }
  double sum = 0;
  for (Index k = 0; k < L_; ++k) sum += x[k];
  const double shift = loss_ == RowLoss::output_sum ? sum / static_cast<double>(L_) : 0;
  for (Index k = 0; k < L_; ++k) A[k] = shift - x[k];
  if (loss_ == RowLoss::margin_sum) A[home] = sum;
}

double RowStep::gain(Index home, const double* x) const {
  if (loss_ == RowLoss::margin_max) return margin_ * x[home];
  double sum = 0;
  for (Index k = 0; k < L_; ++k) sum += x[k];
  return margin_ * sum;
}

double RowStep::violation(Index home, double bound, const double* f, const double* x) const {
  if (loss_ != RowLoss::margin_max) {
    double worst = 0;
    for (Index k = 0; k < L_; ++k) {
      if (k == home) continue;
      const double g = slope(home, f, k);
      if (g > 0 ? x[k] < bound : x[k] > 0) worst = std::max(worst, g > 0 ? g : -g);
    }
    return worst;
  }
  // Every column can go down if one that is below its bound goes up: worth the difference of their outputs.
  double highest = -std::numeric_limits<double>::infinity();
  double lowest = std::numeric_limits<double>::infinity();
  for (Index k = 0; k < L_; ++k) {
    const double q = f[k] - (k == home ? margin_ : 0);
    highest = std::max(highest, q);
    if (free(home, bound, x, k)) lowest = std::min(lowest, q);
  }
  return std::max(0.0, highest - lowest);
}

double RowStep::gap(Index home, double bound, const double* f, const double* x) const {
  double sum = 0;
  double largest = 0;
  for (Index k = 0; k < L_; ++k) {
    if (k == home) continue;
    const double g = slope(home, f, k);
    const double a = loss_ == RowLoss::margin_max ? -x[k] : x[k];
    sum -= a * g;
    if (loss_ == RowLoss::margin_max) {
      largest = std::max(largest, g);
    } else if (g > 0) {
      sum += bound * g;
    }
  }
  return sum + bound * largest;
}

void RowStep::solve(Index home, double bound, double curvature, const double* f, double* x) {
  if (loss_ == RowLoss::margin_max) {
    solve_simplex(home, bound, curvature, f, x);
  } else {
    solve_box(home, bound, curvature, f, x);
  }
}

// Hessian curvature (I + c 11'), c = 1 or -1/L, so a_k = clip(t_k - c s) with t = a + slope / curvature and s the
// change of sum a: the root of s + sum_k (a_k - clip(t_k - c s)), which increases in s. Newton's method in a bracket;
// the function is piecewise linear, so the last step is exact.
void RowStep::solve_box(Index home, double bound, double curvature, const double* f, double* x) {
  const double c = loss_ == RowLoss::margin_sum ? 1 : -1 / static_cast<double>(L_);
  double before = 0;
  for (Index k = 0; k < L_; ++k) {
    before += x[k];
    targets_[static_cast<std::size_t>(k)] = x[k] + slope(home, f, k) / curvature;
  }
  double low = -before;  // all at 0
  double high = bound * static_cast<double>(L_ - 1) - before;
  double s = std::clamp(0.0, low, high);
  for (int round = 0; round < 100; ++round) {
    double value = s + before;
    double steepness = 1;
    for (Index k = 0; k < L_; ++k) {
      if (k == home) continue;
      const double a = targets_[static_cast<std::size_t>(k)] - c * s;
      if (a >= bound) {
        value -= bound;
      } else if (a > 0) {
        value -= a;
        steepness += c;
      }
    }
    if (value == 0) break;
    (value < 0 ? low : high) = s;
    double next = s - value / steepness;
    if (next <= low || next >= high) next = 0.5 * (low + high);
    if (next == s) break;
    s = next;
  }
  for (Index k = 0; k < L_; ++k) {
    if (k != home) x[k] = std::clamp(targets_[static_cast<std::size_t>(k)] - c * s, 0.0, bound);
  }
}

// A_k = min(bound_k, theta + t_k) with t = A + (margin e_y - f) / curvature and sum A = 0. The sum is concave and
// increasing in theta: Newton's method from the left takes each column to its bound at most once.
void RowStep::solve_simplex(Index home, double bound, double curvature, const double* f, double* x) {
  double sum = 0;
  for (Index k = 0; k < L_; ++k) {
    const double t = x[k] + ((k == home ? margin_ : 0) - f[k]) / curvature;
    targets_[static_cast<std::size_t>(k)] = t;
    sum += t;
  }
  double theta = -sum / static_cast<double>(L_);
  for (Index round = 0; round <= L_; ++round) {
    Index below = 0;
    double rest = 0;  // sum of t over columns below their bound, of the bounds of the others
    for (Index k = 0; k < L_; ++k) {
      const double bound_k = k == home ? bound : 0;
      const double t = targets_[static_cast<std::size_t>(k)];
      const bool is_below = theta + t < bound_k;
      below += is_below;
      rest += is_below ? t : bound_k;
    }
    if (below == 0) break;
    const double next = -rest / static_cast<double>(below);
    if (!(next > theta)) break;
    theta = next;
  }
  double others = 0;
  for (Index k = 0; k < L_; ++k) {
    if (k == home) continue;
    x[k] = std::min(0.0, theta + targets_[static_cast<std::size_t>(k)]);
    others -= x[k];
  }
  // What is at its bound must be there exactly.
  x[home] = theta + targets_[static_cast<std::size_t>(home)] >= bound ? bound : std::min(bound, others);
}

void RowStep::make_feasible(Index home, double bound, double* x) const {
  if (loss_ != RowLoss::margin_max) {
    for (Index k = 0; k < L_; ++k) x[k] = k == home ? 0 : std::clamp(x[k], 0.0, bound);
    return;
  }
  double others = 0;
  for (Index k = 0; k < L_; ++k) {
    if (k == home) continue;
    x[k] = std::min(0.0, x[k]);
    others -= x[k];
  }
  if (others > bound) {
    for (Index k = 0; k < L_; ++k) x[k] *= bound / others;
  }
  // A sum within rounding of the bound is the bound.
  x[home] = others >= bound * (1 - 1e-14) ? bound : others;
}

}  // namespace manyone
