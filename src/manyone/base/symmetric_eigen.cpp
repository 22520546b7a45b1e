// SPDX-License-Identifier: Apache-2.0
#include "manyone/base/symmetric_eigen.hpp"

#include <Eigen/Eigenvalues>

namespace manyone {

SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& symmetric) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(symmetric);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

}  // namespace manyone
