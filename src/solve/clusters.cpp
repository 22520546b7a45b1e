// SPDX-License-Identifier: Apache-2.0
#include "solve/clusters.hpp"

#include <algorithm>

#include "base/small_algebra.hpp"

namespace manyone {

namespace {

// Values of K smaller than this, against a diagonal of 1, do not join rows.
constexpr double kJoins = 1e-9;
// Sum of the cubes of the sizes against n^3.
constexpr double kSmall = 0.02;

/// One cluster: rows, inverse of its system and what that makes of the right-hand sides.
struct Cluster {
  std::vector<Index> rows;
  Matrix P;
  Matrix X;
};

/// X without the rows of a fold, whose positions in the cluster are `out`; those rows become 0.
Matrix without(const Cluster& cluster, const std::vector<Index>& out) {
  Matrix X = cluster.X;
  if (out.size() < cluster.rows.size()) {
    SmallCholesky factor;
    factor.compute(cluster.P(out, out));
    X -= cluster.P(Eigen::all, out) * factor.solve(cluster.X(out, Eigen::all));
  }
  X(out, Eigen::all).setZero();
  return X;
}

}  // namespace

std::vector<std::vector<Index>> small_clusters(NearRows& near, Index n) {
  if (!near.few()) return {};
  auto clusters = near.joined(kJoins);
  double cubes = 0;
  for (const auto& rows : clusters) {
    const auto size = static_cast<double>(rows.size());
    cubes += size * size * size;
  }
  const auto rows = static_cast<double>(n);
  if (cubes > kSmall * rows * rows * rows) clusters.clear();
  return clusters;
}

std::vector<Matrix> heldout_in_clusters(const Backend& backend, const Interrupt& interrupt, const RidgeProblem& problem,
                                        ConstView K, const NearRows& near,
                                        const std::vector<std::vector<Index>>& clusters, ConstView T,
                                        std::span<const Folds> partitions) {
  const Index n = K.rows();
  const Index q = T.cols();
  const Vector ridge = ridge_diagonal(problem, n);
  Matrix right(n, q + (problem.bias ? 1 : 0));
  right.leftCols(q) = T;
  if (problem.bias) right.col(q).setOnes();
  Matrix whole(n, right.cols());
  std::vector<Cluster> parts;
  std::vector<std::size_t> part_of(static_cast<std::size_t>(n));
  std::vector<Index> place_of(static_cast<std::size_t>(n));
  for (const auto& rows : clusters) {
    interrupt.check();
    Cluster part{rows, K(rows, rows), {}};
    part.P.diagonal() += ridge(rows);
    if (!backend.invert(part.P, interrupt)) return {};
    part.X = part.P * right(rows, Eigen::all);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      part_of[static_cast<std::size_t>(rows[i])] = parts.size();
      place_of[static_cast<std::size_t>(rows[i])] = static_cast<Index>(i);
      whole.row(rows[i]) = part.X.row(static_cast<Index>(i));
    }
    parts.push_back(std::move(part));
  }
  std::vector<Matrix> outputs;
  std::vector<char> left_out(static_cast<std::size_t>(n), 0);
  std::vector<std::vector<Index>> out_of(parts.size());  // positions that the fold takes from each cluster
  for (const Folds& folds : partitions) {
    Matrix out = Matrix::Zero(n, q);
    for (const std::vector<Index>& B : folds.rows()) {
      interrupt.check();
      if (static_cast<Index>(B.size()) == n) continue;
      for (const Index i : B) {
        left_out[static_cast<std::size_t>(i)] = 1;
        out_of[part_of[static_cast<std::size_t>(i)]].push_back(place_of[static_cast<std::size_t>(i)]);
      }
      Matrix X = whole;
      for (const Index i : B) {
        const std::size_t p = part_of[static_cast<std::size_t>(i)];
        if (out_of[p].empty()) continue;  // done
        X(parts[p].rows, Eigen::all) = without(parts[p], out_of[p]);
        out_of[p].clear();
      }
      Eigen::RowVectorXd b = Eigen::RowVectorXd::Zero(q);
      if (problem.bias) {
        b = X.leftCols(q).colwise().sum() / X.col(q).sum();
        X.leftCols(q) -= X.col(q) * b;
      }
      const Matrix A = X.leftCols(q);
      for (const Index i : B) {
        if (!near.sum(i, A, left_out, out.row(i)))
          backend.multiply(1, K.middleRows(i, 1), Transpose::no, A, Transpose::no, 0, out.middleRows(i, 1));
        out.row(i) += b;
      }
      for (const Index i : B) left_out[static_cast<std::size_t>(i)] = 0;
    }
    outputs.push_back(std::move(out));
  }
  return outputs;
}

}  // namespace manyone
