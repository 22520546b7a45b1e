// SPDX-License-Identifier: Apache-2.0
//
// Dense problems of the size of the number of classes or of the columns of a code. Compiled once: the templates behind
// them take longer than most files that need one. Large matrices go through the backend.
#pragma once

#include "base/matrix.hpp"

namespace manyone {

struct SymmetricEigen {
  Vector values;            ///< ascending
  Eigen::MatrixXd vectors;  ///< a column each
};
/// Only the lower triangle is looked at.
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& symmetric);

/// X with S X = right for a symmetric S, which need not be definite.
Eigen::MatrixXd solve_symmetric(const Eigen::MatrixXd& S, const Eigen::MatrixXd& right);

/// S = L L' for a symmetric positive definite S.
class SmallCholesky {
 public:
  /// False if S is not numerically positive definite.
  bool compute(const Eigen::MatrixXd& S);
  /// Precondition: computed.
  Eigen::MatrixXd solve(Eigen::MatrixXd right) const;

 private:
  Eigen::MatrixXd L_;
};

/// An orthonormal basis of the columns of A; what is smaller than `dependent` of the largest is none of its own.
Eigen::MatrixXd column_basis(const Eigen::MatrixXd& A, double dependent);
/// The shortest x with A x = b, or with A x as near to b as can be; columns count as in column_basis().
Vector shortest_solution(const Eigen::MatrixXd& A, const Vector& b, double dependent);

/// W = U diag(values) vectors'.
struct RightSingular {
  Vector values;            ///< descending
  Eigen::MatrixXd vectors;  ///< q x q, a column each
};
RightSingular right_singular(Eigen::MatrixXd W);

}  // namespace manyone
