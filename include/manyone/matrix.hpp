// SPDX-License-Identifier: Apache-2.0
//
// Numbers that cross the door: views of the program's memory go in, matrices that own theirs come out.
// <manyone/eigen.hpp> makes views of Eigen's matrices.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace manyone::abi_0 {

/// Numbers in the program's memory, a row for each sample; they must stay there while the view is used. Strides are
/// counted in numbers, so that any part of a matrix, row-major or column-major, is seen where it is.
struct MatrixView {
  const double* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t row_stride = 0;     ///< from a row to the next
  std::int64_t column_stride = 1;  ///< from a column to the next

  MatrixView() = default;
  /// Rows one after the other, without gaps.
  MatrixView(const double* first, std::int64_t n, std::int64_t d) : MatrixView(first, n, d, d) {}
  MatrixView(const double* first, std::int64_t n, std::int64_t d, std::int64_t from_row_to_row,
             std::int64_t from_column_to_column = 1)
      : data(first), rows(n), columns(d), row_stride(from_row_to_row), column_stride(from_column_to_column) {}

  double operator()(std::int64_t row, std::int64_t column) const {
    return data[row * row_stride + column * column_stride];
  }
};

/// Numbers of its own, rows one after the other.
class Matrix {
 public:
  Matrix() = default;
  /// All 0.
  Matrix(std::int64_t rows, std::int64_t columns);
  /// {{1, 2}, {3, 4}}. Throws InputError for rows of different lengths.
  Matrix(std::initializer_list<std::initializer_list<double>> rows);

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  double operator()(std::int64_t row, std::int64_t column) const { return data()[row * columns_ + column]; }
  double& operator()(std::int64_t row, std::int64_t column) { return data()[row * columns_ + column]; }
  std::span<const double> row(std::int64_t i) const {
    return {data() + i * columns_, static_cast<std::size_t>(columns_)};
  }
  const double* data() const { return values_.data(); }
  double* data() { return values_.data(); }
  operator MatrixView() const { return {data(), rows_, columns_}; }

 private:
  std::vector<double> values_;
  std::int64_t rows_ = 0;
  std::int64_t columns_ = 0;
};

}  // namespace manyone::abi_0
