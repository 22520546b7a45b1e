// SPDX-License-Identifier: Apache-2.0
#include "manyone/machine/svm_ecoc.hpp"

#include <algorithm>

#include "manyone/machine/code_columns.hpp"
#include "manyone/machine/refits.hpp"
#include "manyone/machine/unfinished.hpp"

namespace manyone {

BoxQpSummary solve_binary_svm(const Interrupt& interrupt, QuadraticForm& Q, const Vector& t, const Vector& upper,
                              bool bias, const BoxQpOptions& options, Vector& s) {
  if (t.size() == 0 || (bias && t.minCoeff() == t.maxCoeff())) {
    s.setZero();
    BoxQpSummary out;
    out.b = t.size() == 0 ? 0 : t[0];
    out.converged = true;
    return out;
  }
  const BoxQp problem{t, (t.array() > 0).select(Vector::Zero(t.size()), -upper),
                      (t.array() > 0).select(upper, Vector::Zero(t.size())), bias};
  return solve_box_qp(interrupt, Q, problem, options, s);
}

OutputCode SvmEcoc::output_code() const {
  if (one_vs_all_) return {OutputMeaning::scores, Matrix::Identity(labels().classes(), labels().classes())};
  return {OutputMeaning::columns, code()};
}

double SvmEcoc::fit_bytes(const LabelledRows& rows) const {
  double most = 0;
  for (const ColumnGroup& group : column_groups(code(), rows))
    most = std::max(most, square_bytes(static_cast<Index>(group.rows.size())));
  return std::min(2 * most, square_bytes(rows.rows()));
}

Coefficients SvmEcoc::fit(const Execution& execution, const Gram& gram, const LabelledRows& rows, double ridge) const {
  const auto groups = column_groups(code(), rows);
  Coefficients out{Matrix::Zero(rows.rows(), code().cols()), Vector::Zero(code().cols())};
  Unfinished unfinished;
  const auto train = [&](const ColumnGroup& group, const Matrix& K, std::size_t k) {
    DenseForm Q(K);
    Vector s = Vector::Zero(K.rows());
    const auto summary = solve_binary_svm(execution.interrupt, Q, group.T.col(static_cast<Index>(k)),
                                          dual_bounds(rows, group.rows, 1 / ridge), bias_, options_, s);
    for (std::size_t i = 0; i < group.rows.size(); ++i)
      out.A(group.rows[i], group.columns[k]) = s[static_cast<Index>(i)];
    out.b[group.columns[k]] = summary.b;
    unfinished.add(summary);
  };
  // Many groups (pairs): side by side, each with a small matrix. Few (one against all): their columns side by side.
  const bool many = groups.size() >= static_cast<std::size_t>(2 * execution.backend.threads());
  if (many) {
    execution.backend.parallel_for(groups.size(), [&](std::size_t g) {
      const Matrix K = gram.full(groups[g].rows);
      for (std::size_t k = 0; k < groups[g].columns.size(); ++k) train(groups[g], K, k);
    });
  } else {
    for (const ColumnGroup& group : groups) {
      const Matrix K = gram.full(group.rows);
      execution.backend.parallel_for(group.columns.size(), [&](std::size_t k) { train(group, K, k); });
    }
  }
  unfinished.report(execution, options_.tolerance);
  return out;
}

std::vector<HeldOut> SvmEcoc::heldout(const Execution& execution, const Kernel&, View K, const LabelledRows& rows,
                                      std::span<const Folds> partitions, std::span<const double> ridges,
                                      Workspace&) const {
  auto out = zero_outputs(ridges.size(), partitions.size(), rows.rows(), code().cols());
  const auto groups = column_groups(code(), rows);
  const auto order = descending(ridges);
  for (std::size_t p = 0; p < partitions.size(); ++p) {
    const auto fold_rows = partitions[p].rows();
    for (std::size_t fold = 0; fold < fold_rows.size(); ++fold) {
      const std::vector<Index>& B = fold_rows[fold];
      if (B.empty()) continue;
      for (const ColumnGroup& group : groups) {
        std::vector<Index> R;
        std::vector<Index> places;
        for (std::size_t i = 0; i < group.rows.size(); ++i) {
          if (partitions[p].fold_of_row[static_cast<std::size_t>(group.rows[i])] == static_cast<int>(fold)) continue;
          R.push_back(group.rows[i]);
          places.push_back(static_cast<Index>(i));
        }
        const Matrix K_RR = K(R, R);
        const Matrix K_BR = K(B, R);
        DenseForm Q(K_RR);
        for (std::size_t k = 0; k < group.columns.size(); ++k) {
          const Vector t = group.T.col(static_cast<Index>(k))(places);
          Vector s = Vector::Zero(t.size());
          for (const std::size_t r : order) {
            const auto summary = solve_binary_svm(execution.interrupt, Q, t, dual_bounds(rows, R, 1 / ridges[r]), bias_,
                                                  for_screening(options_, t.size()), s);
            out[r].of_partition[p](B, group.columns[k]) = (K_BR * s).array() + summary.b;
          }
        }
      }
    }
  }
  return out;
}

}  // namespace manyone
