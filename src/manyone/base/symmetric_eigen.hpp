// SPDX-License-Identifier: Apache-2.0
//
// Eigenvalues of small symmetric matrices, of the size of the number of classes. Compiled once: the solver's templates
// take longer than most files that need it. Large matrices go through Backend::eigen.
#pragma once

#include "manyone/base/matrix.hpp"

namespace manyone {

struct SymmetricEigen {
  Vector values;            ///< ascending
  Eigen::MatrixXd vectors;  ///< a column each
};

/// Only the lower triangle is looked at.
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& symmetric);

}  // namespace manyone
