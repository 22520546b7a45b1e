// SPDX-License-Identifier: Apache-2.0
#include "manyone/machine/class_blocks.hpp"

#include <algorithm>
#include <numeric>

namespace manyone {

ClassBlocks::ClassBlocks(const Matrix& gamma, const LabelledRows& rows)
    : gamma_(gamma), labelled_(rows), split_(gamma.isDiagonal(0)) {
  if (!split_) {
    rows_.emplace_back(static_cast<std::size_t>(rows.rows()));
    std::iota(rows_[0].begin(), rows_[0].end(), Index{0});
    return;
  }
  std::vector<std::vector<Index>> of_class(static_cast<std::size_t>(rows.classes));
  for (Index i = 0; i < rows.rows(); ++i)
    of_class[static_cast<std::size_t>(rows.labels[static_cast<std::size_t>(i)])].push_back(i);
  for (auto& block : of_class) {
    if (!block.empty()) rows_.push_back(std::move(block));
  }
}

Index ClassBlocks::largest() const {
  std::size_t most = 0;
  for (const auto& block : rows_) most = std::max(most, block.size());
  return static_cast<Index>(most);
}

double ClassBlocks::bytes() const {
  double sum = 0;
  for (const auto& block : rows_) sum += square_bytes(static_cast<Index>(block.size()));
  return sum;
}

void ClassBlocks::weigh(const std::vector<Index>& rows, const std::vector<Index>& columns, View K) const {
  const auto& y = labelled_.labels;
  for (Index i = 0; i < K.rows(); ++i) {
    const auto weights = gamma_.row(y[static_cast<std::size_t>(rows[static_cast<std::size_t>(i)])]);
    for (Index j = 0; j < K.cols(); ++j)
      K(i, j) *= weights[y[static_cast<std::size_t>(columns[static_cast<std::size_t>(j)])]];
  }
}

Matrix ClassBlocks::weighted_lower(const Gram& gram, std::size_t block) const {
  Matrix H;
  if (split_) {
    H = gram.lower(rows(block));
  } else {
    H.resize(gram.rows(), gram.rows());
    gram.lower(H);
  }
  weigh(rows(block), rows(block), H);
  return H;
}

Matrix segmented(const Vector& beta, const LabelledRows& rows) {
  Matrix A = Matrix::Zero(rows.rows(), rows.classes);
  for (Index i = 0; i < rows.rows(); ++i) A(i, rows.labels[static_cast<std::size_t>(i)]) = beta[i];
  return A;
}

Matrix segmented_sums(ConstView K, std::span<const Index> rows, const Vector& beta, const LabelledRows& labelled) {
  Matrix u = Matrix::Zero(static_cast<Index>(rows.size()), labelled.classes);
  for (Index r = 0; r < u.rows(); ++r) {
    const Index i = rows[static_cast<std::size_t>(r)];
    for (Index j = 0; j < beta.size(); ++j) u(r, labelled.labels[static_cast<std::size_t>(j)]) += K(i, j) * beta[j];
  }
  return u;
}

}  // namespace manyone
