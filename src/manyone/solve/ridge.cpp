// SPDX-License-Identifier: Apache-2.0
#include "manyone/solve/ridge.hpp"

#include <algorithm>

namespace manyone {

namespace {

void add_ridge(const RidgeProblem& problem, View K) {
  if (problem.weights.size() == 0) {
    K.diagonal().array() += problem.ridge;
  } else {
    K.diagonal().array() += problem.ridge / problem.weights.array();
  }
}

/// Leave-one-out: with K0 = K without its diagonal and c_i = sum_j K0_ij P_ji,
///     f_i = (K0 A)_i - c_i / P_ii A_i [+ b - rho_i / P_ii A_i].
Matrix leave_one_out(const Backend& backend, View K, const RidgeInverse& inverse) {
  const Matrix& P = inverse.P;
  const Matrix& A = inverse.solution.A;
  const Index n = A.rows();
  const Vector diagonal = K.diagonal();
  K.diagonal().setZero();
  Matrix out(n, A.cols());
  backend.multiply(1, K, Transpose::no, A, Transpose::no, 0, out);
  for (Index i = 0; i < n; ++i) {
    double c = K.row(i).dot(P.row(i));
    if (inverse.rho.size() > 0) c += inverse.rho[i];
    out.row(i) += inverse.solution.b.transpose() - (c / P(i, i)) * A.row(i);
  }
  K.diagonal() = diagonal;
  return out;
}

}  // namespace

bool solve_ridge(const Backend& backend, const Interrupt& interrupt, const RidgeProblem& problem, View K, ConstView T,
                 RidgeSolution& solution) {
  const Index n = K.rows();
  const Index q = T.cols();
  add_ridge(problem, K);
  if (!backend.cholesky(K, interrupt)) return false;
  if (!problem.bias) {
    solution.A = T;
    backend.cholesky_solve(K, solution.A);
    solution.b = Vector::Zero(q);
    return true;
  }
  Matrix right(n, q + 1);
  right << T, Vector::Ones(n);
  backend.cholesky_solve(K, right);
  const Vector v = right.col(q);  // P 1
  solution.b = right.leftCols(q).colwise().sum().transpose() / v.sum();
  solution.A = right.leftCols(q) - v * solution.b.transpose();
  return true;
}

bool invert_ridge(const Backend& backend, const Interrupt& interrupt, const RidgeProblem& problem, ConstView K, ConstView T,
                  RidgeInverse& inverse) {
  Matrix& P = inverse.P;
  P = K;
  add_ridge(problem, P);
  if (!backend.invert(P, interrupt)) return false;
  if (problem.bias) {
    const Vector v = P.rowwise().sum();
    const double total = v.sum();
    inverse.rho = v / total;
    P.noalias() -= v * inverse.rho.transpose();
    inverse.solution.b = T.transpose() * inverse.rho;
  } else {
    inverse.rho.resize(0);
    inverse.solution.b = Vector::Zero(T.cols());
  }
  inverse.solution.A.resize(T.rows(), T.cols());
  backend.multiply(1, P, Transpose::no, T, Transpose::no, 0, inverse.solution.A);
  return true;
}

Matrix heldout_outputs(const Backend& backend, const Interrupt& interrupt, View K, const RidgeInverse& inverse,
                       const Folds& folds) {
  const Matrix& P = inverse.P;
  const Matrix& A = inverse.solution.A;
  const Index n = A.rows();
  const Index q = A.cols();
  const std::vector<std::vector<Index>> fold_rows = folds.rows();
  const bool one_row_each = std::all_of(fold_rows.begin(), fold_rows.end(), [](const auto& B) { return B.size() <= 1; });
  if (one_row_each && n > 1) return leave_one_out(backend, K, inverse);
  Matrix out(n, q);
  Matrix P_B;
  Matrix K_B;
  Matrix P_BB;
  Matrix U(n, q);
  for (const std::vector<Index>& B : fold_rows) {
    interrupt.check();
    const auto size = static_cast<Index>(B.size());
    if (size == 0) continue;
    P_B.resize(size, n);
    K_B.resize(size, n);
    P_BB.resize(size, size);
    for (Index r = 0; r < size; ++r) {
      P_B.row(r) = P.row(B[r]);
      K_B.row(r) = K.row(B[r]);
      for (Index s = 0; s < size; ++s) {
        P_BB(r, s) = P_B(r, B[s]);
        K_B(r, B[s]) = 0;  // rows of the fold itself take no part: K_BR
      }
    }
    Matrix Z = A(B, Eigen::all);  // Z = P_BB^{-1} A_B
    if (size == n || !backend.cholesky(P_BB, interrupt)) {
      // All rows in one fold, or (bias) a fold whose complement is too small to fix b: nothing is left to learn from.
      for (const Index row : B) out.row(row).setZero();
      continue;
    }
    backend.cholesky_solve(P_BB, Z);
    U = A;  // A^{(-B)}_R = A_R - P_RB Z
    backend.multiply(-1, P_B, Transpose::yes, Z, Transpose::no, 1, U);
    Matrix f(size, q);
    backend.multiply(1, K_B, Transpose::no, U, Transpose::no, 0, f);
    if (inverse.rho.size() > 0) {
      const Vector rho_B = inverse.rho(B);
      f.rowwise() += (inverse.solution.b - Z.transpose() * rho_B).transpose();  // b^{(-B)} = rho T - rho_B Z
    }
    for (Index r = 0; r < size; ++r) out.row(B[r]) = f.row(r);
  }
  return out;
}

}  // namespace manyone
