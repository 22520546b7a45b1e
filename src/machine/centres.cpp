// SPDX-License-Identifier: Apache-2.0
#include "machine/centres.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "base/fingerprint.hpp"
#include "base/names.hpp"
#include "base/random.hpp"
#include "data/splits.hpp"

namespace manyone {

namespace {

constexpr std::array kReductions = {
    ReduceInfo{ReduceKind::random, "random", "rows drawn at random"},
    ReduceInfo{ReduceKind::stratified, "stratified", "rows drawn at random, every class in proportion"},
    ReduceInfo{ReduceKind::kmeans, "kmeans", "means of clusters of rows"},
    ReduceInfo{ReduceKind::pca, "pca", "principal components of kernel columns"},
    ReduceInfo{ReduceKind::leverage, "leverage", "rows drawn by their leverage in kernel ridge regression"}};

constexpr int kRounds = 10;          // of k-means
constexpr Index kClusterRows = 30;   // rows looked at, for each cluster
constexpr Index kPilots = 300;       // rows whose kernel columns stand for all in the leverage of a row
constexpr double kEffective = 1e-3;  // ridge of that leverage, for each row
constexpr Index kBlock = 4096;       // rows whose distances to all centres are held at a time

/// Positions 0..n-1 in random order.
std::vector<Index> shuffled(Index n, std::uint64_t seed, std::uint64_t stream) {
  Random random(seed, stream);
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  random.shuffle(order);
  return order;
}

/// Lloyd's rounds from the given means; a cluster that loses its rows keeps its mean.
Matrix cluster_means(const Execution& execution, const Features& rows, Matrix means) {
  const Index k = means.rows();
  for (int round = 0; round < kRounds; ++round) {
    execution.interrupt.check();
    Matrix sums = Matrix::Zero(k, means.cols());
    Vector sizes = Vector::Zero(k);
    const Features centres(means);
    for (Index first = 0; first < rows.rows(); first += kBlock) {
      const Matrix x = rows.dense_rows(first, std::min(kBlock, rows.rows() - first));
      Matrix distances(x.rows(), k);
      execution.backend.pair_statistics(PairStatistic::squared_distance, Features(x), centres, distances);
      for (Index i = 0; i < x.rows(); ++i) {
        Index nearest = 0;
        distances.row(i).minCoeff(&nearest);
        sums.row(nearest) += x.row(i);
        sizes[nearest] += 1;
      }
    }
    bool moved = false;
    for (Index c = 0; c < k; ++c) {
      if (sizes[c] == 0) continue;
      const Eigen::RowVectorXd mean = sums.row(c) / sizes[c];
      moved = moved || (mean - means.row(c)).squaredNorm() > 1e-12 * (1 + mean.squaredNorm());
      means.row(c) = mean;
    }
    if (!moved) break;
  }
  return means;
}

/// Diagonal of B (B'B + ridge I)^{-1} B' with B B' the Nystrom approximation of K from a few pilot rows.
Vector leverages(const Execution& execution, const Kernel& kernel, const Features& rows, const Features& pilots) {
  const Index p = pilots.rows();
  const Index n = rows.rows();
  Matrix R(p, p);
  execution.backend.pair_statistics(kernel.statistic(), pilots, R, execution.interrupt);
  execution.backend.apply_kernel(kernel, R, R);
  R.diagonal().array() += 1e-10 * R.trace();
  Matrix B(n, p);
  execution.backend.pair_statistics(kernel.statistic(), rows, pilots, B);
  execution.backend.apply_kernel(kernel, B, B);
  if (!execution.backend.cholesky(R, execution.interrupt)) return Vector::Ones(n);
  execution.backend.solve_rows(R, B);
  Matrix C = Matrix::Zero(p, p);
  execution.backend.add_squares(B, C);
  C.diagonal().array() += kEffective * static_cast<double>(n);
  if (!execution.backend.cholesky(C, execution.interrupt)) return Vector::Ones(n);
  execution.backend.solve_rows(C, B);
  return B.rowwise().squaredNorm();
}

}  // namespace

std::span<const ReduceInfo> reductions() { return kReductions; }

std::string_view name_of(ReduceKind kind) { return name_of_kind(reductions(), kind); }

ReduceKind reduce_from_name(std::string_view name) { return named(reductions(), name, "reduction", "reduce").kind; }

Index CentreCount::of(Index rows) const {
  if (number) return *number;
  return std::max<Index>(1, static_cast<Index>(std::ceil(share.value_or(1) * static_cast<double>(rows) - 1e-9)));
}

std::vector<Index> first_equal_rows(const Features& rows) {
  std::unordered_map<std::uint64_t, Index> first;
  std::vector<Index> out;
  for (Index i = 0; i < rows.rows(); ++i) {
    Fingerprint of_row;
    if (rows.sparse()) {
      const SparseMatrix& x = rows.csr();
      for (SparseMatrix::InnerIterator cell(x, i); cell; ++cell) {
        if (cell.value() != 0) of_row.add(static_cast<std::uint64_t>(cell.col())).add(cell.value());
      }
    } else {
      const Matrix& x = rows.dense();
      of_row.add(std::span<const double>(x.row(i).data(), static_cast<std::size_t>(x.cols())));
    }
    out.push_back(first.emplace(of_row.value(), i).first->second);
  }
  return out;
}

ChosenCentres choose_centres(const Execution& execution, ReduceKind kind, const Kernel& kernel, const Features& rows,
                             std::span<const int> labels, Index count, std::uint64_t seed) {
  constexpr std::uint64_t stream = 0x63656e74726573;  // its own numbers, apart from those of folds
  const std::vector<Index> first = first_equal_rows(rows);
  std::vector<Index> distinct;
  for (Index i = 0; i < rows.rows(); ++i) {
    if (first[static_cast<std::size_t>(i)] == i) distinct.push_back(i);
  }
  const auto centres_at = [&](std::vector<Index> chosen) {
    std::vector<Index> centre_of_first(first.size(), -1);
    for (std::size_t j = 0; j < chosen.size(); ++j)
      centre_of_first[static_cast<std::size_t>(chosen[j])] = static_cast<Index>(j);
    std::vector<Index> of_row;
    for (const Index i : first) of_row.push_back(centre_of_first[static_cast<std::size_t>(i)]);
    return ChosenCentres{rows.select(chosen), std::move(chosen), std::move(of_row)};
  };
  if (static_cast<Index>(distinct.size()) <= count) return centres_at(std::move(distinct));
  const Features unique = rows.select(distinct);
  const Index n = unique.rows();
  std::vector<int> classes;
  for (const Index i : distinct) classes.push_back(labels[static_cast<std::size_t>(i)]);
  const auto chosen_rows = [&](const std::vector<Index>& among_distinct) {
    std::vector<Index> chosen;
    for (const Index i : among_distinct) chosen.push_back(distinct[static_cast<std::size_t>(i)]);
    return centres_at(std::move(chosen));
  };
  if (kind == ReduceKind::stratified || kind == ReduceKind::pca) {
    return chosen_rows(stratified_subset(classes, count, seed));
  }
  if (kind == ReduceKind::leverage) {
    const Vector scores =
        leverages(execution, kernel, unique, unique.select(stratified_subset(classes, std::min(kPilots, n), seed)));
    // The `count` largest of log(u) / score: a weighted draw without replacement (Efraimidis and Spirakis).
    Random random(seed, stream);
    std::vector<std::pair<double, Index>> keys;
    for (Index i = 0; i < n; ++i) {
      keys.emplace_back(std::log(1 - random.uniform()) / std::max(scores[i], 1e-300), i);
    }
    std::sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) { return a > b; });
    std::vector<Index> chosen;
    for (Index k = 0; k < count; ++k) chosen.push_back(keys[static_cast<std::size_t>(k)].second);
    std::sort(chosen.begin(), chosen.end());
    return chosen_rows(chosen);
  }
  std::vector<Index> order = shuffled(n, seed, stream);
  if (kind == ReduceKind::random) {
    order.resize(static_cast<std::size_t>(count));
    std::sort(order.begin(), order.end());
    return chosen_rows(order);
  }
  const Index looked_at = std::min(n, kClusterRows * count);
  order.resize(static_cast<std::size_t>(looked_at));
  const Features sample = unique.select(order);
  return {Features(cluster_means(execution, sample, sample.dense_rows(0, count))), {}, {}};
}

}  // namespace manyone
