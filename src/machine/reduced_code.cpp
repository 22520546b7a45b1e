// SPDX-License-Identifier: Apache-2.0
#include "machine/reduced_code.hpp"

#include <atomic>
#include <map>

namespace manyone {

ReducedCode::ReducedCode(const Execution& execution, Matrix code, const KernelColumns& columns)
    : execution_(execution), code_(std::move(code)), m_(columns.count()) {
  std::map<std::vector<Index>, std::vector<Index>> columns_of;
  for (Index k = 0; k < code_.cols(); ++k) {
    std::vector<Index> classes;
    for (Index c = 0; c < code_.rows(); ++c) {
      if (code_(c, k) != 0) classes.push_back(c);
    }
    columns_of[classes].push_back(k);
  }
  for (auto& [classes, its_columns] : columns_of) {
    Part part{classes, {}, its_columns, {}};
    for (Index j = 0; j < m_; ++j) {
      if (code_(columns.labels()[static_cast<std::size_t>(j)], its_columns.front()) != 0) part.centres.push_back(j);
    }
    if (!part.centres.empty()) parts_.push_back(std::move(part));
  }
  const Matrix K = columns.of_centres(execution);
  execution.backend.parallel_for(parts_.size(), [&](std::size_t p) {
    parts_[p].T = whitening(execution, K(parts_[p].centres, parts_[p].centres));
  });
}

bool ReducedCode::fit(const GroupedSums& seen, double ridge, ReducedFit& out) const {
  const Backend& backend = execution_.backend;
  out.A = Matrix::Zero(m_, code_.cols());
  out.b = Vector::Zero(code_.cols());
  std::atomic<bool> solved = true;
  backend.parallel_for(parts_.size(), [&](std::size_t p) {
    execution_.interrupt.check();
    const Part& part = parts_[p];
    const Index s = static_cast<Index>(part.centres.size());
    Matrix G = Matrix::Zero(s, s);
    Matrix right = Matrix::Zero(s, static_cast<Index>(part.columns.size()));
    for (const Index c : part.classes) {
      G += seen.squares_of_group[static_cast<std::size_t>(c)](part.centres, part.centres);
      const Vector total = seen.totals(part.centres, c);
      right += total * code_.row(c)(part.columns);
    }
    const Matrix& T = part.T;
    Matrix half(s, T.cols());
    backend.multiply(1, G, Transpose::no, T, Transpose::no, 0, half);
    Matrix C(T.cols(), T.cols());
    backend.multiply(1, T, Transpose::yes, half, Transpose::no, 0, C);
    C.diagonal().array() += ridge;
    Matrix W = T.transpose() * right;
    if (!backend.cholesky(C, execution_.interrupt)) {
      solved = false;
      return;
    }
    backend.cholesky_solve(C, W);
    out.A(part.centres, part.columns) = T * W;
  });
  return solved && out.A.allFinite();
}

}  // namespace manyone
