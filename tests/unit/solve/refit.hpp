// SPDX-License-Identifier: Apache-2.0
//
// Cross-validation the long way, with solvers of its own (Eigen's LU): every fold is refitted from nothing. What the
// closed forms are compared with.
#pragma once

#include <rapidcheck/gtest.h>

#include <Eigen/LU>

#include "solve/ridge.hpp"
#include "tests/problems.hpp"

namespace manyone::test {

/// A problem of solve/ridge.hpp with its data.
struct Problem {
  RidgeProblem ridge;
  Matrix K;
  Matrix T;
  Folds folds;

  Vector ridge_diagonal() const {
    if (ridge.weights.size() == 0) return Vector::Constant(K.rows(), ridge.ridge);
    return ridge.ridge * ridge.weights.cwiseInverse();
  }
};

/// f(x_i) for every row by a machine trained on the rows of all other folds.
inline Matrix refit(const Problem& problem) {
  const Index q = problem.T.cols();
  Matrix out(problem.T.rows(), q);
  for (const auto& B : problem.folds.rows()) {
    if (B.empty()) continue;
    std::vector<Index> R;
    for (Index i = 0; i < problem.K.rows(); ++i) {
      if (problem.folds.fold_of_row[static_cast<std::size_t>(i)] !=
          problem.folds.fold_of_row[static_cast<std::size_t>(B[0])])
        R.push_back(i);
    }
    const auto r = static_cast<Index>(R.size());
    const Index border = problem.ridge.bias ? 1 : 0;
    Eigen::MatrixXd H = Eigen::MatrixXd::Zero(r + border, r + border);  // [K_RR + ridge W^-1, 1; 1', 0]
    H.topLeftCorner(r, r) = problem.K(R, R);
    H.diagonal().head(r) += problem.ridge_diagonal()(R);
    if (border) H.col(r).head(r) = H.row(r).head(r).transpose() = Vector::Ones(r);
    Eigen::MatrixXd right = Eigen::MatrixXd::Zero(r + border, q);
    right.topRows(r) = problem.T(R, Eigen::all);
    const Eigen::MatrixXd solution = H.partialPivLu().solve(right);
    Matrix f = problem.K(B, R) * solution.topRows(r);
    if (border) f.rowwise() += solution.row(r);
    for (std::size_t k = 0; k < B.size(); ++k) out.row(B[k]) = f.row(static_cast<Index>(k));
  }
  return out;
}

/// Any kernel, with or without bias and weights, folds of any sizes: at least two are not empty.
inline rc::Gen<Problem> random_problem() {
  return rc::gen::exec([] {
    const auto seed = *rc::gen::arbitrary<std::uint32_t>();
    const Index n = *rc::gen::inRange(3, 41);
    const int L = *rc::gen::inRange(2, 6);
    const Kernel kernel = *rc::gen::elementOf(vector_kernels());
    Problem problem;
    const Matrix x = random_matrix(n, *rc::gen::inRange(1, 5), seed);
    problem.K = plain_gram(kernel, x, x);
    const auto labels = random_labels(n, L, seed);
    problem.T = Matrix::Zero(n, L);
    for (Index i = 0; i < n; ++i) problem.T(i, labels[static_cast<std::size_t>(i)]) = 1;
    problem.ridge.ridge = std::exp2(*rc::gen::inRange(-4, 5));
    problem.ridge.bias = *rc::gen::arbitrary<bool>();
    if (*rc::gen::arbitrary<bool>()) problem.ridge.weights = random_matrix(n, 1, seed + 1ULL).col(0).array() + 1.5;
    problem.folds.count = *rc::gen::inRange(2, static_cast<int>(n) + 1);
    problem.folds.fold_of_row =
        *rc::gen::container<std::vector<int>>(static_cast<std::size_t>(n), rc::gen::inRange(0, problem.folds.count));
    problem.folds.fold_of_row[0] = 0;
    problem.folds.fold_of_row[1] = 1;
    return problem;
  });
}

inline void showValue(const Problem& problem, std::ostream& out) {
  out << problem.K.rows() << " rows, " << problem.T.cols() << " columns, " << problem.folds.count << " folds, ridge "
      << problem.ridge.ridge << (problem.ridge.bias ? ", bias" : "")
      << (problem.ridge.weights.size() > 0 ? ", weights" : "");
}

}  // namespace manyone::test
