// SPDX-License-Identifier: Apache-2.0
//
// Eigen's matrices at the door, for programs that have Eigen: views of theirs, and maps of what comes back. Nothing of
// Eigen crosses into the library, so the program may be compiled for any processor and with any of Eigen's settings.
#pragma once

#include <type_traits>

#include <Eigen/Core>
#include <manyone/matrix.hpp>

namespace manyone::abi_0 {

/// The numbers of a matrix, block or map of doubles where they are, row-major or column-major; they must stay there
/// while the view is used.
template <class Derived>
MatrixView view(const Eigen::DenseBase<Derived>& rows) {
  constexpr bool of_doubles = std::is_same_v<typename Derived::Scalar, double>;
  constexpr bool in_memory = (int(Derived::Flags) & int(Eigen::DirectAccessBit)) != 0;
  static_assert(of_doubles, "manyone reads doubles: use .cast<double>().eval()");
  static_assert(in_memory, "manyone reads numbers in memory: use .eval() for an expression");
  if constexpr (of_doubles && in_memory) {  // else the compiler says more than that
    const Derived& x = rows.derived();
    return {x.data(), x.rows(), x.cols(), x.rowStride(), x.colStride()};
  }
}

using RowMajorMap = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

/// Scores or probabilities as Eigen sees them, while the matrix lives.
inline RowMajorMap map(const Matrix& matrix) {
  return {matrix.data(), Eigen::Index(matrix.rows()), Eigen::Index(matrix.columns())};
}
RowMajorMap map(Matrix&&) = delete;

}  // namespace manyone::abi_0

namespace manyone {
using namespace abi_0;
}
