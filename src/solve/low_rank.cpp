// SPDX-License-Identifier: Apache-2.0
#include "solve/low_rank.hpp"

#include <algorithm>
#include <cmath>

namespace manyone {

namespace {

// Columns added at a time.
constexpr Index kPivots = 64;
// Pivots this small against the largest of the diagonal are rounding.
constexpr double kSmallestPivot = 1e-11;

/// Rows spread so that each stands for the same share of `left`; fewer than kPivots if some would come twice.
std::vector<Index> spread(const Vector& left) {
  std::vector<Index> rows;
  const double share = left.sum() / kPivots;
  double passed = 0.5 * share;
  for (Index i = 0; i < left.size(); ++i) {
    passed += left[i];
    if (passed < share || left[i] <= 0) continue;
    rows.push_back(i);
    passed = std::fmod(passed, share);
  }
  return rows;
}

/// Positions of those rows of a small Gram matrix that are not combinations of earlier ones.
std::vector<Index> independent(Matrix G, double smallest) {
  std::vector<Index> kept;
  for (Index k = 0; k < G.rows(); ++k) {
    if (!(G(k, k) > smallest)) continue;
    kept.push_back(k);
    const Vector column = G.col(k) / std::sqrt(G(k, k));
    G.noalias() -= column * column.transpose();
  }
  return kept;
}

}  // namespace

LowRank::LowRank(const Backend& backend, const Interrupt& interrupt, ConstView K, std::span<const double> remainders,
                 Index most)
    : Z_(K.rows(), most), left_(K.diagonal()), columns_for_(remainders.size(), 0) {
  std::vector<std::size_t> open;
  for (std::size_t k = 0; k < remainders.size(); ++k) open.push_back(k);
  double before = left_.sum();
  while (!open.empty() && columns() + kPivots <= most && add_block(backend, interrupt, K)) {
    const double now = left_.sum();
    std::erase_if(open, [&](std::size_t k) {
      if (now <= remainders[k]) {
        columns_for_[k] = columns();
        return true;
      }
      // The spectrum decays ever more slowly, so that blocks like the last one are the best to be hoped for.
      const double blocks = std::log(now / remainders[k]) / std::log(before / now);
      return steps_.size() > 1 && !(static_cast<double>(columns()) + blocks * kPivots <= static_cast<double>(most));
    });
    before = now;
  }
}

bool LowRank::add_block(const Backend& backend, const Interrupt& interrupt, ConstView K) {
  interrupt.check();
  const Index have = columns();
  const std::vector<Index> drawn = spread(left_);
  if (drawn.empty()) return false;
  // Columns of K - Z Z'.
  Matrix G = K(drawn, Eigen::all).transpose();
  const auto Z = Z_.leftCols(have);
  backend.multiply(-1, Z, Transpose::no, Matrix(Z(drawn, Eigen::all)), Transpose::yes, 1, G);
  const std::vector<Index> kept = independent(G(drawn, Eigen::all), kSmallestPivot * K.diagonal().maxCoeff());
  if (kept.empty()) return false;
  const auto count = static_cast<Index>(kept.size());
  std::vector<Index> rows;
  for (const Index k : kept) rows.push_back(drawn[static_cast<std::size_t>(k)]);
  Matrix columns = G(Eigen::all, kept);
  Matrix L = columns(rows, Eigen::all);
  if (!backend.cholesky(L, interrupt)) return false;
  backend.solve_rows(L, columns);
  Z_.middleCols(have, count) = columns;
  left_ = (left_ - columns.rowwise().squaredNorm()).cwiseMax(0);
  for (const Index row : rows) left_[row] = 0;
  steps_.push_back(have + count);
  return true;
}

LowRankFolds::LowRankFolds(const Backend& backend, const Interrupt& interrupt, const LowRank& factor,
                           const Vector& weights, ConstView T, const Folds& folds)
    : Z_(factor.Z()), rows_(folds.rows()) {
  const Index m = factor.steps().back();
  const auto zero = [&] {
    return Sums{Matrix::Zero(m, m), Matrix::Zero(m, T.cols()), Vector::Zero(m), Vector::Zero(T.cols()), 0};
  };
  all_ = zero();
  for (const std::vector<Index>& B : rows_) {
    interrupt.check();
    Sums sums = zero();
    const Matrix Z_B = Z_(B, Eigen::seqN(0, m));
    const Matrix T_B = T(B, Eigen::all);
    const Vector w = weights.size() == 0 ? Vector(Vector::Ones(static_cast<Index>(B.size()))) : Vector(weights(B));
    const Matrix weighted = w.asDiagonal() * Z_B;
    // Block by block: so the sums of the first columns do not depend on how many follow.
    Index i = 0;
    for (const Index i_end : factor.steps()) {
      const auto rows = weighted.middleCols(i, i_end - i);
      Index j = 0;
      for (const Index j_end : factor.steps()) {
        if (j > i || B.empty()) break;
        backend.multiply(1, rows, Transpose::yes, Z_B.middleCols(j, j_end - j), Transpose::no, 0,
                         sums.G.block(i, j, i_end - i, j_end - j));
        j = j_end;
      }
      if (!B.empty()) backend.multiply(1, rows, Transpose::yes, T_B, Transpose::no, 0, sums.U.middleRows(i, i_end - i));
      i = i_end;
    }
    sums.z = weighted.colwise().sum().transpose();
    sums.t = T_B.transpose() * w;
    sums.weight = w.sum();
    all_.G += sums.G;
    all_.U += sums.U;
    all_.z += sums.z;
    all_.t += sums.t;
    all_.weight += sums.weight;
    folds_.push_back(std::move(sums));
  }
}

Matrix LowRankFolds::heldout(const Backend& backend, const Interrupt& interrupt, double ridge, bool bias,
                             Index m) const {
  const Index q = all_.t.size();
  Matrix out = Matrix::Zero(Z_.rows(), q);
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    interrupt.check();
    const Sums& left_out = folds_[k];
    const double weight = all_.weight - left_out.weight;
    if (rows_[k].empty() || !(weight > 0)) continue;
    Matrix G = all_.G.topLeftCorner(m, m) - left_out.G.topLeftCorner(m, m);
    Matrix w = all_.U.topRows(m) - left_out.U.topRows(m);
    const Vector z = all_.z.head(m) - left_out.z.head(m);
    const Vector t = all_.t - left_out.t;
    if (bias) {  // an unpenalised constant: everything is centred
      G.noalias() -= z * z.transpose() / weight;
      w.noalias() -= z * t.transpose() / weight;
    }
    G.diagonal().array() += ridge;
    if (!backend.cholesky(G, interrupt)) return {};
    backend.cholesky_solve(G, w);
    const Matrix Z_B = Z_(rows_[k], Eigen::seqN(0, m));
    Matrix f(Z_B.rows(), q);
    backend.multiply(1, Z_B, Transpose::no, w, Transpose::no, 0, f);
    if (bias) f.rowwise() += ((t - w.transpose() * z) / weight).transpose();
    for (std::size_t r = 0; r < rows_[k].size(); ++r) out.row(rows_[k][r]) = f.row(static_cast<Index>(r));
  }
  return out;
}

}  // namespace manyone
