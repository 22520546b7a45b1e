// SPDX-License-Identifier: Apache-2.0
#include "machine/machine.hpp"

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "machine/training_parts.hpp"
#include "manyone/errors.hpp"

namespace manyone {

double Machine::carried(double ridge, Index from, Index to) const {
  const auto scale = [this](Index rows) { return static_cast<double>(rows) * ridge_unit(rows); };
  return ridge * (scale(to) / scale(from));
}

double Machine::fit_bytes(const LabelledRows& rows) const { return square_bytes(rows.rows()); }
double Machine::heldout_bytes(const LabelledRows& rows) const { return square_bytes(rows.rows()); }

double Machine::judged_bytes(const LabelledRows& rows, Index block) const {
  return fit_bytes(rows) + 8.0 * static_cast<double>(block) * static_cast<double>(rows.rows());
}

HeldOut Machine::judged(const Execution& execution, const Gram& gram, const LabelledRows& rows,
                        std::span<const std::vector<Index>> blocks, double ridge, Workspace&) const {
  std::vector<Matrix> outputs;
  for (const std::vector<Index>& block : blocks) {
    execution.interrupt.check();
    const TrainingPart rest = without_rows(rows, block);
    try {
      const Coefficients trained = fit(execution, *gram.part(rest.places), rest.rows, ridge);
      outputs.push_back(outputs_at(execution.backend, gram, block, rest.places, trained));
    } catch (const ConfigError&) {
      return {};  // not positive definite
    }
  }
  return {true, {stacked(outputs)}};
}

double square_bytes(Index n) { return 8.0 * static_cast<double>(n) * static_cast<double>(n); }

Matrix indicator_targets(std::span<const int> labels, Index classes) {
  Matrix T = Matrix::Zero(static_cast<Index>(labels.size()), classes);
  for (std::size_t i = 0; i < labels.size(); ++i) T(static_cast<Index>(i), labels[i]) = 1;
  return T;
}

void throw_ridge_too_small(double ridge) {
  throw ConfigError(
      "ridge",
      fmt::format("ridge {} is too small for this kernel: the system is not positive definite", format_double(ridge)),
      "use a larger `ridge` (a smaller `cost`)");
}

}  // namespace manyone
