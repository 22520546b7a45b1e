// SPDX-License-Identifier: Apache-2.0
#include "manyone/machine/vo_svm.hpp"

#include <algorithm>
#include <numeric>

#include "manyone/machine/unfinished.hpp"

namespace manyone {

namespace {

/// Bounds of the rows at `places` of `rows`.
Vector bounds_of(const LabelledRows& rows, const std::vector<Index>& places, double cost) {
  if (rows.weights.size() == 0) return Vector::Constant(static_cast<Index>(places.size()), cost);
  return cost * rows.weights(places);
}

BoxQpSummary solve(const Execution& execution, ConstView H, Vector upper, const BoxQpOptions& options, Vector& beta) {
  DenseForm Q(H);
  const BoxQp problem{Vector::Ones(H.rows()), Vector::Zero(H.rows()), std::move(upper), false};
  return solve_box_qp(execution.interrupt, Q, problem, options, beta);
}

}  // namespace

Coefficients VoSvm::fit(const Execution& execution, const Gram& gram, const LabelledRows& rows, double ridge) const {
  const ClassBlocks blocks(labels().gamma, rows);
  Vector beta = Vector::Zero(rows.rows());
  Unfinished unfinished;
  execution.backend.parallel_for(blocks.count(), [&](std::size_t k) {
    const auto& block = blocks.rows(k);
    Matrix H = blocks.weighted_lower(gram, k);
    H.triangularView<Eigen::StrictlyUpper>() = H.transpose();
    Vector part = Vector::Zero(H.rows());
    unfinished.add(solve(execution, H, bounds_of(rows, block, 1 / ridge), options_, part));
    beta(block) = part;
  });
  unfinished.report(execution, options_.tolerance);
  return {segmented(beta, rows), Vector::Zero(rows.classes)};
}

std::vector<HeldOut> VoSvm::heldout(const Execution& execution, const Kernel&, View K, const LabelledRows& rows,
                                    std::span<const Folds> partitions, std::span<const double> ridges,
                                    Workspace&) const {
  std::vector<HeldOut> out(ridges.size());
  for (HeldOut& one : out) {
    one.solved = true;
    one.of_partition.assign(partitions.size(), Matrix::Zero(rows.rows(), rows.classes));
  }
  std::vector<std::size_t> order(ridges.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return ridges[a] > ridges[b]; });
  const ClassBlocks blocks(labels().gamma, rows);
  for (std::size_t p = 0; p < partitions.size(); ++p) {
    const auto fold_rows = partitions[p].rows();
    for (std::size_t fold = 0; fold < fold_rows.size(); ++fold) {
      const std::vector<Index>& B = fold_rows[fold];
      if (B.empty()) continue;
      std::vector<Vector> betas(ridges.size(), Vector::Zero(rows.rows()));
      for (std::size_t k = 0; k < blocks.count(); ++k) {
        std::vector<Index> R;
        for (const Index i : blocks.rows(k)) {
          if (partitions[p].fold_of_row[static_cast<std::size_t>(i)] != static_cast<int>(fold)) R.push_back(i);
        }
        if (R.empty()) continue;
        Matrix H = K(R, R);
        blocks.weigh(R, R, H);
        Vector beta = Vector::Zero(H.rows());
        bool saturated = false;
        for (const std::size_t r : order) {
          const Vector upper = bounds_of(rows, R, 1 / ridges[r]);
          // Once no bound is active the solution is that of every larger cost.
          if (!saturated) solve(execution, H, upper, for_screening(options_, H.rows()), beta);
          saturated = saturated || (beta.array() < upper.array()).all();
          betas[r](R) = beta;
        }
      }
      for (std::size_t r = 0; r < ridges.size(); ++r)
        out[r].of_partition[p](B, Eigen::all) = segmented_sums(K, B, betas[r], rows);
    }
  }
  return out;
}

}  // namespace manyone
