// SPDX-License-Identifier: Apache-2.0
#include "solve/row_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.hpp"

namespace manyone {

namespace {

// A working set is solved to this part of the violation it began with: more would be lost when other rows move.
constexpr double kInnerReduction = 0.1;
// Rows whose violation is below this part of the last sweep's worst wait for the next sweep.
constexpr double kSweepThreshold = 0.3;
// A Newton step of r variables costs r^3/3 flops, but at several times the speed of a sweep's; it is taken when sweeps
// have cost as much time as Newton steps.
constexpr double kNewtonSpeed = 8;
// Systems that a Newton step solves at most, and usually: they get smaller.
constexpr int kFaces = 20;
constexpr double kUsualFaces = 5;
// Added to the diagonal of a system, in units of its trace: a few hundred roundings.
constexpr double kShift = 1e-13;
// Rows of K that one product takes.
constexpr Index kRowsPerProduct = 64;

/// What the rows of a working set know.
struct WorkingSet {
  std::vector<Index> rows;
  Matrix K;  ///< w x w
  Matrix F;  ///< L x w: outputs without offsets; one column of outputs is contiguous, since a step adds to columns
  Matrix x;  ///< w x L
};

/// A free variable: x_column may move, in margin_max against x_base.
struct Direction {
  Index row = 0;
  Index column = 0;
  Index base = 0;
};

/// From x, `length` of the way to a feasible target.
struct Move {
  Matrix target;
  Matrix outputs;  ///< L x w: what all of the way adds to F
  Vector sums;     ///< and to 1'A
  double length = 0;
  double gain = 0;  ///< of the objective
};

class Solver {
 public:
  Solver(const Backend& backend, const Interrupt& interrupt, ConstView K, const RowBlockProblem& problem,
         const RowBlockOptions& options, RowBlockSolution& solution)
      : backend_(backend),
        interrupt_(interrupt),
        K_(K),
        problem_(problem),
        options_(options),
        out_(solution),
        step_(problem.loss, problem.columns, problem.margin),
        n_(K.rows()),
        L_(problem.columns),
        f_(L_),
        before_(L_),
        after_(L_) {}

  RowBlockSummary run();

 private:
  Index home(Index i) const { return problem_.home[static_cast<std::size_t>(i)]; }
  double curvature(Index i) const { return std::max(K_(i, i) + rho_, smallest_curvature_); }
  /// b + rho 1'A: what is added to the outputs of every row.
  Vector offsets() const { return problem_.offsets ? Vector(out_.b + rho_ * sums_) : Vector::Zero(L_); }

  void start();
  void refresh_outputs();
  double measure();
  double imbalance() const { return problem_.offsets ? sums_.cwiseAbs().maxCoeff() : 0; }
  void choose_rows();
  bool solve_working_set(double tolerance);
  double sweep(double threshold);
  double step_row(Index r, double threshold);
  std::vector<Direction> free_directions(const Matrix& x) const;
  /// Newton steps have cost less time than sweeps, and will with these.
  bool affordable(const std::vector<Direction>& directions) const {
    const auto r = static_cast<double>(directions.size());
    return r > 0 && r <= static_cast<double>(options_.newton_variables) &&
           newton_work_ + kUsualFaces * r * r * r / 3 <= kNewtonSpeed * sweep_work_;
  }
  bool face_step(const std::vector<Direction>& directions, Matrix& change);
  void make_feasible(Matrix& x) const;
  void newton_step(std::vector<Direction> directions);
  Move towards(Matrix target);
  void make(const Move& move);
  void finish_working_set();
  RowBlockSummary summary(bool converged);

  const Backend& backend_;
  const Interrupt& interrupt_;
  ConstView K_;
  const RowBlockProblem& problem_;
  const RowBlockOptions& options_;
  RowBlockSolution& out_;
  RowStep step_;
  Index n_;
  Index L_;
  double rho_ = 0;
  double smallest_curvature_ = 0;
  Vector sums_;        // 1'A
  Matrix F_;           // L x n: A'K
  Vector violations_;  // of every row
  WorkingSet set_;
  std::int64_t steps_ = 0;
  int newton_steps_ = 0;
  double sweep_work_ = 0;  // flops
  double newton_work_ = 0;
  Vector f_, before_, after_;
};

void Solver::start() {
  if (out_.x.rows() != n_ || out_.x.cols() != L_) {
    out_.x = Matrix::Zero(n_, L_);
    out_.b = Vector::Zero(L_);
  }
  if (!problem_.offsets || out_.b.size() != L_) out_.b = Vector::Zero(L_);
  for (Index i = 0; i < n_; ++i) step_.make_feasible(home(i), problem_.bounds[i], out_.x.row(i).data());
  const double mean = n_ > 0 ? K_.diagonal().mean() : 1;
  rho_ = problem_.offsets ? std::max(mean, 1e-300) : 0;
  // A row of zeros has no curvature: its optimum is at a bound whatever the number.
  smallest_curvature_ = std::max(1e-12 * mean, 1e-300);
  refresh_outputs();
}

void Solver::refresh_outputs() {
  out_.A.resize(n_, L_);
  for (Index i = 0; i < n_; ++i) step_.coefficients(home(i), out_.x.row(i).data(), out_.A.row(i).data());
  sums_ = out_.A.colwise().sum().transpose();
  F_.resize(L_, n_);
  backend_.multiply(1, out_.A, Transpose::yes, K_, Transpose::no, 0, F_);
}

double Solver::measure() {
  violations_.resize(n_);
  const Vector c = offsets();
  for (Index i = 0; i < n_; ++i) {
    f_ = F_.col(i) + c;
    violations_[i] = step_.violation(home(i), problem_.bounds[i], f_.data(), out_.x.row(i).data());
  }
  return n_ > 0 ? violations_.maxCoeff() : 0;
}

/// The worst rows, and those with free variables, which have to follow when others move; half of the room is for each
/// where there is not enough.
void Solver::choose_rows() {
  std::vector<Index> violators;
  std::vector<Index> followers;
  Random random(static_cast<std::uint64_t>(steps_));
  std::vector<Index> order(static_cast<std::size_t>(n_));
  std::iota(order.begin(), order.end(), Index{0});
  random.shuffle(order);  // so that rows that tie are a fair sample, and sweeps do not follow the order of the table
  for (const Index i : order) {
    if (violations_[i] > options_.tolerance) {
      violators.push_back(i);
      continue;
    }
    const double* x = out_.x.row(i).data();
    bool any = false;
    for (Index k = 0; k < L_ && !any; ++k) any = step_.free(home(i), problem_.bounds[i], x, k);
    if (any) followers.push_back(i);
  }
  const auto room = static_cast<std::size_t>(options_.working_rows);
  const auto by_violation = [&](Index i, Index j) { return violations_[i] > violations_[j]; };
  if (violators.size() + followers.size() > room) {
    std::stable_sort(violators.begin(), violators.end(), by_violation);
    std::stable_sort(followers.begin(), followers.end(), by_violation);
    const std::size_t worst = std::min(violators.size(), std::max(room / 2, room - std::min(room, followers.size())));
    violators.resize(worst);
    followers.resize(std::min(followers.size(), room - worst));
  }
  set_.rows = std::move(violators);
  set_.rows.insert(set_.rows.end(), followers.begin(), followers.end());
  random.shuffle(set_.rows);
  const auto w = static_cast<Index>(set_.rows.size());
  set_.K.resize(w, w);
  set_.F.resize(L_, w);
  set_.x.resize(w, L_);
  for (Index r = 0; r < w; ++r) {
    const Index i = set_.rows[static_cast<std::size_t>(r)];
    const double* from = K_.row(i).data();
    double* to = set_.K.row(r).data();
    for (Index c = 0; c < w; ++c) to[c] = from[set_.rows[static_cast<std::size_t>(c)]];
    set_.F.col(r) = F_.col(i);
    set_.x.row(r) = out_.x.row(i);
  }
}

/// The row to its optimum if its violation, which is returned, is above the threshold.
double Solver::step_row(Index r, double threshold) {
  const Index i = set_.rows[static_cast<std::size_t>(r)];
  const double bound = problem_.bounds[i];
  double* x = set_.x.row(r).data();
  for (Index k = 0; k < L_; ++k) f_[k] = set_.F(k, r);
  if (problem_.offsets) f_ += out_.b + rho_ * sums_;
  const double violation = step_.violation(home(i), bound, f_.data(), x);
  if (violation <= threshold) return violation;
  step_.coefficients(home(i), x, before_.data());
  step_.solve(home(i), bound, curvature(i), f_.data(), x);
  step_.coefficients(home(i), x, after_.data());
  const Index w = set_.K.rows();
  for (Index k = 0; k < L_; ++k) {
    const double change = after_[k] - before_[k];
    if (change == 0) continue;
    set_.F.row(k) += change * set_.K.row(r);
    sums_[k] += change;
    sweep_work_ += 2 * static_cast<double>(w);
  }
  ++steps_;
  return violation;
}

double Solver::sweep(double threshold) {
  double worst = 0;
  for (Index r = 0; r < set_.K.rows(); ++r) worst = std::max(worst, step_row(r, threshold));
  sweep_work_ += static_cast<double>(set_.K.rows() * L_) * 2;
  return worst;
}

std::vector<Direction> Solver::free_directions(const Matrix& x) const {
  std::vector<Direction> out;
  for (Index r = 0; r < x.rows(); ++r) {
    const Index i = set_.rows[static_cast<std::size_t>(r)];
    const double bound = problem_.bounds[i];
    const double* at = x.row(r).data();
    Index base = -1;
    if (problem_.loss == RowLoss::margin_max && step_.free(home(i), bound, at, home(i))) base = home(i);
    for (Index k = 0; k < L_; ++k) {
      if (k == home(i) || !step_.free(home(i), bound, at, k)) continue;
      if (problem_.loss != RowLoss::margin_max) {
        out.push_back({r, k, k});
      } else if (base < 0) {
        base = k;
      } else {
        out.push_back({r, k, base});
      }
    }
  }
  return out;
}

/// What has to be added to x to get to the optimum over some directions as if they had no bounds. False if there is
/// none.
bool Solver::face_step(const std::vector<Direction>& directions, Matrix& change) {
  const auto r = static_cast<Index>(directions.size());
  const Vector c = offsets();
  Matrix Z(r, L_);  // what a unit of each direction does to its row of A
  Matrix d(r, 1);
  Vector unit(L_);
  for (Index p = 0; p < r; ++p) {
    const Direction& at = directions[static_cast<std::size_t>(p)];
    const Index y = home(set_.rows[static_cast<std::size_t>(at.row)]);
    unit.setZero();
    unit[at.base] += 1;
    if (at.base != at.column) unit[at.column] -= 1;
    step_.coefficients(y, unit.data(), Z.row(p).data());
    d(p, 0) = step_.gain(y, unit.data()) - Z.row(p).dot(set_.F.col(at.row) + c);
  }
  Matrix H(r, r);
  double shift = kShift;
  for (;;) {
    newton_work_ += std::pow(static_cast<double>(r), 3) / 3;
    backend_.multiply(1, Z, Transpose::no, Z, Transpose::yes, 0, H);
    for (Index p = 0; p < r; ++p) {
      const double* K = set_.K.row(directions[static_cast<std::size_t>(p)].row).data();
      double* row = H.row(p).data();
      for (Index q = 0; q <= p; ++q) row[q] *= K[directions[static_cast<std::size_t>(q)].row] + rho_;
    }
    // Equal rows make H singular; the shift decides between equivalent solutions, and the next step corrects its error.
    H.diagonal().array() += shift * H.diagonal().sum();
    if (backend_.cholesky(H, interrupt_)) break;
    shift *= 1000;
    if (shift > 1) return false;
  }
  backend_.cholesky_solve(H, d);
  change.setZero(set_.x.rows(), L_);
  for (Index p = 0; p < r; ++p) {
    const Direction& at = directions[static_cast<std::size_t>(p)];
    change(at.row, at.base) += d(p, 0);
    if (at.base != at.column) change(at.row, at.column) -= d(p, 0);
  }
  return true;
}

void Solver::make_feasible(Matrix& x) const {
  for (Index r = 0; r < x.rows(); ++r) {
    if (x.row(r) == set_.x.row(r)) continue;
    const Index i = set_.rows[static_cast<std::size_t>(r)];
    step_.make_feasible(home(i), problem_.bounds[i], x.row(r).data());
  }
}

/// The best point between x and a feasible target.
Move Solver::towards(Matrix target) {
  const Index w = set_.x.rows();
  const Vector c = offsets();
  Matrix change(w, L_);
  Move out;
  double slope = 0;
  for (Index r = 0; r < w; ++r) {
    const Index y = home(set_.rows[static_cast<std::size_t>(r)]);
    step_.coefficients(y, set_.x.row(r).data(), before_.data());
    step_.coefficients(y, target.row(r).data(), after_.data());
    change.row(r) = (after_ - before_).transpose();
    slope += step_.gain(y, target.row(r).data()) - step_.gain(y, set_.x.row(r).data()) -
             change.row(r).dot(set_.F.col(r) + c);
  }
  if (!(slope > 0)) return out;
  out.outputs.resize(L_, w);
  backend_.multiply(1, change, Transpose::yes, set_.K, Transpose::no, 0, out.outputs);
  out.sums = change.colwise().sum().transpose();
  const double bend = out.outputs.cwiseProduct(change.transpose()).sum() + rho_ * out.sums.squaredNorm();
  out.length = slope < bend ? slope / bend : 1;
  out.gain = out.length * (slope - 0.5 * out.length * bend);
  out.target = std::move(target);
  return out;
}

void Solver::make(const Move& move) {
  if (move.length == 1) {
    set_.x = move.target;
  } else {
    set_.x += move.length * (move.target - set_.x);
  }
  set_.F += move.length * move.outputs;
  sums_ += move.length * move.sums;
}

/// Goes to the optimum over the free variables, along the direction that leads there from each face: what passes its
/// bound stays there (More and Toraldo 1991). Far from the solution H is nearly singular and most steps would end
/// outside, so shorter ones are tried too.
void Solver::newton_step(std::vector<Direction> directions) {
  ++newton_steps_;
  Matrix change;
  for (int face = 0; face < kFaces && !directions.empty(); ++face) {
    if (!face_step(directions, change)) return;
    Move best;
    double best_part = 0;
    for (double part = 1; part > 1e-7; part /= 4) {
      Matrix target = set_.x + part * change;
      make_feasible(target);
      Move move = towards(std::move(target));
      if (move.gain > best.gain) {
        best = std::move(move);
        best_part = part;
      } else if (best.gain > 0) {
        break;
      }
    }
    if (!(best.gain > 0)) return;
    make(best);
    const std::size_t before = directions.size();
    directions = free_directions(set_.x);
    if (directions.size() == before && best_part * best.length == 1) return;
  }
}

/// True if the working set got there.
bool Solver::solve_working_set(double tolerance) {
  const std::int64_t most = options_.max_steps;
  double threshold = tolerance;
  for (;;) {
    interrupt_.check();
    const double worst = sweep(threshold);
    if (worst <= tolerance) return true;
    if (steps_ >= most) return false;
    threshold = std::max(tolerance, kSweepThreshold * worst);
    auto directions = free_directions(set_.x);
    if (!affordable(directions)) continue;
    newton_step(std::move(directions));
    ++steps_;  // so that an end is reached even if nothing moves
    threshold = tolerance;
  }
}

/// Carries the changes of the working set to all rows.
void Solver::finish_working_set() {
  std::vector<Index> moved;
  for (Index r = 0; r < set_.x.rows(); ++r) {
    if (set_.x.row(r) != out_.x.row(set_.rows[static_cast<std::size_t>(r)])) moved.push_back(r);
  }
  Matrix K(kRowsPerProduct, n_);
  Matrix change(kRowsPerProduct, L_);
  for (std::size_t first = 0; first < moved.size(); first += kRowsPerProduct) {
    const auto count = static_cast<Index>(std::min<std::size_t>(kRowsPerProduct, moved.size() - first));
    for (Index m = 0; m < count; ++m) {
      const Index r = moved[first + static_cast<std::size_t>(m)];
      const Index i = set_.rows[static_cast<std::size_t>(r)];
      step_.coefficients(home(i), out_.x.row(i).data(), before_.data());
      step_.coefficients(home(i), set_.x.row(r).data(), after_.data());
      change.row(m) = (after_ - before_).transpose();
      K.row(m) = K_.row(i);
      out_.x.row(i) = set_.x.row(r);
    }
    backend_.multiply(1, change.topRows(count), Transpose::yes, K.topRows(count), Transpose::no, 1, F_);
  }
}

RowBlockSummary Solver::summary(bool converged) {
  RowBlockSummary out;
  Vector c = offsets();
  c.array() -= c.mean();  // 0 up to rounding
  for (Index i = 0; i < n_; ++i) {
    f_ = F_.col(i) + c;
    const double* x = out_.x.row(i).data();
    out.gap += step_.gap(home(i), problem_.bounds[i], f_.data(), x);
    out.objective += step_.gain(home(i), x) - 0.5 * out_.A.row(i).dot(F_.col(i));
  }
  out.violation = n_ > 0 ? violations_.maxCoeff() : 0;
  out.imbalance = imbalance();
  out.steps = steps_;
  out.newton_steps = newton_steps_;
  out.converged = converged;
  out_.b = c;
  out_.outputs = F_.transpose();
  out_.outputs.rowwise() += c.transpose();
  return out;
}

RowBlockSummary Solver::run() {
  start();
  const double largest_bound = n_ > 0 ? problem_.bounds.maxCoeff() : 0;
  bool fresh = true;
  for (;;) {
    const double worst = measure();
    const bool there = worst <= options_.tolerance && imbalance() <= options_.tolerance * largest_bound;
    const bool enough = steps_ >= options_.max_steps;
    if (there || enough) {
      if (fresh) return summary(there);
      refresh_outputs();  // rounding has added up in F
      fresh = true;
      continue;
    }
    choose_rows();
    // Rows that are good enough still have to be moved to balance the columns.
    const double floor = worst > options_.tolerance ? 0.5 * options_.tolerance : 0;
    const double wanted = kInnerReduction * std::max(worst, rho_ * imbalance());
    const bool solved = solve_working_set(std::max(floor, wanted));
    finish_working_set();
    fresh = false;
    if (problem_.offsets && solved) out_.b += rho_ * sums_;
    ++steps_;
  }
}

}  // namespace

RowBlockSummary solve_row_blocks(const Backend& backend, const Interrupt& interrupt, ConstView K,
                                 const RowBlockProblem& problem, const RowBlockOptions& options,
                                 RowBlockSolution& solution) {
  RowBlockOptions limited = options;
  if (limited.max_steps == 0) limited.max_steps = std::max<std::int64_t>(1000000, 2000 * K.rows());
  return Solver(backend, interrupt, K, problem, limited, solution).run();
}

double row_block_bytes(Index rows, Index columns, const RowBlockOptions& options) {
  const auto n = static_cast<double>(rows);
  const auto L = static_cast<double>(columns);
  const double w = std::min(n, static_cast<double>(options.working_rows));
  const double r = std::min(n * (L - 1), static_cast<double>(options.newton_variables));
  return 8 * (w * w + r * r + (4 * n + 5 * w + r) * L + static_cast<double>(kRowsPerProduct) * n);
}

}  // namespace manyone
