// SPDX-License-Identifier: Apache-2.0
#include "manyone/machine/refits.hpp"

#include <algorithm>
#include <numeric>

namespace manyone {

TrainingPart without_fold(const LabelledRows& rows, const Folds& folds, std::size_t fold) {
  TrainingPart out;
  out.rows.classes = rows.classes;
  for (Index i = 0; i < rows.rows(); ++i) {
    if (folds.fold_of_row[static_cast<std::size_t>(i)] == static_cast<int>(fold)) continue;
    out.places.push_back(i);
    out.rows.labels.push_back(rows.labels[static_cast<std::size_t>(i)]);
  }
  if (rows.weights.size() > 0) out.rows.weights = rows.weights(out.places);
  return out;
}

std::vector<HeldOut> zero_outputs(std::size_t ridges, std::size_t partitions, Index n, Index q) {
  std::vector<HeldOut> out(ridges);
  for (HeldOut& one : out) {
    one.solved = true;
    one.of_partition.assign(partitions, Matrix::Zero(n, q));
  }
  return out;
}

Vector dual_bounds(const LabelledRows& rows, const std::vector<Index>& places, double cost) {
  if (rows.weights.size() == 0) return Vector::Constant(static_cast<Index>(places.size()), cost);
  return cost * rows.weights(places);
}

std::vector<std::size_t> descending(std::span<const double> ridges) {
  std::vector<std::size_t> order(ridges.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return ridges[a] > ridges[b]; });
  return order;
}

}  // namespace manyone
