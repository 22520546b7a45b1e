// SPDX-License-Identifier: Apache-2.0
#include "solve/nystrom.hpp"

#include <algorithm>
#include <cmath>

#include "solve/tiles.hpp"

namespace manyone {

namespace {

// Rows of a group, at most: a class of letter's 15000 rows has 580. The price of a block grows with the square of this.
constexpr Index kGroupRows = 768;
// What is added to the diagonal of K_mm, relative to it: the rounding of C, which is kept in single precision. Equal
// centres make K_mm singular.
constexpr double kJitter = 1e-6;
// The same for the blocks of K - B B', a difference of sums in single precision.
constexpr double kBlockJitter = 1e-5;
// The ridge of the preconditioner, relative to |C'C|, is at least this: below, the subtraction in M^{-1} would leave
// only rounding of single precision.
constexpr double kSmallestRidge = 1e-6;

/// body(first row, rows) for the strips of rows of a triangular matrix.
template <class Body>
void for_lower_strips(Index size, const Body& body) {
  for (Index r = 0; r < size; r += kTile) body(r, std::min(kTile, size - r));
}

double entry(ConstView K, Index i, Index j) { return i >= j ? K(i, j) : K(j, i); }

Matrix gram_of_centres(ConstView K, std::span<const Index> centres) {
  const auto m = static_cast<Index>(centres.size());
  Matrix K_mm(m, m);
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j <= i; ++j) K_mm(j, i) = K_mm(i, j) = entry(K, centres[i], centres[j]);
  }
  return K_mm;
}

/// Cholesky factor of K_mm with as much jitter as it needs; empty if K_mm is nothing like a Gram matrix.
Matrix factor_of_centres(const Backend& backend, const Interrupt& interrupt, const Matrix& K_mm) {
  const double size = K_mm.diagonal().mean();
  for (double jitter = kJitter * size; jitter < size; jitter *= 10) {
    Matrix L = K_mm;
    L.diagonal().array() += jitter;
    if (backend.cholesky(L, interrupt)) return L;
  }
  return {};
}

/// F'F, lower tiles.
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
                                             const RidgeProblem& problem, ConstView K, std::span<const Index> centres,
                                             std::span<const int> groups)
    : ridge_(problem.ridge) {
  const Index n = K.rows();
  const auto m = static_cast<Index>(centres.size());
  scale_ = problem.weights.size() == 0 ? Vector(Vector::Ones(n)) : Vector(problem.weights.cwiseSqrt());
  Matrix L;
  double jitter = 0;
  if (m > 0) {
    const Matrix K_mm = gram_of_centres(K, centres);
    L = factor_of_centres(backend, interrupt, K_mm);
    jitter = kBlockJitter * K_mm.diagonal().mean();
    // |C'C|: the centres are a sample of the rows, so K has the eigenvalues of K_mm, n/m times as large.
    const double size = K_mm.norm() * static_cast<double>(n) / static_cast<double>(m) * scale_.array().square().mean();
    if (L.size() > 0) ridge_ = std::max(ridge_, kSmallestRidge * size);
  }
  const bool blocks = L.size() > 0 && !groups.empty();
  arrange(blocks ? groups : std::span<const int>(), n);
  if (L.size() == 0) return;
  find_columns(backend, interrupt, K, centres, L);
  backend.parallel_for(groups_.size(), [&](std::size_t g) {
    interrupt.check();
    if (blocks) find_block(backend, interrupt, K, jitter, groups_[g]);
    divide_by_block(backend, groups_[g]);
  });
  capacitance_ = gram_of(backend, interrupt, panels_);
  capacitance_.diagonal().array() += 1;
  if (!backend.invert(capacitance_, interrupt)) panels_.clear();
}

void NystromPreconditioner::arrange(std::span<const int> groups, Index n) {
  std::vector<std::vector<Index>> members(groups.empty() ? 1 : *std::max_element(groups.begin(), groups.end()) + 1);
  for (Index i = 0; i < n; ++i) members[groups.empty() ? 0 : groups[i]].push_back(i);
  const Index most = groups.empty() ? kTile : kGroupRows;
  for (const std::vector<Index>& rows : members) {
    const auto size = static_cast<Index>(rows.size());
    const Index parts = (size + most - 1) / most;
    for (Index part = 0; part < parts; ++part) {
      const Index begin = size * part / parts;
      const Index end = size * (part + 1) / parts;
      groups_.push_back({static_cast<Index>(order_.size()), end - begin, {}});
      order_.insert(order_.end(), rows.begin() + begin, rows.begin() + end);
    }
  }
}

/// C = W^{1/2} K_nm L^{-T}
void NystromPreconditioner::find_columns(const Backend& backend, const Interrupt& interrupt, ConstView K,
                                         std::span<const Index> centres, const Matrix& L) {
  const Index n = K.rows();
  const Index m = L.rows();
  Matrix inverse = Matrix::Identity(m, m);
  backend.triangular_solve(L, Transpose::no, inverse);
  const FloatMatrix right = inverse.cast<float>();
  for (Index j = 0; j < m; j += kTile) panels_.emplace_back(n, std::min(kTile, m - j));
  std::vector<Index> place(order_.size());
  for (Index k = 0; k < n; ++k) place[order_[k]] = k;
  backend.parallel_for(tiles_of(n), [&](std::size_t t) {
    interrupt.check();
    const Index first = static_cast<Index>(t) * kTile;
    const Index height = std::min(kTile, n - first);
    FloatMatrix rows(height, m);
    for (Index r = 0; r < height; ++r) {
      const Index i = first + r;
      for (Index c = 0; c < m; ++c) rows(r, c) = static_cast<float>(scale_[i] * entry(K, i, centres[c]));
    }
    FloatMatrix columns(height, kTile);
    for (std::size_t p = 0; p < panels_.size(); ++p) {  // the first rows of the triangle matter
      const Index j = static_cast<Index>(p) * kTile;
      const Index width = panels_[p].cols();
      backend.multiply(1.0F, rows.leftCols(j + width), Transpose::no, right.block(j, 0, width, j + width),
                       Transpose::yes, 0.0F, columns.leftCols(width));
      for (Index r = 0; r < height; ++r) panels_[p].row(place[first + r]) = columns.row(r).head(width);
    }
  });
}

/// L^{-1} of the block W^{1/2} (K - B B') W^{1/2} + ridge I of a group; none if rounding has made it indefinite.
void NystromPreconditioner::find_block(const Backend& backend, const Interrupt& interrupt, ConstView K, double jitter,
                                       Group& group) {
  const Index size = group.rows;
  const auto rows = std::span(order_).subspan(group.first, size);  // ascending
  FloatMatrix block = FloatMatrix::Zero(size, size);
  for (Index r = 0; r < size; ++r) {
    for (Index s = 0; s <= r; ++s)
      block(r, s) = static_cast<float>(scale_[rows[r]] * scale_[rows[s]] * K(rows[r], rows[s]));
  }
  for (const FloatMatrix& panel : panels_) {
    const auto C = panel.middleRows(group.first, size);
    for_lower_strips(size, [&](Index r, Index height) {
      backend.multiply(-1.0F, C.middleRows(r, height), Transpose::no, C.topRows(r + height), Transpose::yes, 1.0F,
                       block.block(r, 0, height, r + height));
    });
  }
  Matrix L = block.cast<double>();
  L.diagonal().array() += ridge_ + jitter;
  if (!backend.cholesky(L, interrupt)) return;
  Matrix inverse = Matrix::Identity(size, size);
  backend.triangular_solve(L, Transpose::no, inverse);
  group.inverse = inverse.cast<float>();
}

/// C becomes F = L^{-1} C in the rows of a group.
void NystromPreconditioner::divide_by_block(const Backend& backend, const Group& group) {
  for (FloatMatrix& panel : panels_) {
    auto F = panel.middleRows(group.first, group.rows);
    if (group.inverse.size() == 0) {
      F /= static_cast<float>(std::sqrt(ridge_));
      continue;
    }
    const FloatMatrix C = F;
    for_lower_strips(group.rows, [&](Index r, Index height) {
      backend.multiply(1.0F, group.inverse.block(r, 0, height, r + height), Transpose::no, C.topRows(r + height),
                       Transpose::no, 0.0F, F.middleRows(r, height));
    });
  }
}

Matrix NystromPreconditioner::apply(const Backend& backend, const Matrix& R) const {
  const Index n = R.rows();
  const Index q = R.cols();
  const Index padded = whole_groups(q);
  const auto plain = static_cast<float>(1 / std::sqrt(ridge_));
  FloatMatrix S(n, padded);  // L^{-1} W^{1/2} R
  backend.parallel_for(groups_.size(), [&](std::size_t g) {
    const Group& group = groups_[g];
    auto out = S.middleRows(group.first, group.rows);
    FloatMatrix rows = FloatMatrix::Zero(group.rows, padded);
    for (Index r = 0; r < group.rows; ++r) {
      const Index i = order_[group.first + r];
      rows.row(r).head(q) = (scale_[i] * R.row(i)).cast<float>();
    }
    if (group.inverse.size() == 0) {
      out = plain * rows;
      return;
    }
    for_lower_strips(group.rows, [&](Index r, Index height) {
      backend.multiply(1.0F, group.inverse.block(r, 0, height, r + height), Transpose::no, rows.topRows(r + height),
                       Transpose::no, 0.0F, out.middleRows(r, height));
    });
  });
  if (!panels_.empty()) {
    Matrix right(capacitance_.rows(), padded);
    backend.parallel_for(panels_.size(), [&](std::size_t p) {
      FloatMatrix product(panels_[p].cols(), padded);
      backend.multiply(1.0F, panels_[p], Transpose::yes, S, Transpose::no, 0.0F, product);
      right.middleRows(static_cast<Index>(p) * kTile, product.rows()) = product.cast<double>();
    });
    // In double precision: that of its rounding to single which falls on the large eigenvalues of F F' would count.
    Matrix Y(right.rows(), right.cols());
    backend.multiply(-1, capacitance_, Transpose::no, right, Transpose::no, 0, Y);
    for (std::size_t p = 0; p < panels_.size(); ++p) {
      const FloatMatrix part = Y.middleRows(static_cast<Index>(p) * kTile, panels_[p].cols()).cast<float>();
      backend.multiply(1.0F, panels_[p], Transpose::no, part, Transpose::no, 1.0F, S);
    }
  }
  Matrix Z(n, q);  // W^{1/2} L^{-T} S
  backend.parallel_for(groups_.size(), [&](std::size_t g) {
    const Group& group = groups_[g];
    const auto rows = S.middleRows(group.first, group.rows);
    FloatMatrix out(group.rows, padded);
    if (group.inverse.size() == 0) {
      out = plain * rows;
    } else {
      for_lower_strips(group.rows, [&](Index r, Index height) {
        backend.multiply(1.0F, group.inverse.block(r, r, group.rows - r, height), Transpose::yes,
                         rows.bottomRows(group.rows - r), Transpose::no, 0.0F, out.middleRows(r, height));
      });
    }
    for (Index r = 0; r < group.rows; ++r) {
      const Index i = order_[group.first + r];
      Z.row(i) = scale_[i] * out.row(r).head(q).cast<double>();
    }
  });
  return Z;
}

}  // namespace manyone
