// SPDX-License-Identifier: Apache-2.0
#include "solve/ridge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "solve/near_rows.hpp"

namespace manyone {

namespace {

// Rows whose two largest held-out outputs are closer than this (relative to the targets) are computed in the longer
// form; the shorter one is exact to about 1e-15 times the condition of the fold, far below.
constexpr double kSmallestGap = 1e-10;
// The same for an inverse in single precision. Where outputs are tiny the shorter form carries the held-out target at
// up to 1e-6: there labels of narrow kernels begin to differ, and this is ten times that.
constexpr double kSmallestSingleGap = 1e-5;
// Rows of one parallel piece of a copy.
constexpr Index kCopyTile = 64;

/// Leave-one-out: with K0 = K without its diagonal and c_i = sum_j K0_ij P_ji,
///     f_i = (K0 A)_i - c_i / P_ii A_i [+ b - rho_i / P_ii A_i].
template <class Inverse>
Matrix leave_one_out(const Backend& backend, View K, const Inverse& inverse) {
  const auto& P = inverse.P;
  const Matrix& A = inverse.solution.A;
  const Index n = A.rows();
  const Vector diagonal = K.diagonal();
  K.diagonal().setZero();
  Matrix out(n, A.cols());
  backend.multiply(1, K, Transpose::no, A, Transpose::no, 0, out);
  for (Index i = 0; i < n; ++i) {
    double c = K.row(i).dot(P.row(i).template cast<double>());
    if (inverse.rho.size() > 0) c += inverse.rho[i];
    out.row(i) += inverse.solution.b.transpose() - (c / double{P(i, i)}) * A.row(i);
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

/// A^{(-B)}: A_R - P_RB Z outside the fold, 0 in it.
Matrix without_fold(const Backend& backend, const RidgeInverse& inverse, const std::vector<Index>& B, const Matrix& Z) {
  Matrix A = inverse.solution.A;
  backend.multiply(-1, Matrix(inverse.P(B, Eigen::all)), Transpose::yes, Z, Transpose::no, 1, A);
  A(B, Eigen::all).setZero();
  return A;
}

Matrix without_fold(const Backend& backend, const SingleRidgeInverse& inverse, const std::vector<Index>& B,
                    const Matrix& Z) {
  FloatMatrix product(inverse.P.rows(), Z.cols());
  backend.multiply(1.0F, FloatMatrix(inverse.P(B, Eigen::all)), Transpose::yes, FloatMatrix(Z.cast<float>()),
                   Transpose::no, 0.0F, product);
  Matrix A = inverse.solution.A - product.cast<double>();
  A(B, Eigen::all).setZero();
  return A;
}

/// Replaces the given rows of f_B by the form in which the rows of the fold take no part:
///     f_B = K_BR A^{(-B)}_R [+ b - rho_B Z].
/// Narrow kernels have many such rows, and few neighbours for each: those are added up one by one.
template <class Inverse>
void replace_by_stable_form(const Backend& backend, ConstView K, NearRows& near, const Inverse& inverse,
                            const std::vector<Index>& B, const Matrix& Z, const std::vector<Index>& rows, Matrix& f) {
  const Matrix A = without_fold(backend, inverse, B, Z);
  Eigen::RowVectorXd bias = Eigen::RowVectorXd::Zero(f.cols());
  if (inverse.rho.size() > 0) bias = (inverse.solution.b - Z.transpose() * inverse.rho(B)).transpose();
  std::vector<Index> crowded;
  if (near.few()) {
    std::vector<char> left_out(static_cast<std::size_t>(K.rows()), 0);
    for (const Index i : B) left_out[static_cast<std::size_t>(i)] = 1;
    for (const Index r : rows) {
      if (!near.sum(B[static_cast<std::size_t>(r)], A, left_out, f.row(r))) crowded.push_back(r);
    }
  } else {
    crowded = rows;
  }
  if (!crowded.empty()) {
    const auto count = static_cast<Index>(crowded.size());
    Matrix K_B(count, K.cols());
    for (Index r = 0; r < count; ++r) K_B.row(r) = K.row(B[crowded[r]]);
    Matrix sums(count, f.cols());
    backend.multiply(1, K_B, Transpose::no, A, Transpose::no, 0, sums);
    for (Index r = 0; r < count; ++r) f.row(crowded[r]) = sums.row(r);
  }
  for (const Index r : rows) f.row(r) += bias;
}

/// X := P Y in single precision.
void multiply_single(const Backend& backend, ConstFloatView P, ConstView Y, Matrix& X) {
  const FloatMatrix right = Y.cast<float>();
  FloatMatrix left(right.rows(), right.cols());
  backend.multiply(1.0F, P, Transpose::no, right, Transpose::no, 0.0F, left);
  X = left.cast<double>();
}

/// P Y with one step of refinement: X = P Y; R = Y - (K + ridge W^{-1}) X; X + P R.
Matrix refined_product(const Backend& backend, const RidgeProblem& problem, ConstView K, ConstFloatView P,
                       ConstView Y) {
  Matrix X;
  multiply_single(backend, P, Y, X);
  Matrix R = Y;
  backend.multiply(-1, K, Transpose::no, X, Transpose::no, 1, R);
  R -= ridge_diagonal(problem, X.rows()).asDiagonal() * X;
  Matrix correction;
  multiply_single(backend, P, R, correction);
  return X + correction;
}

/// Z := P^{-1} Z from the lower triangle of P, which is spoilt.
bool solve_positive(const Backend& backend, const Interrupt& interrupt, Matrix& P, Matrix& Z) {
  if (!backend.cholesky(P, interrupt)) return false;
  backend.cholesky_solve(P, Z);
  return true;
}
bool solve_positive(const Backend& backend, const Interrupt& interrupt, FloatMatrix& P, Matrix& Z) {
  FloatMatrix single = Z.cast<float>();
  if (!backend.solve(P, single, interrupt)) return false;
  Z = single.cast<double>();
  return true;
}

/// The system with its matrix factored, for any targets.
class FactoredRidge {
 public:
  /// `L`: lower triangle, K + ridge W^{-1} = L L'.
  FactoredRidge(const Backend& backend, bool bias, ConstView L) : backend_(backend), L_(L) {
    if (!bias) return;
    v_ = Matrix::Ones(L.rows(), 1);
    backend_.cholesky_solve(L_, v_);
  }

  RidgeSolution solution(ConstView T) const {
    RidgeSolution out{T, Vector::Zero(T.cols())};
    backend_.cholesky_solve(L_, out.A);
    if (v_.size() == 0) return out;
    out.b = out.A.colwise().sum().transpose() / v_.sum();
    out.A -= v_ * out.b.transpose();
    return out;
  }

  /// From P_BB to (P - P11'P/(1'P1))_BB, where there is a bias.
  void add_bias(const std::vector<Index>& B, Matrix& P_BB) const {
    if (v_.size() == 0) return;
    const Vector v = v_.col(0)(B);
    P_BB -= v * v.transpose() / v_.sum();
  }

 private:
  const Backend& backend_;
  ConstView L_;
  Matrix v_;  // P 1; empty without bias
};

/// Held-out outputs of one partition, for an inverse of either precision; `smallest_gap` is relative to the targets.
template <class Inverse>
Matrix outputs_of_folds(const Backend& backend, const Interrupt& interrupt, View K, NearRows& near,
                        const Inverse& inverse, ConstView T, const Folds& folds, double smallest_gap) {
  const auto& P = inverse.P;
  const Matrix& A = inverse.solution.A;
  const Index n = A.rows();
  const std::vector<std::vector<Index>> fold_rows = folds.rows();
  const bool one_row_each =
      std::all_of(fold_rows.begin(), fold_rows.end(), [](const auto& B) { return B.size() <= 1; });
  if (one_row_each && n > 1) return leave_one_out(backend, K, inverse);
  const double guard = smallest_gap * T.cwiseAbs().maxCoeff();
  Matrix out(n, A.cols());
  std::decay_t<decltype(P)> P_BB;
  for (const std::vector<Index>& B : fold_rows) {
    interrupt.check();
    const auto size = static_cast<Index>(B.size());
    if (size == 0) continue;
    P_BB.resize(size, size);
    for (Index r = 0; r < size; ++r) {  // Cholesky's lower triangle
      const auto row = P.row(B[r]);
      for (Index c = 0; c <= r; ++c) P_BB(r, c) = row[B[c]];
    }
    Matrix Z = A(B, Eigen::all);
    if (size == n || !solve_positive(backend, interrupt, P_BB, Z)) {
      // All rows in one fold, or (bias) a fold whose complement is too small to fix b: nothing is left to learn from.
      for (const Index row : B) out.row(row).setZero();
      continue;
    }
    // Z = P_BB^{-1} A_B = T_B - f_B
    Matrix f = T(B, Eigen::all) - Z;
    const auto ties = near_ties(f, guard);
    if (!ties.empty()) replace_by_stable_form(backend, K, near, inverse, B, Z, ties, f);
    for (Index r = 0; r < size; ++r) out.row(B[r]) = f.row(r);
  }
  return out;
}

template <class Inverse>
std::vector<Matrix> outputs_of_partitions(const Backend& backend, const Interrupt& interrupt, View K,
                                          const Inverse& inverse, ConstView T, std::span<const Folds> partitions,
                                          double smallest_gap) {
  NearRows near(K, interrupt);
  std::vector<Matrix> out;
  for (const Folds& folds : partitions)
    out.push_back(outputs_of_folds(backend, interrupt, K, near, inverse, T, folds, smallest_gap));
  return out;
}

}  // namespace

void add_ridge(const RidgeProblem& problem, View K) { K.diagonal() += ridge_diagonal(problem, K.rows()); }

Vector ridge_diagonal(const RidgeProblem& problem, Index n) {
  if (problem.weights.size() == 0) return Vector::Constant(n, problem.ridge);
  return problem.ridge / problem.weights.array();
}

bool solve_ridge(const Backend& backend, const Interrupt& interrupt, const RidgeProblem& problem, View K, ConstView T,
                 RidgeSolution& solution) {
  K.diagonal() += ridge_diagonal(problem, K.rows());
  if (!backend.cholesky(K, interrupt)) return false;
  solution = FactoredRidge(backend, problem.bias, K).solution(T);
  return true;
}

// Of P = (L L')^{-1} the block of the last rows C is (L_CC L_CC')^{-1}: with M = L_CC^{-1} E_B, P_BB = M'M. Leaving B
// out changes the targets to T - E_B Z with Z = P_BB^{-1} A_B, for which the rows of B get no coefficients.
bool solve_ridge(const Backend& backend, const Interrupt& interrupt, const RidgeProblem& problem, View K, ConstView T,
                 std::span<const std::vector<Index>> blocks, RidgeSolution& solution,
                 std::vector<RidgeSolution>& without) {
  const Index n = K.rows();
  K.diagonal() += ridge_diagonal(problem, n);
  if (!backend.cholesky(K, interrupt)) return false;
  const FactoredRidge factored(backend, problem.bias, K);
  solution = factored.solution(T);
  without.clear();
  Index first = n;
  for (const std::vector<Index>& B : blocks) {
    for (const Index i : B) first = std::min(first, i);
  }
  const ConstView L_CC = K.bottomRightCorner(n - first, n - first);
  for (const std::vector<Index>& B : blocks) {
    interrupt.check();
    const auto size = static_cast<Index>(B.size());
    Matrix M = Matrix::Zero(n - first, size);
    for (Index k = 0; k < size; ++k) M(B[static_cast<std::size_t>(k)] - first, k) = 1;
    backend.triangular_solve(L_CC, Transpose::no, M);
    Matrix P_BB = Matrix::Zero(size, size);
    backend.add_squares(M, P_BB);
    factored.add_bias(B, P_BB);
    Matrix Z = solution.A(B, Eigen::all);
    if (size == n || !backend.cholesky(P_BB, interrupt)) {  // nothing is left to learn from
      without.push_back({Matrix::Zero(n, T.cols()), Vector::Zero(T.cols())});
      continue;
    }
    backend.cholesky_solve(P_BB, Z);
    Matrix rest = T;
    rest(B, Eigen::all) -= Z;
    without.push_back(factored.solution(rest));
    without.back().A(B, Eigen::all).setZero();
  }
  return true;
}

bool invert_ridge(const Backend& backend, const Interrupt& interrupt, const RidgeProblem& problem, ConstView K,
                  ConstView T, RidgeInverse& inverse) {
  Matrix& P = inverse.P;
  P = K;
  P.diagonal() += ridge_diagonal(problem, P.rows());
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

bool invert_ridge_single(const Backend& backend, const Interrupt& interrupt, const RidgeProblem& problem, ConstView K,
                         ConstView T, SingleRidgeInverse& inverse) {
  const Index n = K.rows();
  const Index q = T.cols();
  FloatMatrix& P = inverse.P;
  P.resize(n, n);
  // In the backend's bodies, where what is too small for a float becomes 0 at no cost.
  backend.parallel_for(static_cast<std::size_t>((n + kCopyTile - 1) / kCopyTile), [&](std::size_t t) {
    const Index i = static_cast<Index>(t) * kCopyTile;
    const Index rows = std::min(kCopyTile, n - i);
    P.middleRows(i, rows) = K.middleRows(i, rows).cast<float>();
  });
  P.diagonal() = (K.diagonal() + ridge_diagonal(problem, n)).cast<float>();
  if (!backend.invert(P, interrupt)) return false;
  if (!problem.bias) {
    inverse.rho.resize(0);
    inverse.solution.b = Vector::Zero(q);
    inverse.solution.A = refined_product(backend, problem, K, P, T);
    return true;
  }
  Matrix right(n, q + 1);
  right << T, Vector::Ones(n);
  right = refined_product(backend, problem, K, P, right);
  const Vector v = right.col(q);  // P 1
  inverse.rho = v / v.sum();
  inverse.solution.b = T.transpose() * inverse.rho;
  inverse.solution.A = right.leftCols(q) - v * inverse.solution.b.transpose();
  P.noalias() -= v.cast<float>() * inverse.rho.cast<float>().transpose();
  return true;
}

std::vector<Matrix> heldout_outputs(const Backend& backend, const Interrupt& interrupt, View K,
                                    const RidgeInverse& inverse, ConstView T, std::span<const Folds> partitions,
                                    HeldOutForm form) {
  const double gap = form == HeldOutForm::stable ? std::numeric_limits<double>::infinity() : kSmallestGap;
  return outputs_of_partitions(backend, interrupt, K, inverse, T, partitions, gap);
}

std::vector<Matrix> heldout_outputs(const Backend& backend, const Interrupt& interrupt, View K,
                                    const SingleRidgeInverse& inverse, ConstView T, std::span<const Folds> partitions) {
  return outputs_of_partitions(backend, interrupt, K, inverse, T, partitions, kSmallestSingleGap);
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
