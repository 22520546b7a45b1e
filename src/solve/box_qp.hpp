// SPDX-License-Identifier: Apache-2.0
//
// The quadratic programs of support vector machines,
//     minimise 1/2 s'Q s - c's   subject to   lower <= s <= upper   [and sum(s) as at the start],
// by steps along one variable, or along two where the sum is fixed (SMO with second-order working sets: Fan, Chen, Lin
// 2005), with Newton steps on the free variables in between and with variables set aside that rest at a bound. All is
// told in v = c - Q s: at the optimum v_i <= b where s_i can still grow and v_i >= b where it can still fall, with b
// the multiplier of the sum (0 without it). For a binary machine s_i = t_i alpha_i, c = t, and b is its bias.
#pragma once

#include <cstdint>

#include "base/interrupt.hpp"
#include "base/matrix.hpp"
#include "solve/quadratic_form.hpp"

namespace manyone {

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

/// `s`: a feasible start, becomes the solution. Q is left with all variables.
BoxQpSummary solve_box_qp(const Interrupt& interrupt, QuadraticForm& Q, const BoxQp& problem,
                          const BoxQpOptions& options, Vector& s);

}  // namespace manyone
