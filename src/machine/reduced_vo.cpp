// SPDX-License-Identifier: Apache-2.0
#include "machine/reduced_vo.hpp"

#include "base/small_algebra.hpp"
#include "machine/class_blocks.hpp"

namespace manyone {

ReducedVo::ReducedVo(const Execution& execution, ReducedVoKind kind, LabelSpace labels, bool bias,
                     const KernelColumns& columns)
    : execution_(execution),
      kind_(kind),
      labels_(std::move(labels)),
      bias_(bias),
      centres_{columns.labels(), labels_.classes(), {}},
      of_class_(labels_.gamma(Eigen::all, columns.labels())) {
  if (kind == ReducedVoKind::rls_beta) return;
  Matrix H = columns.of_centres(execution);
  for (Index j = 0; j < H.rows(); ++j) H.row(j).array() *= of_class_.row(centres_.labels[j]).array();
  T_ = whitening(execution, std::move(H));
}

GroupedSums ReducedVo::seen(const GroupedSums& sums) const {
  GroupedSums out = sums;
  if (kind_ != ReducedVoKind::lssvm) {
    for (Index j = 0; j < out.columns(); ++j) {
      out.squares.row(j).array() *= of_class_.row(centres_.labels[static_cast<std::size_t>(j)]).array();
    }
    out.totals.array() *= of_class_.transpose().array();
  }
  return T_.size() > 0 ? out.mapped(execution_.backend, Vector::Zero(out.columns()), T_) : out;
}

bool ReducedVo::fit(const GroupedSums& seen, double ridge, ReducedFit& out) const {
  const Backend& backend = execution_.backend;
  Matrix C = seen.squares;
  C.diagonal().array() += ridge;
  if (!backend.cholesky(C, execution_.interrupt)) return false;
  Matrix z = seen.totals.rowwise().sum();
  backend.cholesky_solve(C, z);
  out.b = Vector::Zero(labels_.classes());
  if (bias_) {  // beta = z - Z b with Z = C^{-1} U, U = sum of x y'; b from the rows' own equation
    const Matrix basis = codeword_basis(labels_.book, seen.weights);
    const Matrix B = labels_.book.codewords * basis;
    const Matrix U = seen.totals * B;
    Matrix Z = U;
    backend.cholesky_solve(C, Z);
    const Vector right = B.transpose() * seen.weights - U.transpose() * z.col(0);
    const Matrix S = B.transpose() * seen.weights.asDiagonal() * B - U.transpose() * Z;
    const Vector b = solve_symmetric(S, right);
    z.col(0) -= Z * b;
    out.b = output_bias(labels_.book, basis * b);
  }
  out.A = segmented(T_.size() > 0 ? Vector(T_ * z.col(0)) : Vector(z.col(0)), centres_);
  return out.A.allFinite();
}

}  // namespace manyone
