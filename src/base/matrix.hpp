// SPDX-License-Identifier: Apache-2.0
//
// The matrix types of the whole project. Everything dense is row-major (one row = one sample), the layout of
// numpy's default arrays and of the files we read; views carry an outer stride so that blocks need no copy.
// Matrices are made in one file of the project and freed in another, so all files must align them alike, whatever
// processor each is compiled for: to the most that any processor asks Eigen for. None crosses the door of the library.
#pragma once

#ifndef EIGEN_MAX_ALIGN_BYTES
#define EIGEN_MAX_ALIGN_BYTES 64
#endif
#include <Eigen/Core>
#include <Eigen/SparseCore>

namespace manyone {

static_assert(
    EIGEN_DEFAULT_ALIGN_BYTES == 64,
    "manyone aligns matrices to 64 bytes: compile all files that include Eigen with -DEIGEN_MAX_ALIGN_BYTES=64");
static_assert(sizeof(Eigen::Index) == 8 && EIGEN_MALLOC_ALREADY_ALIGNED == 0,
              "manyone has Eigen's own kind of index and of allocation: compile without EIGEN_DEFAULT_DENSE_INDEX_TYPE "
              "and EIGEN_MALLOC_ALREADY_ALIGNED");

using Index = Eigen::Index;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;
using SparseMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;

using ConstView = Eigen::Ref<const Matrix, 0, Eigen::OuterStride<>>;
using View = Eigen::Ref<Matrix, 0, Eigen::OuterStride<>>;

// Single precision: half the memory and half the time, for work whose result is refined or only compared.
using FloatMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ConstFloatView = Eigen::Ref<const FloatMatrix, 0, Eigen::OuterStride<>>;
using FloatView = Eigen::Ref<FloatMatrix, 0, Eigen::OuterStride<>>;

}  // namespace manyone
