// SPDX-License-Identifier: Apache-2.0
//
// Block conjugate gradients in the form that keeps the block of residuals orthonormal (Dubrulle 2001, "Retooling the
// method of block conjugate gradients", algorithm BCGrQ): all columns share one Krylov space, which takes fewer
// products with K than each on its own. Products with K and with the preconditioner are in single precision, all else
// in double, and from time to time the residual is computed anew in double precision. Where the ridge is too small for
// that, products with K are in double precision too.
#include "solve/conjugate_gradient.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "base/small_algebra.hpp"
#include "solve/nystrom.hpp"
#include "solve/tiles.hpp"

namespace manyone {

namespace {

// Pieces of a product with K: no more threads than this have work, and each takes a matrix of sums.
constexpr std::size_t kGroups = 16;
// The least ridge against the trace of K (at least its norm) for products in single precision, whose rounding must stay
// below the ridge.
constexpr double kSingleRidge = 1e-7;
// Rows from which columns are added up to whole vectors.
constexpr Index kWidenRows = 1000;
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

/// Rows of tiles of a symmetric matrix, of which the lower ones are known.
class TileGrid {
 public:
  explicit TileGrid(Index n) : n_(n), count_(tiles_of(n)) {}
  Index rows() const { return n_; }
  std::size_t count() const { return count_; }
  static Index first(std::size_t i) { return static_cast<Index>(i) * kTile; }
  Index size(std::size_t i) const { return std::min(kTile, n_ - first(i)); }
  template <class M>
  auto rows_of(M& matrix, std::size_t i) const {
    return matrix.middleRows(first(i), size(i));
  }

 private:
  Index n_;
  std::size_t count_;
};

/// K in single precision: the tiles of its lower triangle one after the other, those on the diagonal in full.
class SingleGram : public TileGrid {
 public:
  using Storage = FloatMatrix;

  SingleGram(const Backend& backend, const Interrupt& interrupt, ConstView K)
      : TileGrid(K.rows()), tiles_(static_cast<Index>(count() * (count() + 1) / 2) * kTile, kTile) {
    backend.parallel_for(count(), [&](std::size_t t) {
      interrupt.check();
      const std::size_t i = count() - 1 - t;
      for (std::size_t j = 0; j < i; ++j) place(i, j) = K.block(first(i), first(j), size(i), kTile).cast<float>();
      place(i, i) = K.block(first(i), first(i), size(i), size(i)).cast<float>();
      place(i, i).triangularView<Eigen::StrictlyUpper>() = place(i, i).transpose();
    });
  }
  ConstFloatView tile(std::size_t i, std::size_t j) const {
    return tiles_.block(static_cast<Index>(i * (i + 1) / 2 + j) * kTile, 0, size(i), size(j));
  }

 private:
  FloatView place(std::size_t i, std::size_t j) {
    return tiles_.block(static_cast<Index>(i * (i + 1) / 2 + j) * kTile, 0, size(i), size(j));
  }

  FloatMatrix tiles_;
};

/// K in double precision, where it is; only the tiles on the diagonal are copied, in full.
class DoubleGram : public TileGrid {
 public:
  using Storage = Matrix;

  explicit DoubleGram(ConstView K) : TileGrid(K.rows()), K_(K), diagonal_(K.rows(), kTile) {
    for (std::size_t i = 0; i < count(); ++i) {
      auto place = diagonal_.block(first(i), 0, size(i), size(i));
      place = K.block(first(i), first(i), size(i), size(i));
      place.triangularView<Eigen::StrictlyUpper>() = place.transpose();
    }
  }
  ConstView tile(std::size_t i, std::size_t j) const {
    if (i == j) return diagonal_.block(first(i), 0, size(i), size(i));
    return K_.block(first(i), first(j), size(i), size(j));
  }

 private:
  ConstView K_;
  Matrix diagonal_;
};

/// What a product needs, kept from one to the next.
template <class Storage>
struct ProductScratch {
  Storage V;                          // columns padded to whole vectors
  std::array<Storage, kGroups> sums;  // of the groups
};

/// (K + diag(d)) P. Each tile is used from both sides while it is in cache. Groups of rows of tiles, always the same
/// ones, have sums of their own, which are added in their order: the result does not depend on the number of threads.
template <class Gram>
Matrix symmetric_product(const Backend& backend, const Interrupt& interrupt, const Gram& K, const Vector& d,
                         const Matrix& P, ProductScratch<typename Gram::Storage>& scratch) {
  using Scalar = typename Gram::Storage::Scalar;
  const Index q = P.cols();
  const std::size_t count = K.count();
  auto& V = scratch.V;
  V.setZero(K.rows(), whole_groups(q));
  backend.parallel_for(count,
                       [&](std::size_t i) { K.rows_of(V, i).leftCols(q) = K.rows_of(P, i).template cast<Scalar>(); });
  /// The tiles of row i, and those of column i above the diagonal, times V.
  const auto add_products = [&](std::size_t i, typename Gram::Storage& sums) {
    interrupt.check();
    for (std::size_t j = 0; j <= i; ++j) {
      backend.multiply(Scalar{1}, K.tile(i, j), Transpose::no, K.rows_of(V, j), Transpose::no, Scalar{1},
                       K.rows_of(sums, i));
      if (j == i) continue;
      backend.multiply(Scalar{1}, K.tile(i, j), Transpose::yes, K.rows_of(V, i), Transpose::no, Scalar{1},
                       K.rows_of(sums, j));
    }
  };
  backend.parallel_for(kGroups, [&](std::size_t g) {
    auto& sums = scratch.sums[g];
    sums.setZero(K.rows(), V.cols());
    // Row i has i tiles, row count - 1 - i the rest: together always as many.
    for (std::size_t i = g; 2 * i < count; i += kGroups) {
      add_products(i, sums);
      if (count - 1 - i != i) add_products(count - 1 - i, sums);
    }
  });
  Matrix out(K.rows(), q);
  backend.parallel_for(count, [&](std::size_t i) {
    auto total = K.rows_of(scratch.sums[0], i);
    for (std::size_t g = 1; g < kGroups; ++g) total += K.rows_of(scratch.sums[g], i);
    K.rows_of(out, i) =
        total.leftCols(q).template cast<double>() + d.segment(K.first(i), K.size(i)).asDiagonal() * K.rows_of(P, i);
  });
  return out;
}

/// What all cycles share.
struct System {
  const Backend& backend;
  const Interrupt& interrupt;
  const ConjugateGradientOptions& options;
  DoubleGram K;
  Vector diagonal;                   // of ridge W^{-1}
  std::optional<SingleGram> single;  // none: products in double precision
  ProductScratch<Matrix> scratch;
  ProductScratch<FloatMatrix> single_scratch;
  NystromPreconditioner preconditioner;
};

/// A B for a small B.
Matrix product(const Backend& backend, const Matrix& A, const Matrix& B) {
  Matrix out(A.rows(), B.cols());
  backend.multiply(1, A, Transpose::no, B, Transpose::no, 0, out);
  return out;
}

/// A'B for tall A and B: sums over groups of rows, always the same ones, are added in their order.
Matrix inner_product(const Backend& backend, const Matrix& A, const Matrix& B) {
  const auto groups = static_cast<Index>(kGroups);
  std::array<Matrix, kGroups> sums;
  backend.parallel_for(kGroups, [&](std::size_t g) {
    const Index begin = A.rows() * static_cast<Index>(g) / groups;
    const Index rows = A.rows() * static_cast<Index>(g + 1) / groups - begin;
    sums[g].setZero(A.cols(), B.cols());
    backend.multiply(1, A.middleRows(begin, rows), Transpose::yes, B.middleRows(begin, rows), Transpose::no, 0,
                     sums[g]);
  });
  for (std::size_t g = 1; g < kGroups; ++g) sums[0] += sums[g];
  return sums[0];
}

/// T - (K + ridge W^{-1}) X in double precision.
Matrix exact_residual(System& system, ConstView T, const Matrix& X) {
  return T - symmetric_product(system.backend, system.interrupt, system.K, system.diagonal, X, system.scratch);
}

/// (K + ridge W^{-1}) P
Matrix apply_system(System& system, const Matrix& P) {
  if (!system.single)
    return symmetric_product(system.backend, system.interrupt, system.K, system.diagonal, P, system.scratch);
  return symmetric_product(system.backend, system.interrupt, *system.single, system.diagonal, P, system.single_scratch);
}

/// R = Q F with Q' M^{-1} Q = I and S = M^{-1} Q, by the eigenvectors of R' M^{-1} R; directions that carry nothing are
/// left out, so that F may have fewer rows than columns.
struct Orthonormal {
  Matrix Q, S, F;
};

Orthonormal orthonormalise(const System& system, const Matrix& R) {
  const Matrix Z = system.preconditioner.apply(system.backend, R);
  const Matrix G = inner_product(system.backend, R, Z);
  const SymmetricEigen eigen = symmetric_eigen(0.5 * (G + G.transpose()));
  const Vector& values = eigen.values;  // ascending
  const double smallest = std::max(kNothing * values[values.size() - 1], 1e-300);
  const Index kept = (values.array() > smallest).count();
  const Vector root = values.tail(kept).cwiseSqrt();
  const Matrix vectors = eigen.vectors.rightCols(kept);
  const Matrix E = vectors * root.cwiseInverse().asDiagonal();
  return {product(system.backend, R, E), product(system.backend, Z, E), root.asDiagonal() * vectors.transpose()};
}

/// Where the iteration stands: R = T - (K + ridge W^{-1}) X = Q C.
struct Block {
  Index wanted = 0;  // columns of X, the first ones, that are asked for
  Matrix X, Q, C;
  Matrix P;                     // directions
  Matrix H;                     // (K + ridge W^{-1}) P
  SmallCholesky curvature;      // of P'H
  bool has_directions = false;  // P and H are those of an earlier step
};

/// Sets the next directions from those of the residuals Q, in the metric of the preconditioner; conjugate to the last.
void redirect(const System& system, Orthonormal next, Block& block) {
  if (block.has_directions) {
    const Matrix back = block.curvature.solve(inner_product(system.backend, block.H, next.S));
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
  block.has_directions = block.curvature.compute(inner_product(backend, block.P, block.H));
  if (!block.has_directions) return false;
  const Matrix step = block.curvature.solve(inner_product(backend, block.P, block.Q));
  backend.multiply(1, block.P, Transpose::no, Matrix(step * block.C), Transpose::no, 1, block.X);
  backend.multiply(-1, block.H, Transpose::no, step, Transpose::no, 1, block.Q);
  return true;
}

/// The largest norm of a column among those that are asked for.
double largest_residual(const Block& block, const Matrix& R) {
  return R.leftCols(block.wanted).colwise().norm().maxCoeff();
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
    const double residual = largest_residual(block, product(system.backend, block.Q, block.C));
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

/// T and random columns of norm 1 up to whole vectors. Products compute as many anyway, and with more columns the space
/// in which the solution is sought grows faster: on letter 36 iterations became 34.
Matrix widened(ConstView T) {
  const Index width = whole_groups(T.cols());
  if (T.rows() < kWidenRows) return T;
  Matrix out(T.rows(), width);
  out.leftCols(T.cols()) = T;
  Random random(1);
  for (Index k = T.cols(); k < width; ++k) {
    for (Index i = 0; i < T.rows(); ++i) out(i, k) = random.normal();
    out.col(k).normalize();
  }
  return out;
}

/// Solves for up to kBlock columns of norm 1 (or 0). A cycle counts when it halves the residual or clearly raises
/// tr(X'(T + R)), which grows as the error falls, also where the residual does not yet. After one that does neither,
/// products in single precision and the directions so far are given up; after another one, all.
Matrix solve_block(System& system, ConstView columns, ConjugateGradientSummary& summary) {
  const Matrix T = widened(columns);
  Block block;
  block.wanted = columns.cols();
  block.X = Matrix::Zero(T.rows(), T.cols());
  Matrix X = block.X;
  Matrix R = T;
  double exact = largest_residual(block, R);
  double energy = 0;
  const int limit = summary.iterations + system.options.max_iterations;
  while (exact > system.options.tolerance && summary.iterations < limit) {
    const bool afresh = !block.has_directions;
    continue_from(system, R, block);
    run_cycle(system, exact, limit, block, summary);
    if (!system.options.exact) {
      summary.residual = std::max(summary.residual, largest_residual(block, product(system.backend, block.Q, block.C)));
      return block.X.leftCols(block.wanted);
    }
    R = exact_residual(system, T, block.X);
    const double now = largest_residual(block, R);
    const double gained = block.X.cwiseProduct(T + R).sum();
    const bool counts = now <= 0.5 * exact || gained > 1.001 * energy;
    if (counts || now <= exact) {
      X = block.X;
      exact = now;
      energy = gained;
    }
    if (counts) continue;
    if (!system.single && afresh) break;
    system.single.reset();
    block.has_directions = false;
    block.X = X;
    R = exact_residual(system, T, X);
  }
  summary.residual = std::max(summary.residual, exact);
  return X.leftCols(block.wanted);
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
                DoubleGram(K),
                ridge_diagonal(problem, n),
                std::nullopt,
                {},
                {},
                NystromPreconditioner(backend, interrupt, problem, K, centres, options.groups)};
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
