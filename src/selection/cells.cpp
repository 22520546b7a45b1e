// SPDX-License-Identifier: Apache-2.0
#include "selection/cells.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <numeric>

#include "decoder/decoder.hpp"
#include "manyone/errors.hpp"

namespace manyone {

namespace {

// Jobs into which a large set of cells is divided at least: enough for all workers to have work to the end.
constexpr std::size_t kJobs = 24;

// Cells whose held-out scores are kept: the chosen one is one of the best.
constexpr std::size_t kKept = 3;

/// Classes that a fold's decoder never predicts are no better and no worse than the last of the others.
Matrix without_unpredicted(const Matrix& scores) {
  Matrix out = scores;
  for (Index i = 0; i < out.rows(); ++i) {
    double last = std::numeric_limits<double>::infinity();
    for (const double score : out.row(i)) last = never_predicted(score) ? last : std::min(last, score);
    for (double& score : out.row(i)) score = std::max(score, last);
  }
  return out;
}

/// 1 - r^2 with r the (weighted) correlation of scores and class indicators, both centred in each row: smooth, and
/// blind to the scale of the scores.
double decorrelation(const Matrix& all_scores, std::span<const int> labels, const Vector& weights) {
  const bool whole = all_scores.size() == 0 || !never_predicted(all_scores.minCoeff());
  const Matrix scores = whole ? all_scores : without_unpredicted(all_scores);
  const auto L = static_cast<double>(scores.cols());
  double product = 0;
  double square = 0;
  double total = 0;
  for (Index i = 0; i < scores.rows(); ++i) {
    const double weight = weights.size() > 0 ? weights[i] : 1;
    const double mean = scores.row(i).mean();
    product += weight * (scores(i, labels[static_cast<std::size_t>(i)]) - mean);
    square += weight * (scores.row(i).array() - mean).square().sum();
    total += weight;
  }
  if (!std::isfinite(square)) return square;
  if (!(square > 0) || product <= 0) return 1;
  return 1 - product * product / (square * total * (1 - 1 / L));
}

/// Indices of cells that are scored together: up to `most` of one sigma.
std::vector<std::vector<std::size_t>> batches(std::span<const CellParameters> cells, std::size_t most) {
  std::vector<std::vector<std::size_t>> out;
  std::map<double, std::size_t> of_sigma;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto [place, fresh] = of_sigma.try_emplace(cells[i].sigma, out.size());
    if (!fresh && out[place->second].size() < most) {
      out[place->second].push_back(i);
    } else {
      place->second = out.size();
      out.push_back({i});
    }
  }
  return out;
}

}  // namespace

bool Cell::better_than(const Cell& other) const {
  if (solved != other.solved) return solved;
  if (error != other.error) return error < other.error;
  if (loss != other.loss) return loss < other.loss;
  if (at.ridge != other.at.ridge) return at.ridge > other.at.ridge;
  return at.sigma > other.at.sigma;
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

Cell CellScorer::score_one(const CellParameters& at, const HeldOut& heldout) const {
  Cell cell{at};
  if (!heldout.solved) return cell;
  const auto count = static_cast<double>(partitions_.size());
  std::vector<double> errors;
  for (std::size_t p = 0; p < partitions_.size(); ++p) {
    const Matrix& scores = heldout.of_partition[p];
    cell.loss += decorrelation(scores, source_.labels(), source_.weights()) / count;
    errors.push_back(fold_mean_error(argmax_classes(scores), source_.labels(), partitions_[p]));
  }
  if (!std::isfinite(cell.loss)) return Cell{at};
  cell.solved = true;
  cell.unfinished = heldout.unfinished;
  cell.error = 0;
  for (const double error : errors) cell.error += error / count;
  if (errors.size() > 1) {
    double square = 0;
    for (const double error : errors) square += (error - cell.error) * (error - cell.error);
    cell.std = std::sqrt(square / (count - 1));
  }
  cell.errors = std::move(errors);
  return cell;
}

// Cells of one sigma share the kernel matrix at least. What a cell scores does not depend on those scored with it,
// but for the last digits where they do share more.
std::vector<std::vector<std::size_t>> CellScorer::jobs_of(std::span<const CellParameters> cells) const {
  return batches(cells, source_.shares_kernel() ? cells.size() : std::max<std::size_t>(1, cells.size() / kJobs));
}

void CellScorer::note_asked(std::span<const CellParameters> cells) {
  if (screening_) return;
  for (const auto& job : jobs_of(cells)) {
    std::vector<CellParameters>& together = asked_.emplace_back();
    for (const std::size_t i : job) together.push_back(cells[i]);
  }
}

std::vector<Cell> CellScorer::score(std::span<const CellParameters> cells, const std::function<void(const Cell&)>& done,
                                    const std::function<void(double)>& under_way) {
  std::vector<Cell> out;
  for (const CellParameters& at : cells) out.push_back(Cell{at});
  const auto jobs = jobs_of(cells);
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  const std::size_t side_by_side = source_.workers(jobs.size());
  std::vector<double> inside(side_by_side, 0.0);     // shares of the jobs under way
  std::vector<double> job_cells(side_by_side, 0.0);  // and their sizes
  const auto work = [&](std::size_t worker) {
    const Turn turn{worker, screening_, [&, worker](double share) {
                      const std::lock_guard lock(mutex);
                      inside[worker] = share;
                      if (under_way) {
                        under_way(std::inner_product(inside.begin(), inside.end(), job_cells.begin(), 0.0));
                      }
                    }};
    for (std::size_t j = next++; j < jobs.size() && !execution_.interrupt.requested(); j = next++) {
      try {
        std::vector<double> ridges;
        for (const std::size_t i : jobs[j]) ridges.push_back(cells[i].ridge);
        {
          const std::lock_guard lock(mutex);
          job_cells[worker] = static_cast<double>(ridges.size());
        }
        auto scores = source_.heldout(cells[jobs[j].front()].sigma, ridges, partitions_, turn);
        for (std::size_t k = 0; k < ridges.size(); ++k) {
          const Cell cell = score_one(cells[jobs[j][k]], scores[k]);
          const std::lock_guard lock(mutex);
          inside[worker] = 0;
          if (!screening_ && cell.solved) keep(cell, std::move(scores[k]));
          out[jobs[j][k]] = cell;
          done(cell);
        }
      } catch (const Interrupted&) {
        return;  // what is finished counts
      }
    }
  };
  execution_.backend.parallel_for(side_by_side, work);  // of a single worker: parallel inside
  return out;
}

void CellScorer::keep(const Cell& cell, HeldOut scores) {
  scores.of_partition.resize(1);
  const auto place = std::ranges::find_if(kept_, [&](const auto& one) { return cell.better_than(one.first); });
  kept_.insert(place, {cell, std::move(scores)});
  if (kept_.size() > kKept) kept_.pop_back();
}

HeldOut CellScorer::heldout_at(const CellParameters& at) {
  const auto kept = std::ranges::find(kept_, at, [](const auto& one) { return one.first.at; });
  if (kept != kept_.end()) return kept->second;
  source_.workers(1);
  std::vector<double> ridges = {at.ridge};
  std::size_t place = 0;
  for (const auto& together : asked_) {
    const auto found = std::find(together.begin(), together.end(), at);
    if (found == together.end()) continue;
    place = static_cast<std::size_t>(found - together.begin());
    ridges.clear();
    for (const CellParameters& cell : together) ridges.push_back(cell.ridge);
    break;
  }
  HeldOut scores;
  execution_.backend.parallel_for(  // one call, with the backend's arithmetic of small numbers as in score()
      1, [&](std::size_t) { scores = std::move(source_.heldout(at.sigma, ridges, partitions_, {})[place]); });
  if (!scores.solved)
    throw ConfigError("ridge", "the chosen parameters give a system that is not positive definite",
                      "use a larger `ridge`");
  scores.of_partition.resize(1);
  return scores;
}

}  // namespace manyone
