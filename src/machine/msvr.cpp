// SPDX-License-Identifier: Apache-2.0
#include "machine/msvr.hpp"

#include <fmt/format.h>

#include "machine/registry.hpp"
#include "manyone/errors.hpp"

namespace manyone {

std::string_view name_of(PenaltyKind kind) { return kind == PenaltyKind::rkhs ? "rkhs" : "identity"; }

PenaltyKind penalty_from_name(std::string_view name) {
  for (const auto kind : {PenaltyKind::identity, PenaltyKind::rkhs}) {
    if (name_of(kind) == name) return kind;
  }
  throw ConfigError("penalty", fmt::format("penalty '{}' is not known", name), "penalties are identity and rkhs");
}

Msvr::Msvr(const Execution& execution, const RegressionChoice& choice, const KernelColumns& columns,
           const GroupedSums& all, Vector shift)
    : execution_(execution), choice_(choice), shift_(std::move(shift)), centre_(Vector::Zero(columns.count())) {
  if (choice.components) {
    centre_ = all.totals.rowwise().sum() / all.weight();
    T_ = leading_vectors(execution, all.centred_squares(), *choice.components).vectors;
  } else if (choice.penalty == PenaltyKind::rkhs && !columns.raw()) {  // of features both penalties are the same
    T_ = whitening(execution, columns.of_centres(execution));
  }
}

GroupedSums Msvr::seen(const GroupedSums& sums) const {
  return T_.size() > 0 ? sums.mapped(execution_.backend, centre_, T_) : sums;
}

bool Msvr::fit(const GroupedSums& seen, double ridge, ReducedFit& out) const {
  GroupRegression regression;
  if (!solve_groups(execution_.backend, execution_.interrupt, seen, ridge, choice_.bias, regression)) return false;
  const Vector mean = seen.totals.rowwise().sum() / seen.weight();
  out.explained = (seen.totals - mean * seen.weights.transpose()).transpose() * regression.W;
  if (T_.size() > 0) {
    out.A.resize(T_.rows(), regression.W.cols());
    execution_.backend.multiply(1, T_, Transpose::no, regression.W, Transpose::no, 0, out.A);
  } else {
    out.A = regression.W;
  }
  out.b = regression.b - out.A.transpose() * (shift_ + centre_);
  out.origin = choice_.components ? regression.b : out.b;
  out.W = std::move(regression.W);
  out.c = std::move(regression.b);
  return true;
}

const MachineEntry kMsvr{
    .name = "msvr",
    .summary = "coding and regression on kernel values at centres, then a small decoder: any number of rows",
    .cost = "n m^2 with m centres",
    .source = "Chen, Lee, Lee, Lee, Huang 2009",
    .parameter = "cost",
    .bias = BiasUse::always,
    .usual_decoder = "flda",
    .fitted_decoder = true,
    .usual_penalty = PenaltyKind::identity,
    .on_columns = [](ColumnChoices c) -> std::unique_ptr<ReducedMachine> {
      return std::make_unique<Msvr>(c.execution, c.regression, c.columns, c.all, std::move(c.shift));
    },
};

}  // namespace manyone
