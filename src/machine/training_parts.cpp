// SPDX-License-Identifier: Apache-2.0
#include "machine/training_parts.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>

namespace manyone {

std::vector<Index> by_class(const LabelledRows& rows) {
  std::vector<Index> order(static_cast<std::size_t>(rows.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return rows.labels[static_cast<std::size_t>(a)] < rows.labels[static_cast<std::size_t>(b)];
  });
  return order;
}

LabelledRows rows_at(const LabelledRows& rows, const std::vector<Index>& places) {
  LabelledRows out;
  out.classes = rows.classes;
  for (const Index i : places) out.labels.push_back(rows.labels[static_cast<std::size_t>(i)]);
  if (rows.weights.size() > 0) out.weights = rows.weights(places);
  return out;
}

TrainingPart without_fold(const LabelledRows& rows, const Folds& folds, std::size_t fold) {
  std::vector<Index> places;
  for (Index i = 0; i < rows.rows(); ++i) {
    if (folds.fold_of_row[static_cast<std::size_t>(i)] != static_cast<int>(fold)) places.push_back(i);
  }
  return {places, rows_at(rows, places)};
}

TrainingPart without_rows(const LabelledRows& rows, const std::vector<Index>& left_out) {
  Folds folds{2, std::vector<int>(static_cast<std::size_t>(rows.rows()), 0)};
  for (const Index i : left_out) folds.fold_of_row[static_cast<std::size_t>(i)] = 1;
  return without_fold(rows, folds, 1);
}

Matrix outputs_at(const Backend& backend, const Gram& gram, const std::vector<Index>& rows,
                  const std::vector<Index>& trained_on, const Coefficients& machine) {
  Matrix f(static_cast<Index>(rows.size()), machine.A.cols());
  f.rowwise() = machine.b.transpose();
  backend.multiply(1, gram.block(rows, trained_on), Transpose::no, machine.A, Transpose::no, 1, f);
  return f;
}

void for_each_fold(const Execution& execution, const LabelledRows& rows, std::span<const Folds> partitions,
                   double bytes, const std::function<void(const FoldTask&)>& body) {
  std::vector<std::pair<std::size_t, std::size_t>> folds;
  for (std::size_t p = 0; p < partitions.size(); ++p) {
    for (int fold = 0; fold < partitions[p].count; ++fold) folds.emplace_back(p, static_cast<std::size_t>(fold));
  }
  std::atomic<std::size_t> done{0};
  execution.observer.begin("folds", static_cast<double>(folds.size()));
  const auto one = [&](std::size_t k) {
    execution.interrupt.check();
    const auto [p, fold] = folds[k];
    FoldTask task{p, {}, without_fold(rows, partitions[p], fold)};
    for (Index i = 0; i < rows.rows(); ++i) {
      if (partitions[p].fold_of_row[static_cast<std::size_t>(i)] == static_cast<int>(fold)) task.held_out.push_back(i);
    }
    if (!task.held_out.empty() && !task.training.places.empty()) body(task);
    execution.observer.update(static_cast<double>(++done), "");
  };
  if (execution.memory.fits(execution.backend.threads() * bytes)) {
    execution.backend.parallel_for(folds.size(), one);
  } else {
    for (std::size_t k = 0; k < folds.size(); ++k) one(k);
  }
}

std::vector<HeldOut> zero_outputs(std::size_t ridges, std::size_t partitions, Index n, Index q) {
  std::vector<HeldOut> out(ridges);
  for (HeldOut& one : out) {
    one.solved = true;
    one.of_partition.assign(partitions, Matrix::Zero(n, q));
  }
  return out;
}

void count_unfinished(bool converged, HeldOut& cell) {
  if (!converged) std::atomic_ref(cell.unfinished).fetch_add(1, std::memory_order_relaxed);
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

Matrix stacked(std::span<const Matrix> blocks) {
  Index rows = 0;
  for (const Matrix& block : blocks) rows += block.rows();
  Matrix out(rows, blocks.empty() ? 0 : blocks.front().cols());
  Index at = 0;
  for (const Matrix& block : blocks) {
    out.middleRows(at, block.rows()) = block;
    at += block.rows();
  }
  return out;
}

}  // namespace manyone
