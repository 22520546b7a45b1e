// SPDX-License-Identifier: Apache-2.0
//
// Inputs that several tests share: random rows and labels from a seed, the bundled tables, and slow plain formulas to
// compare with.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "base/random.hpp"
#include "data/dataset.hpp"
#include "data/table_reader.hpp"

namespace manyone::test {

/// Uniform in [-1, 1], as after scaling.
inline Matrix random_matrix(Index rows, Index cols, std::uint64_t seed) {
  Random random(seed);
  Matrix out(rows, cols);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols; ++j) out(i, j) = 2 * random.uniform() - 1;
  }
  return out;
}

/// The same with about `density` of the entries kept.
inline SparseMatrix random_sparse(Index rows, Index cols, double density, std::uint64_t seed) {
  Matrix dense = random_matrix(rows, cols, seed);
  Random random(seed, 1);
  for (Index i = 0; i < dense.size(); ++i) {
    if (random.uniform() >= density) dense.data()[i] = 0;
  }
  SparseMatrix out = dense.sparseView();
  out.makeCompressed();
  return out;
}

/// Every class occurs when rows >= classes; sizes differ by at most one.
inline std::vector<int> random_labels(Index rows, int classes, std::uint64_t seed) {
  std::vector<int> labels;
  for (Index i = 0; i < rows; ++i) labels.push_back(static_cast<int>(i % classes));
  Random(seed, 2).shuffle(labels);
  return labels;
}

/// A table whose classes are overlapping clouds around random centres.
inline Dataset clouds(Index rows, Index features, int classes, double width, std::uint64_t seed) {
  const Matrix centres = random_matrix(classes, features, seed);
  const std::vector<int> labels = random_labels(rows, classes, seed);
  Random random(seed, 3);
  Matrix x(rows, features);
  std::vector<std::string> names;
  for (Index i = 0; i < rows; ++i) {
    const int c = labels[static_cast<std::size_t>(i)];
    for (Index j = 0; j < features; ++j) x(i, j) = centres(c, j) + width * random.normal();
    names.push_back("c" + std::to_string(c));
  }
  return make_dataset(std::move(x), names);
}

/// data/NAME.csv of the repository.
inline Dataset bundled(const std::string& name) {
  return read_dataset(std::string(MANYONE_SOURCE) + "/data/" + name + ".csv", {});
}

inline std::vector<Kernel> vector_kernels() {
  return {{&kGaussian, 0.7, 3, 1},
          {&kLaplacian, 1.3, 3, 1},
          {&kernel_from_name("matern32"), 1.1, 3, 1},
          {&kernel_from_name("matern52"), 0.9, 3, 1},
          {&kPolynomial, 1, 3, 1},
          {&kPolynomial, 1, 2, 0},
          {&kLinear, 1, 3, 1}};
}

inline double plain_statistic(PairStatistic statistic, const Matrix& x, Index i, const Matrix& z, Index j) {
  return statistic == PairStatistic::squared_distance ? (x.row(i) - z.row(j)).squaredNorm() : x.row(i).dot(z.row(j));
}

inline Matrix plain_gram(const Kernel& kernel, const Matrix& x, const Matrix& z) {
  Matrix K(x.rows(), z.rows());
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < z.rows(); ++j) K(i, j) = kernel(plain_statistic(kernel.statistic(), x, i, z, j));
  }
  return K;
}

}  // namespace manyone::test
