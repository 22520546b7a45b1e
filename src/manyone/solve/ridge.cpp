// SPDX-License-Identifier: Apache-2.0
#include "manyone/solve/ridge.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace manyone {

namespace {

// Rows whose two largest held-out outputs are closer than this (relative to the targets) are computed in the longer
// form; the shorter one is exact to about 1e-15 times the condition of the fold, far below.
constexpr double kSmallestGap = 1e-10;

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

/// Rows of f whose two largest entries are closer than `gap`.
std::vector<Index> near_ties(const Matrix& f, double gap) {
  std::vector<Index> rows;
  for (Index i = 0; i < f.rows(); ++i) {
    double first = -std::numeric_limits<double>::infinity();
    double second = first;
    for (Index k = 0; k < f.cols(); ++k) {
      second = std::max(second, std::min(first, f(i, k)));
      first = std::max(first, f(i, k));
    }
    if (!(first - second >= gap)) rows.push_back(i);
  }
  return rows;
}

std::vector<Index> all_rows(Index n) {
  std::vector<Index> rows(static_cast<std::size_t>(n));
  std::iota(rows.begin(), rows.end(), Index{0});
  return rows;
}

/// Replaces the given rows of f_B by the form in which the rows of the fold take no part:
///     A^{(-B)}_R = A_R - P_RB Z,   f_B = K_BR A^{(-B)}_R [+ b - rho_B Z],   with K_BR multiplied out first.
void replace_by_stable_form(const Backend& backend, ConstView K, const RidgeInverse& inverse,
                            const std::vector<Index>& B, const Matrix& Z, const std::vector<Index>& rows, Matrix& f) {
  const auto count = static_cast<Index>(rows.size());
  Matrix K_R(count, K.cols());
  for (Index r = 0; r < count; ++r) K_R.row(r) = K.row(B[rows[r]]);
  for (const Index row : B) K_R.col(row).setZero();
  Matrix stable(count, f.cols());
  backend.multiply(1, K_R, Transpose::no, inverse.solution.A, Transpose::no, 0, stable);
  Matrix product(count, static_cast<Index>(B.size()));  // K_BR P_RB
  backend.multiply(1, K_R, Transpose::no, Matrix(inverse.P(B, Eigen::all)), Transpose::yes, 0, product);
  backend.multiply(-1, product, Transpose::no, Z, Transpose::no, 1, stable);
  if (inverse.rho.size() > 0) stable.rowwise() += (inverse.solution.b - Z.transpose() * inverse.rho(B)).transpose();
  for (Index r = 0; r < count; ++r) f.row(rows[r]) = stable.row(r);
}

}  // namespace

void add_ridge(const RidgeProblem& problem, View K) {
  if (problem.weights.size() == 0) {
    K.diagonal().array() += problem.ridge;
  } else {
    K.diagonal().array() += problem.ridge / problem.weights.array();
  }
}

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

bool invert_ridge(const Backend& backend, const Interrupt& interrupt, const RidgeProblem& problem, ConstView K,
                  ConstView T, RidgeInverse& inverse) {
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
                       ConstView T, const Folds& folds, HeldOutForm form) {
  const Matrix& P = inverse.P;
  const Matrix& A = inverse.solution.A;
  const Index n = A.rows();
  const std::vector<std::vector<Index>> fold_rows = folds.rows();
  const bool one_row_each =
      std::all_of(fold_rows.begin(), fold_rows.end(), [](const auto& B) { return B.size() <= 1; });
  if (one_row_each && n > 1) return leave_one_out(backend, K, inverse);
  const double guard = kSmallestGap * T.cwiseAbs().maxCoeff();
  Matrix out(n, A.cols());
  Matrix P_BB;
  for (const std::vector<Index>& B : fold_rows) {
    interrupt.check();
    const auto size = static_cast<Index>(B.size());
    if (size == 0) continue;
    P_BB = P(B, B);
    if (size == n || !backend.cholesky(P_BB, interrupt)) {
      // All rows in one fold, or (bias) a fold whose complement is too small to fix b: nothing is left to learn from.
      for (const Index row : B) out.row(row).setZero();
      continue;
    }
    Matrix Z = A(B, Eigen::all);
    backend.cholesky_solve(P_BB, Z);  // Z = P_BB^{-1} A_B = T_B - f_B
    Matrix f = T(B, Eigen::all) - Z;
    const auto ties = form == HeldOutForm::stable ? all_rows(size) : near_ties(f, guard);
    if (!ties.empty()) replace_by_stable_form(backend, K, inverse, B, Z, ties, f);
    for (Index r = 0; r < size; ++r) out.row(B[r]) = f.row(r);
  }
  return out;
}

void heldout_elsewhere(const Backend& backend, const Interrupt& interrupt, ConstView K, const std::vector<Index>& S,
                       const RidgeInverse& inverse, const Folds& folds,
                       const std::function<void(const std::vector<Index>&, const Matrix&)>& use) {
  const std::vector<std::vector<Index>> fold_rows = folds.rows();
  std::vector<std::vector<Index>> left_out(fold_rows.size());  // positions in S
  for (std::size_t i = 0; i < S.size(); ++i)
    left_out[static_cast<std::size_t>(folds.fold_of_row[static_cast<std::size_t>(S[i])])].push_back(
        static_cast<Index>(i));
  for (std::size_t fold = 0; fold < fold_rows.size(); ++fold) {
    interrupt.check();
    const auto& B = fold_rows[fold];
    const auto& out = left_out[fold];
    if (B.empty()) continue;
    Matrix A = inverse.solution.A;
    Matrix P_BB = inverse.P(out, out);
    if (out.size() == S.size() || !backend.cholesky(P_BB, interrupt)) {
      A.setZero();  // nothing is left to learn from
    } else if (!out.empty()) {
      Matrix Z = A(out, Eigen::all);
      backend.cholesky_solve(P_BB, Z);
      backend.multiply(-1, Matrix(inverse.P(out, Eigen::all)), Transpose::yes, Z, Transpose::no, 1, A);
      A(out, Eigen::all).setZero();
    }
    Matrix f(static_cast<Index>(B.size()), A.cols());
    backend.multiply(1, Matrix(K(B, S)), Transpose::no, A, Transpose::no, 0, f);
    use(B, f);
  }
}

}  // namespace manyone
