// SPDX-License-Identifier: Apache-2.0
#include "manyone/machine/machine.hpp"

#include <fmt/format.h>

#include "manyone/base/errors.hpp"
#include "manyone/base/numbers.hpp"

namespace manyone {

double Machine::carried(double ridge, Index from, Index to) const {
  const auto scale = [this](Index rows) { return static_cast<double>(rows) * ridge_unit(rows); };
  return ridge * (scale(to) / scale(from));
}

double Machine::fit_bytes(const LabelledRows& rows) const { return square_bytes(rows.rows()); }
double Machine::heldout_bytes(const LabelledRows& rows) const { return square_bytes(rows.rows()); }

double square_bytes(Index n) { return 8.0 * static_cast<double>(n) * static_cast<double>(n); }

Matrix indicator_targets(std::span<const int> labels, Index classes) {
  Matrix T = Matrix::Zero(static_cast<Index>(labels.size()), classes);
  for (std::size_t i = 0; i < labels.size(); ++i) T(static_cast<Index>(i), labels[i]) = 1;
  return T;
}

void throw_ridge_too_small(double ridge) {
  throw ConfigError(
      fmt::format("ridge {} is too small for this kernel: the system is not positive definite; use a larger ridge "
                  "(a smaller cost)",
                  format_double(ridge)));
}

}  // namespace manyone
