// SPDX-License-Identifier: Apache-2.0
#include "solve/box_qp.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include <Eigen/Cholesky>

namespace manyone {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Curvatures below are rounding (equal rows): the step then goes to a bound.
constexpr double kFlat = 1e-12;
// Steps between two looks at the interrupt, at what can be set aside and at Newton steps.
constexpr std::int64_t kLook = 200;
// Newton steps at one look, and free variables, at most.
constexpr std::int64_t kNewtonSteps = 20;
constexpr std::size_t kNewtonSize = 2000;
// Flops that take as long as one variable takes in a step.
constexpr double kStepCost = 20;

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

/// What a step along one variable alone gains: gain[k], the largest, and the largest violation.
struct Single {
  double gain;
  double violation;
};

MANYONE_CLONES Single single_gains(const double* v, const double* s, const double* lower, const double* upper,
                                   const double* diagonal, double* gain, Index n) {
  double best[8] = {};
  double worst[8] = {};
  Index k = 0;
  const auto one = [&](Index at, double& violation) {
    const double d = diagonal[at] > kFlat ? diagonal[at] : kFlat;
    const double wanted = v[at] / d;
    const double falls = lower[at] - s[at];
    const double grows = upper[at] - s[at];
    const double from_below = wanted > falls ? wanted : falls;
    const double step = from_below < grows ? from_below : grows;
    const double size = v[at] > 0 ? v[at] : -v[at];
    const double moves = step != 0 ? size : 0;
    violation = moves > violation ? moves : violation;
    return step * (v[at] - 0.5 * step * d);
  };
  for (; k + 8 <= n; k += 8) {
    for (int l = 0; l < 8; ++l) {
      gain[k + l] = one(k + l, worst[l]);
      best[l] = gain[k + l] > best[l] ? gain[k + l] : best[l];
    }
  }
  for (; k < n; ++k) {
    gain[k] = one(k, worst[0]);
    best[0] = std::max(best[0], gain[k]);
  }
  return {*std::max_element(best, best + 8), *std::max_element(worst, worst + 8)};
}

/// Where the iteration stands: vectors of the active variables. What can grow and what can fall is kept as numbers to
/// add, so that the loops over all variables have no branches.
class Iteration {
 public:
  Iteration(QuadraticForm& Q, const BoxQp& problem, Vector& s) : Q_(Q), problem_(problem), all_s_(s) {
    active_.resize(static_cast<std::size_t>(s.size()));
    std::iota(active_.begin(), active_.end(), Index{0});
    gather(problem.c - Q.times(s));
  }

  bool all_active() const { return n_ == all_s_.size(); }
  Index active() const { return n_; }
  const Vector& v() const { return v_; }

  /// One step; false if violations of active variables are within the tolerance.
  bool step(double tolerance) { return problem_.fixed_sum ? step_pair(tolerance) : step_one(tolerance); }

  /// Largest v of a variable that can grow minus the smallest of one that can fall; without a sum each against 0.
  double violation() const {
    const auto [up, down] = extremes(v_.data(), grows_.data(), falls_.data(), n_);
    return problem_.fixed_sum ? up - down : std::max({up, -down, 0.0});
  }

  double multiplier() const {
    if (!problem_.fixed_sum) return 0;
    double sum = 0;
    Index free = 0;
    for (Index i = 0; i < n_; ++i) {
      if (!is_free(i)) continue;
      sum += v_[i];
      ++free;
    }
    if (free > 0) return sum / static_cast<double>(free);
    const auto [up, down] = extremes(v_.data(), grows_.data(), falls_.data(), n_);
    if (!std::isfinite(up)) return std::isfinite(down) ? down : 0;
    return std::isfinite(down) ? (up + down) / 2 : up;
  }

  /// Sets variables aside that rest at a bound and would stay there, if they are many.
  void shrink() {
    auto [up, down] = extremes(v_.data(), grows_.data(), falls_.data(), n_);
    if (!problem_.fixed_sum) {
      const double worst = std::max({up, -down, 0.0});
      up = worst;
      down = -worst;
    }
    std::vector<Index> left;
    for (Index i = 0; i < n_; ++i) {
      const bool rests = (grows_[i] != 0 && v_[i] > up) || (falls_[i] != 0 && v_[i] < down);
      if (!rests) left.push_back(i);
    }
    if (4 * static_cast<Index>(left.size()) > 3 * n_) return;
    scatter();
    std::vector<Index> active;
    for (const Index i : left) active.push_back(active_[static_cast<std::size_t>(i)]);
    const Vector v = v_(left);
    active_ = std::move(active);
    n_ = v.size();
    Q_.keep(active_);
    fill(v);
  }

  /// All variables are active again, with v as it is.
  void restore() {
    scatter();
    active_.resize(static_cast<std::size_t>(all_s_.size()));
    std::iota(active_.begin(), active_.end(), Index{0});
    Q_.keep(active_);
    gather(problem_.c - Q_.times(all_s_));
  }

  /// Writes the active part of the solution back.
  void scatter() {
    for (Index i = 0; i < n_; ++i) all_s_[active_[static_cast<std::size_t>(i)]] = s_[i];
  }

  /// Free variables, if their rows are at hand.
  std::vector<Index> free_places() const {
    std::vector<Index> out;
    for (Index i = 0; i < n_; ++i) {
      if (!is_free(i)) continue;
      if (!Q_.at_hand(i)) return {};
      out.push_back(i);
    }
    return out;
  }

  /// Minimises over the free variables F, as far as the first bound: Q_FF d = v_F [- b]. False if that went no further.
  bool newton(const std::vector<Index>& F) {
    const auto count = static_cast<Index>(F.size());
    Eigen::MatrixXd Q_FF(count, count);
    for (Index i = 0; i < count; ++i) {
      const double* row = Q_.row(F[static_cast<std::size_t>(i)], 0);
      for (Index j = 0; j < count; ++j) Q_FF(j, i) = row[F[static_cast<std::size_t>(j)]];
    }
    Q_FF.diagonal().array() += kFlat * Q_FF.diagonal().mean();
    const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(Q_FF);
    if (factor.info() != Eigen::Success) return false;
    Vector d = factor.solve(Vector(v_(F)));
    if (problem_.fixed_sum) {
      const Vector level = factor.solve(Vector::Ones(count));
      d -= (d.sum() / level.sum()) * level;
      d.array() -= d.mean();  // what rounding left of the sum, beside the largest entries
    }
    double by = 1;
    Index first = -1;  // the one that meets its bound
    for (Index k = 0; k < count; ++k) {
      const Index i = F[static_cast<std::size_t>(k)];
      const double room = d[k] > 0 ? upper_[i] - s_[i] : lower_[i] - s_[i];
      if (d[k] != 0 && room / d[k] < by) {
        by = room / d[k];
        first = k;
      }
    }
    if (!d.allFinite() || !(by > 0) || !(d.dot(v_(F)) > 0)) return false;
    for (Index k = 0; k < count; ++k) {
      const Index i = F[static_cast<std::size_t>(k)];
      const double bound = d[k] > 0 ? upper_[i] : lower_[i];
      set(i, k == first ? bound : s_[i] + by * d[k]);
      v_ -= (by * d[k]) * Eigen::Map<const Vector>(Q_.row(i, 0), n_);
    }
    return first >= 0;
  }

 private:
  bool is_free(Index i) const { return grows_[i] == 0 && falls_[i] == 0; }

  /// The vectors of the active variables, from those of all.
  void gather(const Vector& v) {
    n_ = static_cast<Index>(active_.size());
    fill(v(active_));
  }

  void fill(const Vector& v) {
    v_ = v;
    s_ = all_s_(active_);
    lower_ = problem_.lower(active_);
    upper_ = problem_.upper(active_);
    for (Vector* one : {&grows_, &falls_, &diagonal_, &gain_}) one->resize(n_);
    for (Index i = 0; i < n_; ++i) {
      diagonal_[i] = Q_.diagonal(active_[static_cast<std::size_t>(i)]);
      note_bounds(i);
    }
  }

  void note_bounds(Index i) {
    grows_[i] = s_[i] < upper_[i] ? 0 : -kInfinity;
    falls_[i] = s_[i] > lower_[i] ? 0 : kInfinity;
  }

  /// s_i := value, exactly the bound where that is meant.
  void set(Index i, double value) {
    s_[i] = std::clamp(value, lower_[i], upper_[i]);
    note_bounds(i);
  }

  /// Row of i; if it must be made, then with those of the variables that `value` puts first.
  template <typename Value>
  const double* row(Index i, int slot, const Value& value) {
    if (!Q_.at_hand(i)) {
      // i, and those of the largest values, in descending order.
      const auto most = static_cast<std::size_t>(Q_.together());
      std::vector<std::pair<double, Index>> best;
      for (Index k = 0; k < n_ && most > 1; ++k) {
        const double here = value(k);
        if (k == i || (best.size() + 1 == most && !(here > best.back().first))) continue;
        if (best.size() + 1 == most) best.pop_back();
        const auto after = [here](const auto& other) { return other.first >= here; };
        best.insert(std::find_if_not(best.begin(), best.end(), after), {here, k});
      }
      std::vector<Index> places = {i};
      for (const auto& [unused, k] : best) places.push_back(k);
      Q_.fetch(places);
    }
    return Q_.row(i, slot);
  }

  bool step_pair(double tolerance) {
    const auto [up, down] = extremes(v_.data(), grows_.data(), falls_.data(), n_);
    if (!(up - down > tolerance) || !std::isfinite(up)) return false;
    Index i = 0;
    while (v_[i] + grows_[i] != up) ++i;
    const double* row_i = row(i, 0, [this](Index k) { return v_[k] + grows_[k]; });
    const double d_i = diagonal_[i];
    const double best = gains(v_.data(), falls_.data(), diagonal_.data(), row_i, up, d_i, gain_.data(), n_);
    if (!(best > 0)) return false;
    Index j = 0;
    while (gain_[j] != best) ++j;
    const double curvature = std::max(d_i + diagonal_[j] - 2 * row_i[j], kFlat);
    const double grows = upper_[i] - s_[i];
    const double falls = s_[j] - lower_[j];
    const double by = std::min({(v_[i] - v_[j]) / curvature, grows, falls});
    const double* row_j = row(j, 1, [this](Index k) { return gain_[k]; });
    set(i, by >= grows ? upper_[i] : s_[i] + by);
    set(j, by >= falls ? lower_[j] : s_[j] - by);
    subtract_difference(v_.data(), row_i, row_j, by, n_);
    return true;
  }

  bool step_one(double tolerance) {
    const auto [best, worst] =
        single_gains(v_.data(), s_.data(), lower_.data(), upper_.data(), diagonal_.data(), gain_.data(), n_);
    if (!(best > 0) || !(worst > tolerance)) return false;
    Index i = 0;
    while (gain_[i] != best) ++i;
    const double by = std::clamp(v_[i] / std::max(diagonal_[i], kFlat), lower_[i] - s_[i], upper_[i] - s_[i]);
    v_ -= by * Eigen::Map<const Vector>(row(i, 0, [this](Index k) { return gain_[k]; }), n_);
    set(i, s_[i] + by);
    return true;
  }

  QuadraticForm& Q_;
  const BoxQp& problem_;
  Vector& all_s_;
  std::vector<Index> active_;
  Index n_ = 0;
  Vector v_;
  Vector s_;
  Vector lower_;
  Vector upper_;
  Vector grows_;  // 0, or -infinity at the upper bound
  Vector falls_;  // 0, or infinity at the lower bound
  Vector diagonal_;
  Vector gain_;
};

/// Newton steps while they go on to a bound, if they cost less than the steps since the last ones. Returns how many.
std::int64_t polish(const Interrupt& interrupt, Iteration& iteration, std::int64_t steps_before) {
  std::int64_t steps = 0;
  for (; steps < kNewtonSteps; ++steps) {
    interrupt.check();
    const auto free = iteration.free_places();
    const auto count = static_cast<double>(free.size());
    const double cost = count * count * count / 3 + 2 * count * static_cast<double>(iteration.active());
    const double spent = kStepCost * static_cast<double>(steps_before) * static_cast<double>(iteration.active());
    if (free.size() < 2 || free.size() > kNewtonSize || cost * static_cast<double>(steps + 1) > spent) break;
    if (!iteration.newton(free)) return steps + 1;
  }
  return steps;
}

}  // namespace

BoxQpOptions for_screening(BoxQpOptions options, Index variables) {
  options.max_steps = std::max<std::int64_t>(20'000, 20 * variables);
  return options;
}

BoxQpSummary solve_box_qp(const Interrupt& interrupt, QuadraticForm& Q, const BoxQp& problem,
                          const BoxQpOptions& options, Vector& s) {
  interrupt.check();  // short programs come by the thousand
  Iteration iteration(Q, problem, s);
  const std::int64_t limit =
      options.max_steps > 0 ? options.max_steps : std::max<std::int64_t>(10'000'000, 1000 * s.size());
  BoxQpSummary out;
  std::int64_t plain = 0;  // steps since the last of Newton
  bool polished = false;
  while (out.steps < limit) {
    if (!iteration.step(options.tolerance)) {
      if (!iteration.all_active()) {
        iteration.restore();
      } else if (!std::exchange(polished, true)) {
        out.steps +=
            polish(interrupt, iteration, out.steps);  // what the tolerance leaves, at no more than was paid so far
      } else {
        break;
      }
      continue;
    }
    ++out.steps;
    if (++plain % kLook != 0) continue;
    interrupt.check();
    if (const auto newton = polish(interrupt, iteration, plain); newton > 0) {
      out.steps += newton;
      plain = 0;
    }
    iteration.shrink();
  }
  if (iteration.all_active()) {
    iteration.scatter();
  } else {
    iteration.restore();
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
