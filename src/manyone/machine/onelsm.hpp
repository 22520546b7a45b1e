// SPDX-License-Identifier: Apache-2.0
//
// oneLSM (Honeine, Noumir, Richard 2013; SPEC 4.1): all classes from one factorisation,
//     min_W  sum_i w_i |W' phi(x_i) + b - y_i|^2 + ridge |W|^2.
// It is always solved for indicator targets; the coefficients of any labelbook B follow by A_B = A B, because the
// targets are linear in the book (Theorem 5). The price does not depend on the number of classes.
#pragma once

#include <span>

#include "manyone/labelbook/labelbook.hpp"
#include "manyone/machine/expansion.hpp"

namespace manyone {

struct OneLsmOptions {
  double ridge = 1;
  Vector weights;  ///< row weights > 0; empty: all 1
  bool bias = false;
};

/// n x L indicator targets.
Matrix indicator_targets(std::span<const int> labels, Index classes);

/// `rows` are scaled features, or the square Gram matrix for a precomputed kernel. Throws MemoryError when the Gram
/// matrix does not fit, ConfigError when the ridge is too small for this kernel. Cost n^2 d + n^3/3 + 2 n^2 L flops, 8
/// n^2 bytes.
Expansion fit_onelsm(const Execution& execution, const Kernel& kernel, const Features& rows,
                     std::span<const int> labels, const Labelbook& book, const OneLsmOptions& options);

}  // namespace manyone
