// SPDX-License-Identifier: Apache-2.0
#include "selection/reduced_rows.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "machine/training_parts.hpp"

namespace manyone {

namespace {

constexpr Index kPairRows = 200;  // whose distances tell the scale of the data

/// Centres that a machine has which is trained on the given rows of the sample.
std::vector<Index> centres_of_rows(const KernelColumns& columns, std::span<const Index> rows) {
  std::vector<bool> seen(static_cast<std::size_t>(columns.count()), false);
  for (const Index i : rows) {
    const Index centre = columns.centre_of_row()[static_cast<std::size_t>(i)];
    if (centre >= 0) seen[static_cast<std::size_t>(centre)] = true;
  }
  std::vector<Index> out;
  for (Index j = 0; j < columns.count(); ++j) {
    if (seen[static_cast<std::size_t>(j)]) out.push_back(j);
  }
  return out;
}

/// Scores of some rows by a machine trained on sums; empty when the ridge is too small.
struct Trained {
  ReducedFit fit;
  Matrix code;
  Decoder decoder;

  Matrix scores(const Backend& backend, ConstView values) const {
    const Matrix A = fit.A * code;
    Matrix f(values.rows(), A.cols());
    f.rowwise() = (code.transpose() * fit.b).transpose();
    backend.multiply(1, values, Transpose::no, A, Transpose::no, 1, f);
    return decoder.scores(std::move(f));
  }
};

}  // namespace

std::vector<Matrix> scores_without_fold(const Execution& execution, const Recipe& recipe, const PreparedTable& table,
                                        const FoldedColumns& folded, std::span<const double> ridges) {
  const Backend& backend = execution.backend;
  const auto n = std::ssize(table.labels);
  GroupedSums all = folded.folds.front();
  for (std::size_t f = 1; f < folded.folds.size(); ++f) all += folded.folds[f];
  const auto of_all = reduced_machine(execution, recipe, table, folded.columns, all, folded.shift);
  const bool leaves_centres_out =
      !folded.centres_stay && centres_leave_with_rows(recipe, folded.columns, table.table_rows());
  const ReducedDecoding decoding(recipe, table.class_counts);
  const auto held_out = folded.fold_of_sample.rows();
  std::vector<Matrix> out(ridges.size(), Matrix::Zero(n, table.classes()));
  std::vector<std::atomic<bool>> failed(ridges.size());
  for (std::size_t f = 0; f < held_out.size() - (folded.centres_stay ? 1 : 0); ++f) {
    const std::vector<Index>& test = held_out[f];
    if (test.empty()) continue;
    std::vector<Index> train;
    for (Index i = 0; i < n; ++i) {
      if (folded.fold_of_sample.fold_of_row[static_cast<std::size_t>(i)] != static_cast<int>(f)) train.push_back(i);
    }
    GroupedSums rest_sums = all.without(folded.folds[f]);
    if (!(rest_sums.weight() > 0)) continue;
    std::unique_ptr<ReducedMachine> of_fold;
    std::vector<Index> kept;
    if (leaves_centres_out) {
      kept = centres_of_rows(folded.columns, train);
      rest_sums = rest_sums.only(kept);
      of_fold = reduced_machine(execution, recipe, table, folded.columns.only(kept), rest_sums, folded.shift(kept));
    } else {
      for (Index j = 0; j < folded.columns.count(); ++j) kept.push_back(j);
    }
    const ReducedMachine& machine = of_fold ? *of_fold : *of_all;
    const GroupedSums seen = machine.seen(rest_sums);
    const Matrix values = folded.values(test, kept);
    const LabelledRows rest =
        decoding.needs_rows() ? rows_at({table.labels, table.classes(), table.weights}, train) : LabelledRows{};
    backend.parallel_for(ridges.size(), [&](std::size_t k) {
      execution.interrupt.check();
      Trained one;
      if (!machine.fit(seen, ridges[k], one.fit)) {
        failed[k] = true;
        return;
      }
      one.code = decoding.code(one.fit);
      Matrix outputs;
      if (decoding.needs_rows()) {
        outputs = folded.values(train, kept) * one.fit.A;
        outputs.rowwise() += one.fit.b.transpose();
      }
      one.decoder = decoding.decoder(backend, one.fit, one.code, seen, outputs, rest.labels, rest.weights);
      const Matrix scores = one.scores(backend, values);
      for (std::size_t i = 0; i < test.size(); ++i) out[k].row(test[i]) = scores.row(static_cast<Index>(i));
    });
  }
  for (std::size_t k = 0; k < ridges.size(); ++k) {
    if (failed[k]) out[k].resize(0, 0);
  }
  return out;
}

double ReducedRows::typical_distance() const {
  const Index stride = std::max<Index>(1, rows() / kPairRows);
  std::vector<Index> chosen;
  for (Index i = 0; i < rows(); i += stride) chosen.push_back(i);
  const Features some = table_.features.select(chosen);
  Matrix squares(some.rows(), some.rows());
  execution_.backend.pair_statistics(PairStatistic::squared_distance, some, squares, execution_.interrupt);
  return median_distance({squares.data(), squares.data() + squares.size()});
}

double ReducedRows::typical_diagonal() const {
  if (recipe_.has_sigma()) return 1;
  const Vector squares = table_.features.squared_norms();
  const Kernel kernel = recipe_.kernel_at(1);
  double sum = 0;
  for (const double square : squares) sum += kernel(square);
  const double mean = sum / static_cast<double>(rows());
  return mean > 0 && std::isfinite(mean) ? mean : 1;
}

double ReducedRows::usual_ridge() const {
  const RegressionChoice choice = choice_for(recipe_, table_.table_rows());
  return choice.penalty == PenaltyKind::identity ? std::exp2(-8) : std::exp2(-4);
}

PreparedTable ReducedRows::part_of(const std::vector<Index>& rows) const {
  PreparedTable out{table_.source, table_.scaling, {}, {}, table_.features.select(rows), {}, table_.class_counts};
  for (const Index i : rows) {
    out.rows.push_back(table_.rows[static_cast<std::size_t>(i)]);
    out.labels.push_back(table_.labels[static_cast<std::size_t>(i)]);
  }
  if (table_.weights.size() > 0) out.weights = table_.weights(rows);
  return out;
}

std::unique_ptr<TuningRows> ReducedRows::part(const std::vector<Index>& rows) const {
  return std::make_unique<ReducedRows>(execution_, recipe_, part_of(rows));
}

// Centres are the same for all widths, unless they are drawn by a leverage that depends on it.
const KernelColumns& ReducedRows::columns_at(double sigma) {
  columns_ = columns_ && recipe_.reduction.kind != ReduceKind::leverage
                 ? columns_->at(recipe_.kernel_at(sigma))
                 : columns_for(execution_, recipe_, sigma, table_);
  return *columns_;
}

std::vector<HeldOut> ReducedRows::heldout(double sigma, std::span<const double> ridges,
                                          std::span<const Folds> partitions, const Turn&) {
  const KernelColumns& columns = columns_at(sigma);
  const Index m = columns.count();
  execution_.memory.require(
      8.0 * static_cast<double>(rows()) * static_cast<double>(m) +
          FoldSums::bytes(
              m, (partitions.front().count + 4) * squares_of(columns, table_.classes()) + execution_.backend.threads()),
      fmt::format("tuning on {} rows with {} centres", rows(), m),
      "use fewer centres, or raise the limit with `memory`");
  const Matrix values = columns.of(execution_.backend, table_.features);
  const Vector shift =
      choice_for(recipe_, table_.table_rows()).bias ? column_shift(execution_, columns) : Vector::Zero(m);
  std::vector<HeldOut> out(ridges.size());
  for (HeldOut& cell : out) cell.solved = true;
  for (const Folds& folds : partitions) {
    std::vector<GroupedSums> sums;
    for (const std::vector<Index>& fold : folds.rows()) {
      execution_.interrupt.check();
      const LabelledRows part = rows_at({table_.labels, table_.classes(), table_.weights}, fold);
      sums.emplace_back(m, table_.classes(), columns.classes_apart());
      Matrix x = values(fold, Eigen::all);
      columns.weigh(part.labels, x);
      x.rowwise() -= shift.transpose();
      sums.back().add(execution_.backend, x, part.labels, part.weights);
      sums.back().complete();
    }
    auto scores = scores_without_fold(execution_, recipe_, table_, {columns, shift, sums, folds, values}, ridges);
    for (std::size_t k = 0; k < ridges.size(); ++k) {
      if (scores[k].size() == 0) out[k].solved = false;
      out[k].of_partition.push_back(std::move(scores[k]));
    }
  }
  return out;
}

Matrix ReducedRows::refit_scores(const std::vector<Index>& train, const std::vector<Index>& test,
                                 const CellParameters& at) const {
  const PreparedTable training = part_of(train);
  const KernelColumns columns = columns_for(execution_, recipe_, at.sigma, training);
  const bool bias = choice_for(recipe_, table_.table_rows()).bias;
  const Vector shift = bias ? column_shift(execution_, columns) : Vector::Zero(columns.count());
  FoldSums sums(execution_, columns, shift, table_.classes(), 1);
  sums.add(training.features, training.labels, std::vector<int>(train.size(), 0), training.weights);
  PassedRows passed{columns, shift, sums.finish()};
  const Model model = train_reduced(execution_, recipe_, training, passed, at.ridge);
  return model.decoder.scores(model.expansion.evaluate(execution_.backend, table_.features.select(test)));
}

}  // namespace manyone
