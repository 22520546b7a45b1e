// SPDX-License-Identifier: Apache-2.0
#include "base/small_algebra.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace manyone {

namespace {

Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decompose(const Eigen::MatrixXd& A, double dependent) {
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> out;
  out.setThreshold(dependent);
  out.compute(A);
  return out;
}

}  // namespace

SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& symmetric) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(symmetric);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Eigen::MatrixXd solve_symmetric(const Eigen::MatrixXd& S, const Eigen::MatrixXd& right) {
  return Eigen::LDLT<Eigen::MatrixXd>(S).solve(right);
}

bool SmallCholesky::compute(const Eigen::MatrixXd& S) {
  L_ = S;
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(L_);
  return factor.info() == Eigen::Success;
}

Eigen::MatrixXd SmallCholesky::solve(Eigen::MatrixXd right) const {
  L_.triangularView<Eigen::Lower>().solveInPlace(right);
  L_.triangularView<Eigen::Lower>().adjoint().solveInPlace(right);
  return right;
}

Eigen::MatrixXd column_basis(const Eigen::MatrixXd& A, double dependent) {
  const auto decomposed = decompose(A, dependent);
  return Eigen::MatrixXd(decomposed.householderQ()).leftCols(decomposed.rank());
}

Vector shortest_solution(const Eigen::MatrixXd& A, const Vector& b, double dependent) {
  return decompose(A, dependent).solve(b);
}

// One-sided Jacobi: rotations of pairs of columns until all are orthogonal; their lengths are then the singular values,
// the small ones as exact as the large.
RightSingular right_singular(Eigen::MatrixXd W) {
  const Index q = W.cols();
  Eigen::MatrixXd V = Eigen::MatrixXd::Identity(q, q);
  constexpr int kSweeps = 60;  // six to ten do
  bool orthogonal = false;
  for (int sweep = 0; sweep < kSweeps && !orthogonal; ++sweep) {
    orthogonal = true;
    for (Index i = 0; i < q; ++i) {
      for (Index j = i + 1; j < q; ++j) {
        const double a = W.col(i).squaredNorm();
        const double b = W.col(j).squaredNorm();
        const double product = W.col(i).dot(W.col(j));
        if (!(std::abs(product) > std::numeric_limits<double>::epsilon() * std::sqrt(a) * std::sqrt(b))) continue;
        orthogonal = false;
        const double half = (b - a) / (2 * product);
        const double t = std::copysign(1 / (std::abs(half) + std::hypot(1, half)), half);
        const double c = 1 / std::hypot(1, t);
        for (Eigen::MatrixXd* M : {&W, &V}) {
          const Vector left = M->col(i);
          M->col(i) = c * (left - t * M->col(j));
          M->col(j) = c * (t * left + M->col(j));
        }
      }
    }
  }
  std::vector<Index> order(static_cast<std::size_t>(q));
  std::iota(order.begin(), order.end(), Index{0});
  const Vector lengths = W.colwise().norm();
  std::stable_sort(order.begin(), order.end(), [&](Index i, Index j) { return lengths[i] > lengths[j]; });
  return {lengths(order), V(Eigen::all, order)};
}

}  // namespace manyone
