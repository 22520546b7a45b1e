// SPDX-License-Identifier: Apache-2.0
#include "manyone/solve/box_qp.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace manyone {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Curvatures below are rounding (equal rows): the step then goes to a bound.
constexpr double kFlat = 1e-12;
// Steps between two looks at the interrupt.
constexpr std::int64_t kPoll = 1000;

// The loops over all variables, compiled for the registers of several processors.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define MANYONE_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define MANYONE_CLONES
#endif

/// v -= by (a - b)
MANYONE_CLONES void subtract_difference(double* v, const double* a, const double* b, double by, Index n) {
  for (Index k = 0; k < n; ++k) v[k] -= by * (a[k] - b[k]);
}

struct Extremes {
  double up;
  double down;
};

/// Largest v + grows and smallest v + falls, eight side by side.
MANYONE_CLONES Extremes extremes(const double* v, const double* grows, const double* falls, Index n) {
  double up[8];
  double down[8];
  for (int l = 0; l < 8; ++l) {
    up[l] = -kInfinity;
    down[l] = kInfinity;
  }
  Index k = 0;
  for (; k + 8 <= n; k += 8) {
    for (int l = 0; l < 8; ++l) {
      const double high = v[k + l] + grows[k + l];
      const double low = v[k + l] + falls[k + l];
      up[l] = high > up[l] ? high : up[l];
      down[l] = low < down[l] ? low : down[l];
    }
  }
  for (; k < n; ++k) {
    up[0] = std::max(up[0], v[k] + grows[k]);
    down[0] = std::min(down[0], v[k] + falls[k]);
  }
  return {*std::max_element(up, up + 8), *std::min_element(down, down + 8)};
}

/// gain[k] of moving weight from k to a variable with value `up`, diagonal d_i and row `row`; 0 where there is none.
MANYONE_CLONES double gains(const double* v, const double* falls, const double* diagonal, const double* row, double up,
                            double d_i, double* gain, Index n) {
  double best[8] = {};
  Index k = 0;
  const auto one = [&](Index at) {
    const double difference = up - (v[at] + falls[at]);
    const double curvature = d_i + diagonal[at] - 2 * row[at];
    const double safe = curvature > kFlat ? curvature : kFlat;
    return difference > 0 ? difference * difference / safe : 0.0;
  };
  for (; k + 8 <= n; k += 8) {
    for (int l = 0; l < 8; ++l) {
      gain[k + l] = one(k + l);
      best[l] = gain[k + l] > best[l] ? gain[k + l] : best[l];
    }
  }
  for (; k < n; ++k) {
    gain[k] = one(k);
    best[0] = std::max(best[0], gain[k]);
  }
  return *std::max_element(best, best + 8);
}

/// Where the iteration stands. What can grow and what can fall is kept as numbers to add, so that the loops over all
/// variables have no branches.
class Iteration {
 public:
  Iteration(QuadraticForm& Q, const BoxQp& problem, Vector& s)
      : Q_(Q), problem_(problem), s_(s), n_(s.size()), v_(problem.c), grows_(n_), falls_(n_), diagonal_(n_), gain_(n_) {
    for (Index i = 0; i < n_; ++i) {
      diagonal_[i] = Q.diagonal(i);
      if (s[i] != 0) v_ -= s[i] * Eigen::Map<const Vector>(Q.row(i, 0), n_);
      note_bounds(i);
    }
  }

  const Vector& v() const { return v_; }

  /// One step; false if violations are within the tolerance.
  bool step(double tolerance) { return problem_.fixed_sum ? step_pair(tolerance) : step_one(tolerance); }

  /// Largest v of a variable that can grow minus the smallest of one that can fall; without a sum each against 0.
  double violation() const {
    const double up = (v_ + grows_).maxCoeff();
    const double down = (v_ + falls_).minCoeff();
    return problem_.fixed_sum ? up - down : std::max({up, -down, 0.0});
  }

  double multiplier() const {
    if (!problem_.fixed_sum) return 0;
    double sum = 0;
    Index free = 0;
    for (Index i = 0; i < n_; ++i) {
      if (grows_[i] != 0 || falls_[i] != 0) continue;
      sum += v_[i];
      ++free;
    }
    if (free > 0) return sum / static_cast<double>(free);
    const double up = (v_ + grows_).maxCoeff();
    const double down = (v_ + falls_).minCoeff();
    if (!std::isfinite(up)) return std::isfinite(down) ? down : 0;
    return std::isfinite(down) ? (up + down) / 2 : up;
  }

 private:
  void note_bounds(Index i) {
    grows_[i] = s_[i] < problem_.upper[i] ? 0 : -kInfinity;
    falls_[i] = s_[i] > problem_.lower[i] ? 0 : kInfinity;
  }

  /// s_i := value, exactly the bound where that is meant.
  void set(Index i, double value) {
    s_[i] = std::clamp(value, problem_.lower[i], problem_.upper[i]);
    note_bounds(i);
  }

  bool step_pair(double tolerance) {
    const auto [up, down] = extremes(v_.data(), grows_.data(), falls_.data(), n_);
    if (!(up - down > tolerance) || !std::isfinite(up)) return false;
    Index i = 0;
    while (v_[i] + grows_[i] != up) ++i;
    const double* row_i = Q_.row(i, 0);
    const double d_i = diagonal_[i];
    const double best = gains(v_.data(), falls_.data(), diagonal_.data(), row_i, up, d_i, gain_.data(), n_);
    if (!(best > 0)) return false;
    Index j = 0;
    while (gain_[j] != best) ++j;
    const double curvature = std::max(d_i + diagonal_[j] - 2 * row_i[j], kFlat);
    const double room = std::min(problem_.upper[i] - s_[i], s_[j] - problem_.lower[j]);
    const double wanted = (v_[i] - v_[j]) / curvature;
    const double by = std::min(wanted, room);
    const double* row_j = Q_.row(j, 1);
    const bool i_full = by >= problem_.upper[i] - s_[i];
    const bool j_empty = by >= s_[j] - problem_.lower[j];
    set(i, i_full ? problem_.upper[i] : s_[i] + by);
    set(j, j_empty ? problem_.lower[j] : s_[j] - by);
    subtract_difference(v_.data(), row_i, row_j, by, n_);
    return true;
  }

  bool step_one(double tolerance) {
    Index i = -1;
    double best = 0;
    double by = 0;
    double worst = 0;
    for (Index k = 0; k < n_; ++k) {
      const double grows = v_[k] + grows_[k];
      const double falls = v_[k] + falls_[k];
      if (!(grows > 0) && !(falls < 0)) continue;
      worst = std::max(worst, std::abs(v_[k]));
      const double d = std::max(diagonal_[k], kFlat);
      const double step = std::clamp(v_[k] / d, problem_.lower[k] - s_[k], problem_.upper[k] - s_[k]);
      const double gain = step * (v_[k] - 0.5 * step * d);
      if (gain > best) {
        best = gain;
        i = k;
        by = step;
      }
    }
    if (i < 0 || !(worst > tolerance)) return false;
    v_ -= by * Eigen::Map<const Vector>(Q_.row(i, 0), n_);
    set(i, s_[i] + by);
    return true;
  }

  QuadraticForm& Q_;
  const BoxQp& problem_;
  Vector& s_;
  Index n_;
  Vector v_;
  Vector grows_;  // 0, or -infinity at the upper bound
  Vector falls_;  // 0, or infinity at the lower bound
  Vector diagonal_;
  Vector gain_;
};

}  // namespace

const double* KroneckerForm::row(Index i, int slot) {
  Matrix& out = rows_[slot];
  const auto a = A_.row(i / B_.rows());
  const auto b = B_.row(i % B_.rows());
  out.resize(A_.rows(), B_.rows());
  for (Index j = 0; j < A_.rows(); ++j) out.row(j) = a[j] * b;
  return out.data();
}

BoxQpOptions for_screening(BoxQpOptions options, Index variables) {
  options.max_steps = std::max<std::int64_t>(20'000, 20 * variables);
  return options;
}

BoxQpSummary solve_box_qp(const Interrupt& interrupt, QuadraticForm& Q, const BoxQp& problem,
                          const BoxQpOptions& options, Vector& s) {
  Iteration iteration(Q, problem, s);
  const std::int64_t limit =
      options.max_steps > 0 ? options.max_steps : std::max<std::int64_t>(10'000'000, 1000 * s.size());
  BoxQpSummary out;
  while (out.steps < limit && iteration.step(options.tolerance)) {
    if (++out.steps % kPoll == 0) interrupt.check();
  }
  const Vector& v = iteration.v();
  out.violation = std::max(0.0, iteration.violation());
  out.converged = out.violation <= options.tolerance;
  out.b = iteration.multiplier();
  out.objective = -0.5 * s.dot(problem.c + v);
  for (Index i = 0; i < s.size(); ++i) {
    const double rest = v[i] - out.b;
    out.gap += std::max(rest * (problem.upper[i] - s[i]), rest * (problem.lower[i] - s[i]));
  }
  return out;
}

}  // namespace manyone
