// SPDX-License-Identifier: Apache-2.0
#include "solve/quadratic_form.hpp"

namespace manyone {

namespace {

std::vector<Index> nonzeros(const Vector& s) {
  std::vector<Index> out;
  for (Index i = 0; i < s.size(); ++i) {
    if (s[i] != 0) out.push_back(i);
  }
  return out;
}

}  // namespace

Vector DenseForm::times(const Vector& s) const {
  Vector out = Vector::Zero(size());
  for (const Index i : nonzeros(s)) out += s[i] * K_.row(i).transpose();
  return out;
}

void DenseForm::keep(const std::vector<Index>& active) {
  const bool all = static_cast<Index>(active.size()) == size();
  kept_ = all ? Matrix() : Matrix(K_(active, active));
  rows_ = all ? K_.data() : kept_.data();
  stride_ = all ? K_.outerStride() : kept_.outerStride();
}

Vector KroneckerForm::times(const Vector& s) const {
  const Eigen::Map<const Matrix> S(s.data(), A_.rows(), B_.rows());
  const Matrix product = A_ * (S * B_);
  return Eigen::Map<const Vector>(product.data(), product.size());
}

void KroneckerForm::keep(const std::vector<Index>& active) {
  active_ = active;
  if (static_cast<Index>(active.size()) == size()) active_.clear();
}

const double* KroneckerForm::row(Index place, int slot) {
  Vector& out = rows_[slot];
  const Index i = active_.empty() ? place : active_[static_cast<std::size_t>(place)];
  const double* a = A_.data() + outer(i) * A_.outerStride();
  const double* b = B_.data() + inner(i) * B_.outerStride();
  const Index width = B_.rows();
  if (active_.empty()) {
    out.resize(size());
    for (Index j = 0; j < A_.rows(); ++j) {
      for (Index s = 0; s < width; ++s) out[j * width + s] = a[j] * b[s];
    }
  } else {
    out.resize(static_cast<Index>(active_.size()));
    for (Index k = 0; k < out.size(); ++k) {
      const Index at = active_[static_cast<std::size_t>(k)];
      out[k] = a[outer(at)] * b[inner(at)];
    }
  }
  return out.data();
}

}  // namespace manyone
