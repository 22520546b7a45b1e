// SPDX-License-Identifier: Apache-2.0
#include "manyone/solve/nystrom.hpp"

#include <algorithm>

namespace manyone {

namespace {

// Rows of one parallel piece, and the edge of a tile of C'C.
constexpr Index kTile = 256;
// Columns are padded to whole vectors of the widest registers, which the backend then uses where they are.
constexpr Index kColumnGroup = 16;
// What is added to the diagonal of K_mm, relative to it: the rounding of C, which is kept in single precision. Equal
// centres make K_mm singular.
constexpr double kJitter = 1e-6;
// The ridge of the preconditioner, relative to |C'C|, is at least this: below, the subtraction in M^{-1} would leave
// only rounding of single precision.
constexpr double kSmallestRidge = 1e-6;

std::size_t tiles_of(Index rows) { return static_cast<std::size_t>((rows + kTile - 1) / kTile); }

double entry(ConstView K, Index i, Index j) { return i >= j ? K(i, j) : K(j, i); }

/// Cholesky factor of K_mm with as much jitter as it needs; empty if K_mm is nothing like a Gram matrix.
Matrix factor_of_centres(const Backend& backend, const Interrupt& interrupt, ConstView K,
                         std::span<const Index> centres) {
  const auto m = static_cast<Index>(centres.size());
  Matrix K_mm(m, m);
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j <= i; ++j) K_mm(i, j) = entry(K, centres[i], centres[j]);
  }
  const double size = K_mm.diagonal().mean();
  for (double jitter = kJitter * size; jitter < size; jitter *= 10) {
    Matrix L = K_mm;
    L.diagonal().array() += jitter;
    if (backend.cholesky(L, interrupt)) return L;
  }
  return {};
}

/// C'C, lower tiles.
Matrix gram_of(const Backend& backend, const Interrupt& interrupt, const std::vector<FloatMatrix>& panels) {
  const Index m = kTile * (static_cast<Index>(panels.size()) - 1) + panels.back().cols();
  Matrix out(m, m);
  backend.parallel_for(panels.size() * (panels.size() + 1) / 2, [&](std::size_t t) {
    interrupt.check();
    std::size_t i = 0;
    while ((i + 1) * (i + 2) / 2 <= t) ++i;
    const std::size_t j = t - i * (i + 1) / 2;
    FloatMatrix tile(panels[i].cols(), panels[j].cols());
    backend.multiply(1.0F, panels[i], Transpose::yes, panels[j], Transpose::no, 0.0F, tile);
    out.block(static_cast<Index>(i) * kTile, static_cast<Index>(j) * kTile, tile.rows(), tile.cols()) =
        tile.cast<double>();
  });
  return out;
}

}  // namespace

NystromPreconditioner::NystromPreconditioner(const Backend& backend, const Interrupt& interrupt,
                                             const RidgeProblem& problem, ConstView K, std::span<const Index> centres)
    : ridge_(problem.ridge) {
  const Index n = K.rows();
  const auto m = static_cast<Index>(centres.size());
  scale_ = problem.weights.size() == 0 ? Vector(Vector::Ones(n)) : Vector(problem.weights.cwiseSqrt());
  if (m == 0) return;
  const Matrix L = factor_of_centres(backend, interrupt, K, centres);
  if (L.size() == 0) return;
  Matrix inverse = Matrix::Identity(m, m);
  backend.triangular_solve(L, Transpose::no, inverse);
  const FloatMatrix right = inverse.cast<float>();
  for (Index j = 0; j < m; j += kTile) panels_.emplace_back(n, std::min(kTile, m - j));
  backend.parallel_for(tiles_of(n), [&](std::size_t t) {
    interrupt.check();
    const Index i = static_cast<Index>(t) * kTile;
    const Index height = std::min(kTile, n - i);
    FloatMatrix rows(height, m);
    for (Index r = 0; r < height; ++r) {
      for (Index c = 0; c < m; ++c) rows(r, c) = static_cast<float>(scale_[i + r] * entry(K, i + r, centres[c]));
    }
    for (std::size_t p = 0; p < panels_.size(); ++p) {  // K_nm L^{-T}: the first rows of its triangle matter
      const Index j = static_cast<Index>(p) * kTile;
      const Index width = panels_[p].cols();
      backend.multiply(1.0F, rows.leftCols(j + width), Transpose::no, right.block(j, 0, width, j + width),
                       Transpose::yes, 0.0F, panels_[p].middleRows(i, height));
    }
  });
  capacitance_ = gram_of(backend, interrupt, panels_);
  const double size = capacitance_.triangularView<Eigen::Lower>().toDenseMatrix().norm();
  ridge_ = std::max(ridge_, kSmallestRidge * size);
  capacitance_.diagonal().array() += ridge_;
  if (!backend.invert(capacitance_, interrupt)) panels_.clear();
}

Matrix NystromPreconditioner::apply(const Backend& backend, const Matrix& R) const {
  const Index n = R.rows();
  const Index q = R.cols();
  const auto for_tiles = [&](const auto& body) {
    backend.parallel_for(tiles_of(n), [&](std::size_t t) {
      const Index i = static_cast<Index>(t) * kTile;
      body(i, std::min(kTile, n - i));
    });
  };
  FloatMatrix scaled = FloatMatrix::Zero(n, (q + kColumnGroup - 1) / kColumnGroup * kColumnGroup);
  for_tiles([&](Index i, Index rows) {
    scaled.block(i, 0, rows, q) = (scale_.segment(i, rows).asDiagonal() * R.middleRows(i, rows)).cast<float>();
  });
  if (!panels_.empty()) {
    Matrix right(capacitance_.rows(), scaled.cols());
    backend.parallel_for(panels_.size(), [&](std::size_t p) {
      FloatMatrix product(panels_[p].cols(), scaled.cols());
      backend.multiply(1.0F, panels_[p], Transpose::yes, scaled, Transpose::no, 0.0F, product);
      right.middleRows(static_cast<Index>(p) * kTile, product.rows()) = product.cast<double>();
    });
    // In double precision: that of its rounding to single which falls on the large eigenvalues of C C' would count.
    Matrix Y(right.rows(), right.cols());
    backend.multiply(-1, capacitance_, Transpose::no, right, Transpose::no, 0, Y);
    for (std::size_t p = 0; p < panels_.size(); ++p) {
      const FloatMatrix part = Y.middleRows(static_cast<Index>(p) * kTile, panels_[p].cols()).cast<float>();
      backend.multiply(1.0F, panels_[p], Transpose::no, part, Transpose::no, 1.0F, scaled);
    }
  }
  Matrix Z(n, q);
  for_tiles([&](Index i, Index rows) {
    Z.middleRows(i, rows) =
        (scale_.segment(i, rows) / ridge_).asDiagonal() * scaled.block(i, 0, rows, q).cast<double>();
  });
  return Z;
}

}  // namespace manyone
