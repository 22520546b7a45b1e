// SPDX-License-Identifier: Apache-2.0
#include "manyone/selection/cells.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>

#include "manyone/base/errors.hpp"
#include "manyone/decoder/decoder.hpp"
#include "manyone/machine/onelsm.hpp"
#include "manyone/solve/ridge.hpp"

namespace manyone {

namespace {

double square_bytes(Index n) { return 8.0 * static_cast<double>(n) * static_cast<double>(n); }

}  // namespace

/// What one worker needs: a Gram matrix and an inverse, reused from cell to cell.
struct CellScorer::Scratch {
  Matrix K;
  RidgeInverse inverse;
};

bool Cell::better_than(const Cell& other) const {
  if (solved != other.solved) return solved;
  if (error != other.error) return error < other.error;
  if (loss != other.loss) return loss < other.loss;
  if (at.ridge != other.at.ridge) return at.ridge > other.at.ridge;
  return at.sigma > other.at.sigma;
}

CellData CellData::part(const std::vector<Index>& rows) const {
  CellData out;
  out.classes = classes;
  out.statistics = statistics(rows, rows);
  for (const Index row : rows) out.labels.push_back(labels[static_cast<std::size_t>(row)]);
  if (weights.size() > 0) out.weights = weights(rows);
  return out;
}

double fold_mean_error(std::span<const int> predicted, std::span<const int> labels, const Folds& folds) {
  std::vector<double> wrong(static_cast<std::size_t>(folds.count), 0.0);
  std::vector<double> size(static_cast<std::size_t>(folds.count), 0.0);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto fold = static_cast<std::size_t>(folds.fold_of_row[i]);
    size[fold] += 1;
    if (predicted[i] != labels[i]) wrong[fold] += 1;
  }
  double sum = 0;
  int filled = 0;
  for (std::size_t k = 0; k < size.size(); ++k) {
    if (size[k] == 0) continue;
    sum += wrong[k] / size[k];
    ++filled;
  }
  return sum / filled;
}

double CellScorer::bytes_needed(Index n) { return 3 * square_bytes(n); }

CellScorer::CellScorer(const Execution& execution, const CellData& data, const Recipe& recipe, const Matrix& gamma,
                       std::vector<Folds> partitions)
    : execution_(execution),
      data_(data),
      recipe_(recipe),
      gamma_(gamma),
      partitions_(std::move(partitions)),
      targets_(indicator_targets(data.labels, data.classes)) {}

CellScorer::~CellScorer() = default;

bool CellScorer::solve(const CellParameters& at, Scratch& scratch) const {
  const Backend& backend = execution_.backend;
  scratch.K.resize(data_.rows(), data_.rows());
  backend.apply_kernel(recipe_.kernel_at(at.sigma), data_.statistics, scratch.K);
  const RidgeProblem problem{at.ridge, data_.weights, recipe_.bias};
  return invert_ridge(backend, execution_.interrupt, problem, scratch.K, targets_, scratch.inverse);
}

Cell CellScorer::score_one(const CellParameters& at, Scratch& scratch) const {
  Cell cell{at};
  cell.solved = solve(at, scratch);
  if (!cell.solved) return cell;
  std::vector<double> errors;
  for (const Folds& folds : partitions_) {
    const Matrix f =
        heldout_outputs(execution_.backend, execution_.interrupt, scratch.K, scratch.inverse, targets_, folds);
    cell.loss +=
        (f - targets_).squaredNorm() / static_cast<double>(data_.rows() * static_cast<Index>(partitions_.size()));
    const Matrix scores = f * gamma_;
    errors.push_back(fold_mean_error(argmax_classes(scores), data_.labels, folds));
  }
  const auto count = static_cast<double>(errors.size());
  cell.error = 0;
  for (const double error : errors) cell.error += error / count;
  if (errors.size() > 1) {
    double square = 0;
    for (const double error : errors) square += (error - cell.error) * (error - cell.error);
    cell.std = std::sqrt(square / (count - 1));
  }
  if (!std::isfinite(cell.loss)) cell = Cell{at};
  return cell;
}

std::vector<Cell> CellScorer::score(std::span<const CellParameters> cells,
                                    const std::function<void(const Cell&)>& done) {
  std::vector<Cell> out;
  for (const CellParameters& at : cells) out.push_back(Cell{at});
  // Cells side by side when each worker's two matrices fit; one after the other, parallel inside, when they do not.
  const double per_worker = 2 * square_bytes(data_.rows());
  const double room = static_cast<double>(execution_.memory.bytes()) - square_bytes(data_.rows());
  const auto workers = static_cast<std::size_t>(
      std::clamp<double>(std::floor(room / per_worker), 1,
                         std::min<double>(execution_.backend.threads(), static_cast<double>(cells.size()))));
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  while (scratch_.size() < workers) scratch_.push_back(std::make_unique<Scratch>());
  execution_.backend.parallel_for(workers, [&](std::size_t worker) {
    Scratch& scratch = *scratch_[worker];
    for (std::size_t i = next++; i < cells.size() && !execution_.interrupt.requested(); i = next++) {
      try {
        const Cell cell = score_one(cells[i], scratch);
        const std::lock_guard lock(mutex);
        out[i] = cell;
        done(cell);
      } catch (const Interrupted&) {
        return;  // what is finished counts
      }
    }
  });
  return out;
}

Matrix CellScorer::heldout_scores(const CellParameters& at, std::size_t partition) {
  if (scratch_.empty()) scratch_.push_back(std::make_unique<Scratch>());
  Scratch& scratch = *scratch_.front();
  if (!solve(at, scratch))
    throw ConfigError("the chosen parameters give a system that is not positive definite; use a larger ridge");
  return heldout_outputs(execution_.backend, execution_.interrupt, scratch.K, scratch.inverse, targets_,
                         partitions_[partition]) *
         gamma_;
}

}  // namespace manyone
