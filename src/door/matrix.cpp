// SPDX-License-Identifier: Apache-2.0
#include "manyone/matrix.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "door/inside.hpp"
#include "manyone/errors.hpp"

namespace manyone::abi_0 {

Matrix::Matrix(std::int64_t rows, std::int64_t columns)
    : values_(static_cast<std::size_t>(rows * columns)), rows_(rows), columns_(columns) {}

Matrix::Matrix(std::initializer_list<std::initializer_list<double>> rows)
    : rows_(std::ssize(rows)), columns_(rows.size() == 0 ? 0 : std::ssize(*rows.begin())) {
  for (const auto& row : rows) {
    if (std::ssize(row) != columns_) {
      throw InputError(
          fmt::format("rows of a matrix have as many numbers each, found {} and {}", columns_, row.size()));
    }
    values_.insert(values_.end(), row);
  }
}

}  // namespace manyone::abi_0

namespace manyone::door {

void check(abi_0::MatrixView rows) {
  if (rows.rows < 0 || rows.columns < 0 || (rows.data == nullptr && rows.rows > 0 && rows.columns > 0)) {
    throw InputError(fmt::format("a view needs numbers, found {} rows and {} columns{}", rows.rows, rows.columns,
                                 rows.data == nullptr ? " at no address" : ""));
  }
}

Features rows_of(abi_0::MatrixView rows, Index first, Index count) {
  const double* const start = rows.data + first * rows.row_stride;
  if (rows.column_stride == 1 && rows.row_stride == rows.columns) return Features::borrowed(start, count, rows.columns);
  return for_library(abi_0::MatrixView(start, count, rows.columns, rows.row_stride, rows.column_stride));
}

Matrix for_library(abi_0::MatrixView numbers) {
  check(numbers);
  using Strides = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;
  return Eigen::Map<const Matrix, Eigen::Unaligned, Strides>(numbers.data, numbers.rows, numbers.columns,
                                                             Strides(numbers.row_stride, numbers.column_stride));
}

abi_0::Matrix for_program(ConstView numbers) {
  abi_0::Matrix out(numbers.rows(), numbers.cols());
  Eigen::Map<Matrix>(out.data(), numbers.rows(), numbers.cols()) = numbers;
  return out;
}

}  // namespace manyone::door
