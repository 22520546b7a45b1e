// SPDX-License-Identifier: Apache-2.0
#include "machine/kernel_columns.hpp"

namespace manyone {

KernelColumns::KernelColumns(const Kernel& kernel, Features centres, std::vector<int> labels)
    : kernel_(kernel), centres_(std::move(centres)), labels_(std::move(labels)) {}

KernelColumns KernelColumns::at(const Kernel& kernel) const {
  KernelColumns out = *this;
  out.kernel_ = kernel;
  return out;
}

KernelColumns KernelColumns::only(std::span<const Index> kept) const {
  KernelColumns out = *this;
  out.centres_ = centres_.select(kept);
  out.labels_.clear();
  for (const Index j : kept) {
    if (!labels_.empty()) out.labels_.push_back(labels_[static_cast<std::size_t>(j)]);
  }
  out.centre_of_row_.clear();
  return out;
}

Matrix KernelColumns::of(const Backend& backend, const Features& rows) const {
  if (raw()) return rows.dense_rows(0, rows.rows());
  Matrix K(rows.rows(), count());
  backend.pair_statistics(kernel_.statistic(), rows, centres_, K);
  backend.apply_kernel(kernel_, K, K);
  return K;
}

void KernelColumns::weigh(std::span<const int> labels_of_rows, View values) const {
  if (gamma_.size() == 0) return;
  const Matrix of_class = gamma_(Eigen::all, labels_);  // L x m
  for (Index i = 0; i < values.rows(); ++i) {
    values.row(i).array() *= of_class.row(labels_of_rows[static_cast<std::size_t>(i)]).array();
  }
}

Matrix KernelColumns::of_centres(const Execution& execution) const {
  Matrix K(count(), count());
  execution.backend.pair_statistics(kernel_.statistic(), centres_, K, execution.interrupt);
  execution.backend.apply_kernel(kernel_, K, K);
  return K;
}

Expansion KernelColumns::expansion(const Matrix& A, const Vector& b) const {
  if (!raw()) return {kernel_, centres_, A, b};
  // x'A is the linear kernel at the columns of A.
  Kernel linear;
  linear.entry = &kLinear;
  return {linear, Features(Matrix(A.transpose())), Matrix::Identity(A.cols(), A.cols()), b};
}

Vector column_shift(const Execution& execution, const KernelColumns& columns) {
  if (columns.raw()) return Vector::Zero(columns.count());
  return columns.of_centres(execution).colwise().mean();
}

}  // namespace manyone
