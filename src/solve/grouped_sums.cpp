// SPDX-License-Identifier: Apache-2.0
#include "solve/grouped_sums.hpp"

#include <algorithm>
#include <cmath>

namespace manyone {

namespace {

/// totals(:, g) += sum of w x over the rows of group g.
void add_totals(const Backend& backend, ConstView x, std::span<const int> group_of_row, const Vector& w,
                Matrix& totals) {
  constexpr Index tile = 256;  // columns
  const Index m = x.cols();
  const Index L = totals.cols();
  backend.parallel_for(static_cast<std::size_t>((m + tile - 1) / tile), [&](std::size_t t) {
    const Index first = static_cast<Index>(t) * tile;
    const Index width = std::min(tile, m - first);
    Matrix sums = Matrix::Zero(L, width);
    for (Index i = 0; i < x.rows(); ++i) {
      const double weight = w.size() > 0 ? w[i] : 1;
      sums.row(group_of_row[static_cast<std::size_t>(i)]) += weight * x.row(i).segment(first, width);
    }
    totals.middleRows(first, width) += sums.transpose();
  });
}

}  // namespace

GroupedSums::GroupedSums(Index columns, Index groups, bool apart)
    : totals(Matrix::Zero(columns, groups)), weights(Vector::Zero(groups)) {
  const Matrix none = Matrix::Zero(columns, columns);
  if (apart) {
    squares_of_group.assign(static_cast<std::size_t>(groups), none);
  } else {
    squares = none;
  }
}

void GroupedSums::complete() {
  const auto mirror = [](Matrix& lower) { lower.triangularView<Eigen::StrictlyUpper>() = lower.transpose(); };
  mirror(squares);
  for (Matrix& of_group : squares_of_group) mirror(of_group);
}

void GroupedSums::add(const Backend& backend, View x, std::span<const int> group_of_row, const Vector& row_weights) {
  add_totals(backend, x, group_of_row, row_weights, totals);
  for (Index i = 0; i < x.rows(); ++i) {
    weights[group_of_row[static_cast<std::size_t>(i)]] += row_weights.size() > 0 ? row_weights[i] : 1;
  }
  if (row_weights.size() > 0) x.array().colwise() *= row_weights.array().sqrt();
  if (squares_of_group.empty()) {
    backend.add_squares(x, squares);
    return;
  }
  std::vector<std::vector<Index>> rows(squares_of_group.size());
  for (Index i = 0; i < x.rows(); ++i) {
    rows[static_cast<std::size_t>(group_of_row[static_cast<std::size_t>(i)])].push_back(i);
  }
  for (std::size_t g = 0; g < rows.size(); ++g) {
    if (!rows[g].empty()) backend.add_squares(Matrix(x(rows[g], Eigen::all)), squares_of_group[g]);
  }
}

GroupedSums& GroupedSums::operator+=(const GroupedSums& other) {
  squares += other.squares;
  for (std::size_t g = 0; g < squares_of_group.size(); ++g) squares_of_group[g] += other.squares_of_group[g];
  totals += other.totals;
  weights += other.weights;
  return *this;
}

GroupedSums GroupedSums::without(const GroupedSums& other) const {
  GroupedSums out;
  out.squares = squares - other.squares;
  for (std::size_t g = 0; g < squares_of_group.size(); ++g) {
    out.squares_of_group.push_back(squares_of_group[g] - other.squares_of_group[g]);
  }
  out.totals = totals - other.totals;
  out.weights = weights - other.weights;
  return out;
}

GroupedSums GroupedSums::only(const std::vector<Index>& kept) const {
  GroupedSums out;
  if (squares.size() > 0) out.squares = squares(kept, kept);
  for (const Matrix& of_group : squares_of_group) out.squares_of_group.push_back(of_group(kept, kept));
  out.totals = totals(kept, Eigen::all);
  out.weights = weights;
  return out;
}

GroupedSums GroupedSums::mapped(const Backend& backend, const Vector& centre, ConstView T) const {
  const Index r = T.cols();
  // sum of w (x - c)(x - c)' = squares - s c' - c s' + n c c' with s the sum of all rows
  Matrix shifted = squares;
  const Vector s = totals.rowwise().sum();
  shifted -= s * centre.transpose();
  shifted -= centre * s.transpose();
  shifted += weight() * (centre * centre.transpose());
  GroupedSums out(r, groups());
  Matrix half(columns(), r);
  backend.multiply(1, shifted, Transpose::no, T, Transpose::no, 0, half);
  backend.multiply(1, T, Transpose::yes, half, Transpose::no, 0, out.squares);
  const Matrix moved = totals - centre * weights.transpose();
  backend.multiply(1, T, Transpose::yes, moved, Transpose::no, 0, out.totals);
  out.weights = weights;
  return out;
}

Matrix GroupedSums::centred_squares() const {
  const Vector s = totals.rowwise().sum();
  Matrix out = squares;
  out.noalias() -= s * (s / weight()).transpose();
  return out;
}

bool solve_groups(const Backend& backend, const Interrupt& interrupt, const GroupedSums& sums, double ridge, bool bias,
                  GroupRegression& out) {
  Matrix C = bias ? sums.centred_squares() : sums.squares;
  C.diagonal().array() += ridge;
  const Vector mean = sums.totals.rowwise().sum() / sums.weight();
  out.W = sums.totals;
  if (bias) out.W.noalias() -= mean * sums.weights.transpose();
  if (!backend.cholesky(C, interrupt)) return false;
  backend.cholesky_solve(C, out.W);
  out.b = Vector::Zero(sums.groups());
  if (bias) out.b = sums.weights / sums.weight() - out.W.transpose() * mean;
  return out.W.allFinite();
}

GroupedOutputs outputs_of_groups(const Backend& backend, const GroupedSums& sums, ConstView W, const Vector& b) {
  const Index q = W.cols();
  GroupedOutputs out{Matrix::Zero(sums.groups(), q), Matrix(q, q)};
  Matrix half(sums.columns(), q);
  backend.multiply(1, sums.squares, Transpose::no, W, Transpose::no, 0, half);
  backend.multiply(1, W, Transpose::yes, half, Transpose::no, 0, out.within);
  const Matrix of_totals = sums.totals.transpose() * W;  // L x q
  for (Index g = 0; g < sums.groups(); ++g) {
    if (!(sums.weights[g] > 0)) continue;
    const Eigen::RowVectorXd mean = of_totals.row(g) / sums.weights[g];
    out.within.noalias() -= of_totals.row(g).transpose() * mean;
    out.means.row(g) = mean + b.transpose();
  }
  return out;
}

}  // namespace manyone
