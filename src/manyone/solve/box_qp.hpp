// SPDX-License-Identifier: Apache-2.0
//
// The quadratic programs of support vector machines,
//     minimise 1/2 s'Q s - c's   subject to   lower <= s <= upper   [and sum(s) as at the start],
// by steps along one variable, or along two where the sum is fixed (SMO with second-order working sets: Fan, Chen, Lin
// 2005). Everything is told in v = c - Q s: at the optimum v_i <= b where s_i can still grow and v_i >= b where it can
// still fall, with b the multiplier of the sum (0 without it). For a binary machine s_i = t_i alpha_i, c = t, and b is
// its bias.
#pragma once

#include <cstdint>

#include "manyone/base/interrupt.hpp"
#include "manyone/base/matrix.hpp"

namespace manyone {

/// A symmetric positive semidefinite matrix, asked for by rows.
class QuadraticForm {
 public:
  virtual ~QuadraticForm() = default;
  virtual Index size() const = 0;
  virtual double diagonal(Index i) const = 0;
  /// Valid until the next call with the same slot (0 or 1).
  virtual const double* row(Index i, int slot) = 0;
};

/// Of a full matrix, which outlives it.
class DenseForm final : public QuadraticForm {
 public:
  explicit DenseForm(ConstView K) : K_(K) {}
  Index size() const override { return K_.rows(); }
  double diagonal(Index i) const override { return K_(i, i); }
  const double* row(Index i, int) override { return K_.data() + i * K_.outerStride(); }

 private:
  ConstView K_;
};

/// A (x) B for symmetric A and B, which outlive it and whose product is never formed: entry (i r, j s) is A_ij B_rs,
/// with i r standing at i B.rows() + r.
class KroneckerForm final : public QuadraticForm {
 public:
  KroneckerForm(ConstView A, ConstView B) : A_(A), B_(B) {}
  Index size() const override { return A_.rows() * B_.rows(); }
  double diagonal(Index i) const override {
    return A_(i / B_.rows(), i / B_.rows()) * B_(i % B_.rows(), i % B_.rows());
  }
  const double* row(Index i, int slot) override;

 private:
  ConstView A_;
  ConstView B_;
  Matrix rows_[2];
};

struct BoxQp {
  Vector c;
  Vector lower;
  Vector upper;
  bool fixed_sum = false;
};

struct BoxQpOptions {
  double tolerance = 1e-3;     ///< on violations of the conditions for v
  std::int64_t max_steps = 0;  ///< 0: ten million, or a thousand for each variable if that is more
};

/// For cells of a search: where the cost is so large that many steps are needed, what was found by then will do.
BoxQpOptions for_screening(BoxQpOptions options, Index variables);

struct BoxQpSummary {
  double objective = 0;  ///< 1/2 s'Q s - c's
  double violation = 0;
  double gap = 0;  ///< between this and the dual objective: how far the optimum can be
  double b = 0;    ///< multiplier of the sum: the mean of v over free variables, or the middle of what is allowed
  std::int64_t steps = 0;
  bool converged = false;
};

/// `s`: a feasible start, becomes the solution.
BoxQpSummary solve_box_qp(const Interrupt& interrupt, QuadraticForm& Q, const BoxQp& problem,
                          const BoxQpOptions& options, Vector& s);

}  // namespace manyone
