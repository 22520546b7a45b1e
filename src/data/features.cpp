// SPDX-License-Identifier: Apache-2.0
#include "data/features.hpp"

#include <vector>

namespace manyone {

Features Features::borrowed(const double* first, Index rows, Index features) {
  Features out;
  out.store_ = Borrowed{first, rows, features};
  return out;
}

Eigen::Map<const Matrix> Features::view() const {
  return {borrows() ? std::get<Borrowed>(store_).first : dense().data(), rows(), features()};
}

Index Features::rows() const {
  return std::visit([](const auto& x) { return static_cast<Index>(x.rows()); }, store_);
}

Index Features::features() const {
  return std::visit([](const auto& x) { return static_cast<Index>(x.cols()); }, store_);
}

Features Features::select(std::span<const Index> rows) const {
  const auto count = static_cast<Index>(rows.size());
  if (!sparse()) {
    Matrix out(count, features());
    for (Index i = 0; i < count; ++i) out.row(i) = view().row(rows[static_cast<std::size_t>(i)]);
    return out;
  }
  SparseMatrix out(count, features());
  const SparseMatrix& x = csr();
  for (Index i = 0; i < count; ++i) {
    out.startVec(i);
    for (SparseMatrix::InnerIterator it(x, rows[static_cast<std::size_t>(i)]); it; ++it) {
      out.insertBack(i, it.col()) = it.value();
    }
  }
  out.finalize();
  return out;
}

Matrix Features::dense_rows(Index first, Index count) const {
  if (!sparse()) return view().middleRows(first, count);
  return csr().middleRows(first, count);
}

Vector Features::squared_norms() const {
  Vector norms(rows());
  if (!sparse()) {
    for (Index i = 0; i < rows(); ++i) norms[i] = view().row(i).squaredNorm();
  } else {
    for (Index i = 0; i < rows(); ++i) {
      double sum = 0;
      for (SparseMatrix::InnerIterator it(csr(), i); it; ++it) sum += it.value() * it.value();
      norms[i] = sum;
    }
  }
  return norms;
}

double Features::bytes() const {
  if (!sparse()) return 8.0 * static_cast<double>(view().size());
  return 12.0 * static_cast<double>(csr().nonZeros()) + 4.0 * static_cast<double>(rows());
}

}  // namespace manyone
