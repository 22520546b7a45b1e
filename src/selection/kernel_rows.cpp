// SPDX-License-Identifier: Apache-2.0
#include "selection/kernel_rows.hpp"

#include <algorithm>
#include <cmath>

#include "machine/training_parts.hpp"
#include "manyone/errors.hpp"
#include "model/model.hpp"
#include "selection/inside_observer.hpp"

namespace manyone {

/// What one worker needs, reused from cell to cell.
struct KernelRows::Scratch {
  Matrix K;
  Workspace workspace;
};

CellData CellData::part(const std::vector<Index>& rows) const {
  CellData out{rows_at(*this, rows), statistics(rows, rows)};
  if (raw) out.raw = raw->select(rows);
  return out;
}

Matrix refit_outputs(const Execution& execution, const MachineOfRecipe& trained, const CellData& data,
                     const std::vector<Index>& train, const std::vector<Index>& test, const CellParameters& at) {
  const Backend& backend = execution.backend;
  const Kernel kernel = trained.recipe.kernel_at(at.sigma);
  const LabelledRows part = rows_at(data, train);
  if (data.raw) {
    Features rows = data.raw->select(train);
    Features queries = data.raw->select(test);
    const Scaling scaling = Scaling::fit(scaling_for(trained.recipe, rows.sparse()), rows);
    scaling.apply(rows);
    scaling.apply(queries);
    Coefficients solution = trained.machine.fit(execution, FeatureGram(execution, kernel, rows), part, at.ridge);
    return Expansion{kernel, rows, std::move(solution.A), std::move(solution.b)}.evaluate(backend, queries);
  }
  Matrix K = data.statistics(train, train);
  backend.apply_kernel(kernel, K, K);
  const Coefficients solution = trained.machine.fit(execution, MatrixGram(kernel, K), part, at.ridge);
  Matrix cross = data.statistics(test, train);
  backend.apply_kernel(kernel, cross, cross);
  Matrix f(cross.rows(), solution.A.cols());
  f.rowwise() = solution.b.transpose();
  backend.multiply(1, cross, Transpose::no, solution.A, Transpose::no, 1, f);
  return f;
}

namespace {

/// refit_outputs() for every fold of a partition: n x q held-out outputs.
Matrix refit_by_fold(const Execution& execution, const MachineOfRecipe& trained, const CellData& data,
                     const Folds& folds, const CellParameters& at) {
  Matrix out;
  for (const std::vector<Index>& B : folds.rows()) {
    if (B.empty()) continue;
    execution.interrupt.check();
    const int fold = folds.fold_of_row[static_cast<std::size_t>(B.front())];
    std::vector<Index> R;
    for (Index i = 0; i < data.rows(); ++i) {
      if (folds.fold_of_row[static_cast<std::size_t>(i)] != fold) R.push_back(i);
    }
    const Matrix f = refit_outputs(execution, trained, data, R, B, at);
    if (out.size() == 0) out = Matrix::Zero(data.rows(), f.cols());
    for (std::size_t r = 0; r < B.size(); ++r) out.row(B[r]) = f.row(static_cast<Index>(r));
  }
  return out;
}

}  // namespace

double KernelRows::bytes_needed(const Machine& machine, const LabelledRows& rows) {
  return 2 * square_bytes(rows.rows()) + machine.heldout_bytes(rows);
}

KernelRows::KernelRows(const Execution& execution, const MachineOfRecipe& trained, CellData data, SharedWork* shared,
                       Fingerprint key)
    : execution_(execution), trained_(trained), data_(std::move(data)), shared_(shared), key_(key) {}

KernelRows::~KernelRows() = default;

std::size_t KernelRows::workers(std::size_t jobs) {
  const double per_worker = square_bytes(data_.rows()) + trained_.machine.heldout_bytes(data_);
  // Beside the pair statistics there are the outputs of the cells kept, and the program itself.
  constexpr double kKeptCells = 128;
  constexpr double kProgram = 32e6;
  const double kept = kKeptCells * 8.0 * static_cast<double>(data_.rows()) * static_cast<double>(data_.classes);
  const double room = static_cast<double>(execution_.memory.bytes()) - square_bytes(data_.rows()) - kept - kProgram;
  const auto count = static_cast<std::size_t>(std::clamp<double>(
      std::floor(room / per_worker), 1, std::min<double>(execution_.backend.threads(), static_cast<double>(jobs))));
  while (scratch_.size() < count) scratch_.push_back(std::make_unique<Scratch>());
  return count;
}

HeldOutMemo* KernelRows::memo(std::span<const Folds> partitions) const {
  if (shared_ == nullptr) return nullptr;
  Fingerprint key = key_;
  for (const Folds& folds : partitions) key.add(folds.count).add(std::span<const int>(folds.fold_of_row));
  return &shared_->memo(key.value());
}

std::vector<HeldOut> KernelRows::heldout(double sigma, std::span<const double> ridges,
                                         std::span<const Folds> partitions, const Turn& turn) {
  std::vector<HeldOut> out;
  if (data_.raw) {
    out = refits(sigma, ridges, partitions);
  } else {
    InsideObserver observer(execution_.observer, turn.report);
    const Execution inside{execution_.backend, execution_.memory, observer, execution_.interrupt};
    Scratch& scratch = *scratch_[turn.worker];
    scratch.workspace.screening = turn.screening;
    scratch.workspace.memo = memo(partitions);
    const Kernel kernel = trained_.recipe.kernel_at(sigma);
    scratch.K.resize(rows(), rows());
    execution_.backend.apply_kernel(kernel, data_.statistics, scratch.K);
    out = trained_.machine.heldout(inside, kernel, scratch.K, data_, partitions, ridges, scratch.workspace);
  }
  for (HeldOut& cell : out) {
    for (Matrix& f : cell.of_partition) f = trained_.decoder.scores(std::move(f));
  }
  return out;
}

std::vector<HeldOut> KernelRows::refits(double sigma, std::span<const double> ridges,
                                        std::span<const Folds> partitions) const {
  std::vector<HeldOut> out(ridges.size());
  for (std::size_t k = 0; k < ridges.size(); ++k) {
    try {
      for (const Folds& folds : partitions) {
        out[k].of_partition.push_back(refit_by_fold(execution_, trained_, data_, folds, {sigma, ridges[k]}));
      }
      out[k].solved = true;
    } catch (const ConfigError&) {
      out[k] = {};  // not positive definite
    }
  }
  return out;
}

double KernelRows::typical_distance() const {
  std::vector<double> squares;
  const Index n = data_.rows();
  const Index stride = std::max<Index>(1, n * n / 20000) | 1;  // odd, so that it does not run along columns
  squares.reserve(static_cast<std::size_t>(n * n / stride + 1));
  for (Index k = 0; k < n * n; k += stride) {
    if (k / n != k % n) squares.push_back(data_.statistics(k / n, k % n));
  }
  return median_distance(std::move(squares));
}

double KernelRows::typical_diagonal() const {
  if (trained_.recipe.has_sigma()) return 1;
  const Kernel kernel = trained_.recipe.kernel_at(1);
  double sum = 0;
  for (Index i = 0; i < rows(); ++i) sum += kernel(data_.statistics(i, i));
  const double mean = sum / static_cast<double>(rows());
  return mean > 0 && std::isfinite(mean) ? mean : 1;
}

std::unique_ptr<TuningRows> KernelRows::part(const std::vector<Index>& rows) const {
  Fingerprint key = key_;
  key.add(rows.size());
  for (const Index row : rows) key.add(row);
  return std::make_unique<KernelRows>(execution_, trained_, data_.part(rows), shared_, key);
}

Matrix KernelRows::refit_scores(const std::vector<Index>& train, const std::vector<Index>& test,
                                const CellParameters& at) const {
  return trained_.decoder.scores(refit_outputs(execution_, trained_, data_, train, test, at));
}

}  // namespace manyone
