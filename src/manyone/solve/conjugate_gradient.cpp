// SPDX-License-Identifier: Apache-2.0
//
// Block conjugate gradients in the form that keeps the block of residuals orthonormal (Dubrulle 2001, "Retooling the
// method of block conjugate gradients", algorithm BCGrQ): all columns share one Krylov space, which takes fewer
// products with K than each on its own. Products with K and with the preconditioner are in single precision, all else
// in double, and from time to time the residual is computed anew in double precision. Where the ridge is too small for
// that, products with K are in double precision too.
#include "manyone/solve/conjugate_gradient.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <Eigen/Eigenvalues>

#include "manyone/solve/nystrom.hpp"

namespace manyone {

namespace {

// Edge of a tile of K: 256 kB, which stays in the second-level cache while it is used.
constexpr Index kTile = 256;
// Pieces of a product with K: no more threads than this have work, and each takes a matrix of sums.
constexpr std::size_t kGroups = 16;
// The least ridge against the trace of K (at least its norm) for products in single precision, whose rounding must stay
// below the ridge.
constexpr double kSingleRidge = 1e-7;
// Columns are padded to whole vectors of the widest registers, which the backend then uses where they are.
constexpr Index kColumnGroup = 16;
// Columns solved together: beyond, the q x q algebra begins to cost as much as what it saves.
constexpr Index kBlock = 32;
// After a reduction by this much the residual is computed anew in double precision. The recursion's own is off by about
// 1e-5 of where it started: replaced well before that, the directions remain good and no iteration is lost.
constexpr double kReduction = 5e-4;
// Part of the tolerance that is aimed at, since the residual of the recursion is not exact.
constexpr double kAim = 0.9;
// Iterations without a smaller residual after which it is computed anew. Where the preconditioner is poor the residual
// rises for a while, though the error falls.
constexpr int kPatience = 30;
// Directions of a block whose square is smaller than this against the largest are rounding.
constexpr double kNothing = 1e-10;

std::size_t tiles_of(Index rows) { return static_cast<std::size_t>((rows + kTile - 1) / kTile); }

/// K in single precision: the tiles of its lower triangle one after the other, those on the diagonal in full.
class SingleGram {
  static Index first(std::size_t i) { return static_cast<Index>(i) * kTile; }
  Index size(std::size_t i) const { return std::min(kTile, n_ - first(i)); }
  template <class M>
  auto rows_of(M& matrix, std::size_t i) const {
    return matrix.middleRows(first(i), size(i));
  }

 public:
  SingleGram(const Backend& backend, const Interrupt& interrupt, ConstView K)
      : n_(K.rows()), count_(tiles_of(n_)), tiles_(static_cast<Index>(count_ * (count_ + 1) / 2) * kTile, kTile) {
    backend.parallel_for(count_, [&](std::size_t t) {
      interrupt.check();
      const std::size_t i = count_ - 1 - t;
      for (std::size_t j = 0; j < i; ++j) tile(i, j) = K.block(first(i), first(j), size(i), kTile).cast<float>();
      tile(i, i) = K.block(first(i), first(i), size(i), size(i)).cast<float>();
      tile(i, i).triangularView<Eigen::StrictlyUpper>() = tile(i, i).transpose();
    });
  }

  /// (K + diag(d)) P. Each tile is used from both sides while it is in cache. Groups of rows of tiles, always the same
  /// ones, have sums of their own, which are added in their order: the result does not depend on the number of threads.
  Matrix multiply(const Backend& backend, const Vector& d, const Matrix& P) {
    const Index q = P.cols();
    V_.setZero(n_, (q + kColumnGroup - 1) / kColumnGroup * kColumnGroup);
    backend.parallel_for(count_, [&](std::size_t i) { rows_of(V_, i).leftCols(q) = rows_of(P, i).cast<float>(); });
    backend.parallel_for(kGroups, [&](std::size_t g) {
      sums_[g].setZero(n_, V_.cols());
      // Row i has i tiles, row count - 1 - i the rest: together always as many.
      for (std::size_t i = g; 2 * i < count_; i += kGroups) {
        add_products(backend, i, sums_[g]);
        if (count_ - 1 - i != i) add_products(backend, count_ - 1 - i, sums_[g]);
      }
    });
    Matrix out(n_, q);
    backend.parallel_for(count_, [&](std::size_t i) {
      for (std::size_t g = 1; g < kGroups; ++g) rows_of(sums_[0], i) += rows_of(sums_[g], i);
      rows_of(out, i) =
          rows_of(sums_[0], i).leftCols(q).cast<double>() + d.segment(first(i), size(i)).asDiagonal() * rows_of(P, i);
    });
    return out;
  }

 private:
  /// The tiles of row i, and those of column i above the diagonal, times V.
  void add_products(const Backend& backend, std::size_t i, FloatMatrix& sums) const {
    for (std::size_t j = 0; j <= i; ++j) {
      backend.multiply(1.0F, tile(i, j), Transpose::no, rows_of(V_, j), Transpose::no, 1.0F, rows_of(sums, i));
      if (j == i) continue;
      backend.multiply(1.0F, tile(i, j), Transpose::yes, rows_of(V_, i), Transpose::no, 1.0F, rows_of(sums, j));
    }
  }
  FloatView tile(std::size_t i, std::size_t j) {
    return tiles_.block(static_cast<Index>(i * (i + 1) / 2 + j) * kTile, 0, size(i), size(j));
  }
  ConstFloatView tile(std::size_t i, std::size_t j) const {
    return tiles_.block(static_cast<Index>(i * (i + 1) / 2 + j) * kTile, 0, size(i), size(j));
  }

  Index n_;
  std::size_t count_;
  FloatMatrix tiles_;
  // Kept from product to product: the columns padded to whole vectors, the sums of the groups.
  FloatMatrix V_;
  std::array<FloatMatrix, kGroups> sums_;
};

/// out := out - K V from the lower triangle of K, in double precision.
void subtract_product(const Backend& backend, const Interrupt& interrupt, ConstView K, ConstView V, View out) {
  const Index n = K.rows();
  backend.parallel_for(tiles_of(n), [&](std::size_t t) {
    interrupt.check();
    const Index i = static_cast<Index>(t) * kTile;
    const Index height = std::min(kTile, n - i);
    const Index rest = n - i - height;
    auto rows = out.middleRows(i, height);
    Matrix diagonal = K.block(i, i, height, height);
    diagonal.triangularView<Eigen::StrictlyUpper>() = diagonal.transpose();
    backend.multiply(-1, K.block(i, 0, height, i), Transpose::no, V.topRows(i), Transpose::no, 1, rows);
    backend.multiply(-1, diagonal, Transpose::no, V.middleRows(i, height), Transpose::no, 1, rows);
    backend.multiply(-1, K.block(i + height, i, rest, height), Transpose::yes, V.bottomRows(rest), Transpose::no, 1,
                     rows);
  });
}

/// What all cycles share.
struct System {
  const Backend& backend;
  const Interrupt& interrupt;
  const ConjugateGradientOptions& options;
  ConstView K;
  Vector diagonal;                   // of ridge W^{-1}
  std::optional<SingleGram> single;  // none: products in double precision
  NystromPreconditioner preconditioner;
};

Matrix product(const Backend& backend, ConstView A, Transpose transpose, ConstView B) {
  Matrix out(transpose == Transpose::no ? A.rows() : A.cols(), B.cols());
  backend.multiply(1, A, transpose, B, Transpose::no, 0, out);
  return out;
}

/// T - (K + ridge W^{-1}) X in double precision.
Matrix exact_residual(const System& system, ConstView T, const Matrix& X) {
  Matrix R = T - system.diagonal.asDiagonal() * X;
  subtract_product(system.backend, system.interrupt, system.K, X, R);
  return R;
}

/// (K + ridge W^{-1}) P
Matrix apply_system(System& system, const Matrix& P) {
  if (!system.single) return -exact_residual(system, Matrix::Zero(P.rows(), P.cols()), P);
  return system.single->multiply(system.backend, system.diagonal, P);
}

/// R = Q F with Q' M^{-1} Q = I and S = M^{-1} Q, by the eigenvectors of R' M^{-1} R; directions that carry nothing are
/// left out, so that F may have fewer rows than columns.
struct Orthonormal {
  Matrix Q, S, F;
};

Orthonormal orthonormalise(const System& system, const Matrix& R) {
  const Matrix Z = system.preconditioner.apply(system.backend, R);
  const Matrix G = product(system.backend, R, Transpose::yes, Z);
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(0.5 * (G + G.transpose()));
  const Vector& values = eigen.eigenvalues();  // ascending
  const double smallest = std::max(kNothing * values[values.size() - 1], 1e-300);
  const Index kept = (values.array() > smallest).count();
  const Vector root = values.tail(kept).cwiseSqrt();
  const Matrix vectors = eigen.eigenvectors().rightCols(kept);
  const Matrix E = vectors * root.cwiseInverse().asDiagonal();
  return {product(system.backend, R, Transpose::no, E), product(system.backend, Z, Transpose::no, E),
          root.asDiagonal() * vectors.transpose()};
}

/// Where the iteration stands: R = T - (K + ridge W^{-1}) X = Q C.
struct Block {
  Matrix X, Q, C;
  Matrix P;                      // directions
  Matrix H;                      // (K + ridge W^{-1}) P
  Eigen::LLT<Matrix> curvature;  // of P'H
  bool has_directions = false;   // P and H are those of an earlier step
};

/// Sets the next directions from those of the residuals Q, in the metric of the preconditioner; conjugate to the last.
void redirect(const System& system, Orthonormal next, Block& block) {
  if (block.has_directions) {
    const Matrix back = block.curvature.solve(product(system.backend, block.H, Transpose::yes, next.S));
    system.backend.multiply(-1, block.P, Transpose::no, back, Transpose::no, 1, next.S);
  }
  block.P = std::move(next.S);
  block.Q = std::move(next.Q);
}

/// The step along P that makes the error smallest; false if rounding has left no such step. Steps and directions are
/// computed from the inner products that define them, not from what these would be without rounding: with products in
/// single precision the shorter recursion may diverge.
bool advance(System& system, Block& block) {
  const Backend& backend = system.backend;
  block.H = apply_system(system, block.P);
  block.curvature.compute(product(backend, block.P, Transpose::yes, block.H));
  block.has_directions = block.curvature.info() == Eigen::Success;
  if (!block.has_directions) return false;
  const Matrix step = block.curvature.solve(product(backend, block.P, Transpose::yes, block.Q));
  backend.multiply(1, block.P, Transpose::no, Matrix(step * block.C), Transpose::no, 1, block.X);
  backend.multiply(-1, block.H, Transpose::no, step, Transpose::no, 1, block.Q);
  return true;
}

/// Goes on from the residual R with the columns that are not yet solved; the others stay as they are.
void continue_from(const System& system, const Matrix& R, Block& block) {
  const Vector norms = R.colwise().norm();
  std::vector<Index> open;
  for (Index k = 0; k < R.cols(); ++k) {
    if (!(norms[k] <= system.options.tolerance)) open.push_back(k);
  }
  const Vector size = norms(open);
  Orthonormal next = orthonormalise(system, R(Eigen::all, open) * size.cwiseInverse().asDiagonal());
  block.C = Matrix::Zero(next.F.rows(), R.cols());
  block.C(Eigen::all, open) = next.F * size.asDiagonal();
  redirect(system, std::move(next), block);
}

/// Iterates until the residual, as far as the recursion knows, is small against the one at the start or no longer
/// falls, or the count of iterations is at its limit.
void run_cycle(System& system, double start, int limit, Block& block, ConjugateGradientSummary& summary) {
  const ConjugateGradientOptions& options = system.options;
  const double aim = std::max(kAim * options.tolerance, kReduction * start);
  double best = std::numeric_limits<double>::infinity();
  int since_best = 0;
  while (block.Q.cols() > 0) {
    system.interrupt.check();
    const bool moved = advance(system, block);
    const double residual = product(system.backend, block.Q, Transpose::no, block.C).colwise().norm().maxCoeff();
    ++summary.iterations;
    if (options.progress) options.progress(summary.iterations, residual);
    since_best = residual < best ? 0 : since_best + 1;
    best = std::min(best, residual);
    if (!moved || !(residual > aim) || since_best == kPatience || summary.iterations >= limit) return;
    Orthonormal next = orthonormalise(system, block.Q);
    block.C = next.F * block.C;
    redirect(system, std::move(next), block);
  }
}

/// Solves for up to kBlock columns T of norm 1 (or 0). A cycle counts when it halves the residual or clearly raises
/// tr(X'(T + R)), which grows as the error falls, also where the residual does not yet. After one that does neither,
/// products in single precision are given up; after a second one, all.
Matrix solve_block(System& system, ConstView T, ConjugateGradientSummary& summary) {
  Block block;
  block.X = Matrix::Zero(T.rows(), T.cols());
  Matrix X = block.X;
  Matrix R = T;
  double exact = R.colwise().norm().maxCoeff();
  double energy = 0;
  const int limit = summary.iterations + system.options.max_iterations;
  while (exact > system.options.tolerance && summary.iterations < limit) {
    continue_from(system, R, block);
    run_cycle(system, exact, limit, block, summary);
    R = exact_residual(system, T, block.X);
    const double now = R.colwise().norm().maxCoeff();
    const double gained = block.X.cwiseProduct(T + R).sum();
    const bool counts = now <= 0.5 * exact || gained > 1.001 * energy;
    if (counts || now <= exact) {
      X = block.X;
      exact = now;
      energy = gained;
    }
    if (counts) continue;
    if (!system.single) break;
    system.single.reset();
    block.has_directions = false;
    block.X = X;
    R = exact_residual(system, T, X);
  }
  summary.residual = std::max(summary.residual, exact);
  return X;
}

}  // namespace

ConjugateGradientSummary solve_ridge_iteratively(const Backend& backend, const Interrupt& interrupt,
                                                 const RidgeProblem& problem, ConstView K, ConstView T,
                                                 std::span<const Index> centres,
                                                 const ConjugateGradientOptions& options, RidgeSolution& solution) {
  const Index n = K.rows();
  const Index q = T.cols();
  System system{backend,
                interrupt,
                options,
                K,
                ridge_diagonal(problem, n),
                std::nullopt,
                NystromPreconditioner(backend, interrupt, problem, K, centres)};
  if (system.diagonal.minCoeff() >= kSingleRidge * K.trace()) system.single.emplace(backend, interrupt, K);
  Matrix right(n, problem.bias ? q + 1 : q);
  right.leftCols(q) = T;
  if (problem.bias) right.col(q).setOnes();
  Vector size = right.colwise().norm();
  size = (size.array() > 0).select(size, 1);
  right *= size.cwiseInverse().asDiagonal();
  Matrix A(n, right.cols());
  ConjugateGradientSummary summary;
  for (Index k = 0; k < right.cols(); k += kBlock) {
    const Index width = std::min(kBlock, right.cols() - k);
    A.middleCols(k, width) = solve_block(system, right.middleCols(k, width), summary);
  }
  A *= size.asDiagonal();
  summary.converged = summary.residual <= options.tolerance;
  if (problem.bias) {
    const Vector v = A.col(q);  // P 1
    solution.b = A.leftCols(q).colwise().sum().transpose() / v.sum();
    solution.A = A.leftCols(q) - v * solution.b.transpose();
  } else {
    solution.b = Vector::Zero(q);
    solution.A = std::move(A);
  }
  return summary;
}

}  // namespace manyone
