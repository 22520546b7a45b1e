// SPDX-License-Identifier: Apache-2.0
#include "machine/class_blocks.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/small_algebra.hpp"

namespace manyone {

namespace {

// The usual threshold is that of rounding alone, which codewords from a file may exceed.
constexpr double kDependent = 1e-9;

}  // namespace

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

Matrix codeword_rows(const Labelbook& book, const LabelledRows& rows) {
  Matrix out(rows.rows(), book.length());
  for (Index i = 0; i < rows.rows(); ++i) out.row(i) = book.codewords.row(rows.labels[static_cast<std::size_t>(i)]);
  return out;
}

Matrix codeword_basis(const Labelbook& book, const Vector& weights) {
  std::vector<Index> present;
  for (Index c = 0; c < book.classes(); ++c) {
    if (weights[c] > 0) present.push_back(c);
  }
  return column_basis(book.codewords(present, Eigen::all).transpose(), kDependent);
}

Matrix codeword_basis(const Labelbook& book, const LabelledRows& rows) {
  Vector counts = Vector::Zero(book.classes());
  for (const int label : rows.labels) counts[label] += 1;
  return codeword_basis(book, counts);
}

Vector output_bias(const Labelbook& book, const Vector& b) {
  return shortest_solution(book.codewords.transpose(), b, kDependent);
}

Matrix segmented(const Vector& beta, const LabelledRows& rows) {
  Matrix A = Matrix::Zero(rows.rows(), rows.classes);
  for (Index i = 0; i < rows.rows(); ++i) A(i, rows.labels[static_cast<std::size_t>(i)]) = beta[i];
  return A;
}

Matrix segmented_sums(ConstView K, std::span<const Index> rows, const Vector& beta, const LabelledRows& labelled) {
  // Four rows at a time: within one row, sums of the same class wait for each other.
  constexpr std::size_t width = 4;
  Matrix u(static_cast<Index>(rows.size()), labelled.classes);
  Eigen::Matrix<double, Eigen::Dynamic, width, Eigen::RowMajor> sums(labelled.classes, width);
  for (std::size_t r = 0; r < rows.size(); r += width) {
    std::array<const double*, width> k;
    for (std::size_t t = 0; t < width; ++t) k[t] = K.row(rows[std::min(r + t, rows.size() - 1)]).data();
    sums.setZero();
    for (Index j = 0; j < beta.size(); ++j) {
      double* of_class = &sums(labelled.labels[static_cast<std::size_t>(j)], 0);
      for (std::size_t t = 0; t < width; ++t) of_class[t] += k[t][j] * beta[j];
    }
    for (std::size_t t = 0; t < width && r + t < rows.size(); ++t)
      u.row(static_cast<Index>(r + t)) = sums.col(static_cast<Index>(t)).transpose();
  }
  return u;
}

}  // namespace manyone
