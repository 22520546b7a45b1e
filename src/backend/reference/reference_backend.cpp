// SPDX-License-Identifier: Apache-2.0
#include "backend/reference/reference_backend.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace manyone {

namespace {

double statistic_of(PairStatistic statistic, const Matrix& x, Index i, const Matrix& z, Index j) {
  double sum = 0;
  for (Index k = 0; k < x.cols(); ++k) {
    const double difference = x(i, k) - z(j, k);
    sum += statistic == PairStatistic::squared_distance ? difference * difference : x(i, k) * z(j, k);
  }
  return sum;
}

// The verbs of linear algebra, in either precision: the matrices are views of doubles or floats, sums are of that type.

template <class Scalar, class X, class Y>
void product(Scalar alpha, const X& A, Transpose transpose_a, const X& B, Transpose transpose_b, Scalar beta, Y& C) {
  const Index inner = transpose_a == Transpose::no ? A.cols() : A.rows();
  for (Index i = 0; i < C.rows(); ++i) {
    for (Index j = 0; j < C.cols(); ++j) {
      Scalar sum = 0;
      for (Index k = 0; k < inner; ++k) {
        const Scalar a = transpose_a == Transpose::no ? A(i, k) : A(k, i);
        const Scalar b = transpose_b == Transpose::no ? B(k, j) : B(j, k);
        sum += a * b;
      }
      C(i, j) = alpha * sum + (beta == 0 ? 0 : beta * C(i, j));
    }
  }
}

template <class X>
bool factor(X& A, const Interrupt& interrupt) {
  using Scalar = typename X::Scalar;
  for (Index j = 0; j < A.rows(); ++j) {
    interrupt.check();
    Scalar pivot = A(j, j);
    for (Index k = 0; k < j; ++k) pivot -= A(j, k) * A(j, k);
    if (!(pivot > 0)) return false;
    A(j, j) = std::sqrt(pivot);
    for (Index i = j + 1; i < A.rows(); ++i) {
      Scalar sum = A(i, j);
      for (Index k = 0; k < j; ++k) sum -= A(i, k) * A(j, k);
      A(i, j) = sum / A(j, j);
    }
  }
  return true;
}

template <class X, class Y>
void solve(const X& L, Y& B) {
  using Scalar = typename X::Scalar;
  for (Index c = 0; c < B.cols(); ++c) {
    for (Index i = 0; i < B.rows(); ++i) {
      Scalar sum = B(i, c);
      for (Index k = 0; k < i; ++k) sum -= L(i, k) * B(k, c);
      B(i, c) = sum / L(i, i);
    }
    for (Index i = B.rows() - 1; i >= 0; --i) {
      Scalar sum = B(i, c);
      for (Index k = i + 1; k < B.rows(); ++k) sum -= L(k, i) * B(k, c);
      B(i, c) = sum / L(i, i);
    }
  }
}

template <class X>
bool inverse(X& A, const Interrupt& interrupt) {
  typename X::PlainObject L = A;
  if (!factor(L, interrupt)) return false;
  A.setIdentity();
  solve(L, A);
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index j = 0; j < i; ++j) A(j, i) = A(i, j);
  }
  return true;
}

template <class LowerView, class AnyView>
void substitute(const LowerView& L, Transpose transpose, AnyView& B) {
  const Index n = B.rows();
  for (Index c = 0; c < B.cols(); ++c) {
    for (Index step = 0; step < n; ++step) {
      const bool down = transpose == Transpose::no;
      const Index i = down ? step : n - 1 - step;
      auto sum = B(i, c);
      for (Index k = down ? 0 : i + 1; k < (down ? i : n); ++k) sum -= (down ? L(i, k) : L(k, i)) * B(k, c);
      B(i, c) = sum / L(i, i);
    }
  }
}

}  // namespace

void ReferenceBackend::parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) const {
  for (std::size_t i = 0; i < count; ++i) body(i);
}

void ReferenceBackend::pair_statistics(PairStatistic statistic, const Features& x, const Features& z, View out) const {
  const Matrix dense_x = x.dense_rows(0, x.rows());
  const Matrix dense_z = z.dense_rows(0, z.rows());
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < z.rows(); ++j) out(i, j) = statistic_of(statistic, dense_x, i, dense_z, j);
  }
}

void ReferenceBackend::pair_statistics(PairStatistic statistic, const Features& x, View out,
                                       const Interrupt& interrupt) const {
  interrupt.check();
  pair_statistics(statistic, x, x, out);
}

void ReferenceBackend::apply_kernel(const Kernel& kernel, ConstView statistics, View out) const {
  for (Index i = 0; i < out.rows(); ++i) {
    for (Index j = 0; j < out.cols(); ++j) out(i, j) = kernel(statistics(i, j));
  }
}

void ReferenceBackend::gram_lower(const Kernel& kernel, const Features& x, View out, const Interrupt& interrupt) const {
  pair_statistics(kernel.statistic(), x, out, interrupt);
  apply_kernel(kernel, out, out);
}

void ReferenceBackend::expand(const Kernel& kernel, const Features& x, const Features& z, ConstView A, const Vector& b,
                              View out) const {
  Matrix K(x.rows(), z.rows());
  pair_statistics(kernel.statistic(), x, z, K);
  apply_kernel(kernel, K, K);
  multiply(1, K, Transpose::no, A, Transpose::no, 0, out);
  for (Index i = 0; i < out.rows(); ++i) {
    for (Index k = 0; k < out.cols(); ++k) out(i, k) += b[k];
  }
}

void ReferenceBackend::multiply(double alpha, ConstView A, Transpose transpose_a, ConstView B, Transpose transpose_b,
                                double beta, View C) const {
  product(alpha, A, transpose_a, B, transpose_b, beta, C);
}

void ReferenceBackend::multiply(float alpha, ConstFloatView A, Transpose transpose_a, ConstFloatView B,
                                Transpose transpose_b, float beta, FloatView C) const {
  product(alpha, A, transpose_a, B, transpose_b, beta, C);
}

void ReferenceBackend::add_squares(ConstView X, View C) const {
  for (Index i = 0; i < C.rows(); ++i) {
    for (Index j = 0; j <= i; ++j) {
      for (Index k = 0; k < X.rows(); ++k) C(i, j) += X(k, i) * X(k, j);
    }
  }
}

bool ReferenceBackend::cholesky(View A, const Interrupt& interrupt) const { return factor(A, interrupt); }

void ReferenceBackend::solve_rows(ConstView L, View B) const {
  for (Index i = 0; i < B.rows(); ++i) {
    for (Index j = 0; j < B.cols(); ++j) {
      double sum = B(i, j);
      for (Index k = 0; k < j; ++k) sum -= B(i, k) * L(j, k);
      B(i, j) = sum / L(j, j);
    }
  }
}

bool ReferenceBackend::invert(View A, const Interrupt& interrupt) const { return inverse(A, interrupt); }

void ReferenceBackend::triangular_solve(ConstView L, Transpose transpose, View B) const { substitute(L, transpose, B); }

bool ReferenceBackend::solve(FloatView A, FloatView B, const Interrupt& interrupt) const {
  if (!factor(A, interrupt)) return false;
  substitute(A, Transpose::no, B);
  substitute(A, Transpose::yes, B);
  return true;
}

bool ReferenceBackend::invert(FloatView A, const Interrupt& interrupt) const { return inverse(A, interrupt); }

// Jacobi's method: rotations that zero one entry after the other until none is left.
void ReferenceBackend::eigen(View A, Vector& values, const Interrupt& interrupt) const {
  const Index n = A.rows();
  Matrix S = A;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < i; ++j) S(j, i) = S(i, j);
  }
  Matrix V = Matrix::Identity(n, n);
  for (int sweep = 0; sweep < 100; ++sweep) {
    interrupt.check();
    double off = 0;
    for (Index p = 0; p < n; ++p) {
      for (Index q = p + 1; q < n; ++q) {
        off = std::max(off, std::abs(S(p, q)));
        if (S(p, q) == 0) continue;
        const double theta = (S(q, q) - S(p, p)) / (2 * S(p, q));
        const double t = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::hypot(1, theta));
        const double c = 1 / std::hypot(1, t);
        const double s = t * c;
        for (Index k = 0; k < n; ++k) {
          const double a = S(k, p);
          const double b = S(k, q);
          S(k, p) = c * a - s * b;
          S(k, q) = s * a + c * b;
        }
        for (Index k = 0; k < n; ++k) {
          const double a = S(p, k);
          const double b = S(q, k);
          S(p, k) = c * a - s * b;
          S(q, k) = s * a + c * b;
          const double v = V(k, p);
          const double w = V(k, q);
          V(k, p) = c * v - s * w;
          V(k, q) = s * v + c * w;
        }
      }
    }
    if (off <= 1e-300 + 1e-17 * S.diagonal().cwiseAbs().maxCoeff()) break;
  }
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return S(a, a) < S(b, b); });
  values = S.diagonal()(order);
  A = V(Eigen::all, order);
}

}  // namespace manyone
