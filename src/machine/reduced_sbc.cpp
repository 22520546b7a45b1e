// SPDX-License-Identifier: Apache-2.0
#include "machine/reduced_sbc.hpp"

namespace manyone {

ReducedSbc::ReducedSbc(const Execution& execution, PenaltyKind penalty, const LabelSpace& labels,
                       const KernelColumns& columns, const GroupedSums& all)
    : regression_(execution, {penalty, false, {}}, columns, all, Vector::Zero(columns.count())),
      spaces_(label_eigenspaces(labels, columns.kernel())) {}

bool ReducedSbc::fit(const GroupedSums& seen, double ridge, ReducedFit& out) const {
  const Index L = seen.groups();
  const Matrix S = 2 * Matrix::Identity(L, L) - Matrix::Ones(L, L);
  Matrix A;
  for (const LabelEigenspace& space : spaces_) {
    if (!regression_.fit(seen, ridge / space.value, out)) return false;
    if (A.size() == 0) A = Matrix::Zero(out.A.rows(), L);
    A += out.A * (S * space.basis * space.basis.transpose());
  }
  out.A = std::move(A);
  out.b = Vector::Zero(L);
  return true;
}

}  // namespace manyone
