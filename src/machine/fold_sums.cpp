// SPDX-License-Identifier: Apache-2.0
#include "machine/fold_sums.hpp"

#include <algorithm>

namespace manyone {

namespace {

constexpr std::size_t kChunk = 1024;  // rows: kernel values of a chunk and 1000 centres take 8 MB

}  // namespace

Features stacked(std::span<const Features> pieces) {
  if (pieces.size() == 1) return pieces.front();
  Index n = 0;
  for (const Features& piece : pieces) n += piece.rows();
  const Index d = pieces.front().features();
  if (!pieces.front().sparse()) {
    Matrix out(n, d);
    Index row = 0;
    for (const Features& piece : pieces) {
      out.middleRows(row, piece.rows()) = piece.view();
      row += piece.rows();
    }
    return out;
  }
  SparseMatrix out(n, d);
  Index row = 0;
  for (const Features& piece : pieces) {
    for (Index i = 0; i < piece.rows(); ++i, ++row) {
      out.startVec(row);
      for (SparseMatrix::InnerIterator cell(piece.csr(), i); cell; ++cell)
        out.insertBack(row, cell.col()) = cell.value();
    }
  }
  out.finalize();
  return out;
}

FoldSums::FoldSums(const Execution& execution, const KernelColumns& columns, Vector shift, Index classes, int folds)
    : execution_(execution),
      columns_(columns),
      shift_(std::move(shift)),
      sums_(static_cast<std::size_t>(folds), GroupedSums(columns.count(), classes, columns.classes_apart())),
      waiting_(static_cast<std::size_t>(folds)) {}

void FoldSums::add(const Features& rows, std::span<const int> labels, std::span<const int> folds,
                   const Vector& weights) {
  std::vector<std::vector<Index>> of_fold(sums_.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    of_fold[static_cast<std::size_t>(folds[i])].push_back(static_cast<Index>(i));
  }
  for (std::size_t f = 0; f < sums_.size(); ++f) {
    Waiting& waiting = waiting_[f];
    std::span<const Index> rest = of_fold[f];
    while (!rest.empty()) {
      const auto now = rest.first(std::min(rest.size(), kChunk - waiting.labels.size()));
      waiting.pieces.push_back(rows.select(now));
      for (const Index i : now) {
        waiting.labels.push_back(labels[static_cast<std::size_t>(i)]);
        if (weights.size() > 0) waiting.weights.push_back(weights[i]);
      }
      rest = rest.subspan(now.size());
      if (waiting.labels.size() == kChunk) flush(f);
    }
  }
}

void FoldSums::flush(std::size_t fold) {
  Waiting& waiting = waiting_[fold];
  if (waiting.labels.empty()) return;
  execution_.interrupt.check();
  Matrix x = columns_.of(execution_.backend, stacked(waiting.pieces));
  columns_.weigh(waiting.labels, x);
  if (!shift_.isZero(0)) x.rowwise() -= shift_.transpose();
  sums_[fold].add(execution_.backend, x, waiting.labels,
                  Eigen::Map<const Vector>(waiting.weights.data(), static_cast<Index>(waiting.weights.size())));
  waiting = {};
}

std::vector<GroupedSums> FoldSums::finish() {
  for (std::size_t f = 0; f < sums_.size(); ++f) {
    flush(f);
    sums_[f].complete();
  }
  return std::move(sums_);
}

double FoldSums::bytes(Index columns, Index squares) { return square_bytes(columns) * static_cast<double>(squares); }

}  // namespace manyone
