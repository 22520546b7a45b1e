// SPDX-License-Identifier: Apache-2.0
#include "manyone/solve/screening.hpp"

#include <algorithm>
#include <functional>

#include "manyone/solve/clusters.hpp"
#include "manyone/solve/low_rank.hpp"

namespace manyone {

namespace {

// Trace of K - Z Z' against the ridge: outputs are then off by about this much of the targets.
constexpr double kRemainder = 1e-3;
// A path is taken if it is estimated to cost this part of the inverses it saves.
constexpr double kWorthwhile = 0.5;

double cube(double x) { return x * x * x; }

double folds_of(std::span<const Folds> partitions) {
  double folds = 0;
  for (const Folds& partition : partitions) folds += partition.count;
  return folds;
}

/// Columns up to which a low rank pays: flops in double precision against n^3 for each ridge in single precision, which
/// is twice as fast. Small factors run at about half the speed of large products.
Index most_columns(Index n, std::size_t ridges, std::span<const Folds> partitions) {
  const double folds = folds_of(partitions);
  const auto rows = static_cast<double>(n);
  const auto count = static_cast<double>(ridges);
  const double saved = kWorthwhile * count * cube(rows) / 2;
  Index most = n / 2 / 64 * 64;
  const auto cost = [&](double m) {
    return (1 + 2 * static_cast<double>(partitions.size())) * rows * m * m + 2 * count * folds * cube(m) / 3;
  };
  while (most > 0 && cost(static_cast<double>(most)) > saved) most -= 64;
  return most;
}

/// Fills in the outputs of the ridges for which K has a low rank that leaves little.
void screen_low_rank(const Backend& backend, const Interrupt& interrupt, const RidgeProblem& problem, ConstView K,
                     ConstView T, std::span<const double> ridges, std::span<const Folds> partitions,
                     std::vector<Screened>& out) {
  const Index most = most_columns(K.rows(), ridges.size(), partitions);
  if (most == 0) return;
  const double heaviest = problem.weights.size() == 0 ? 1 : problem.weights.maxCoeff();
  const auto remainder = [&](double ridge) { return kRemainder * ridge / heaviest; };
  std::vector<double> remainders;
  for (const double ridge : ridges) remainders.push_back(remainder(ridge));
  std::sort(remainders.begin(), remainders.end(), std::greater<>());
  const LowRank factor(backend, interrupt, K, remainders, most);
  if (factor.columns_for(remainders.front()) == 0) return;
  for (const Folds& folds : partitions) {
    const FoldSums sums(backend, interrupt, factor, problem.weights, T, folds);
    for (std::size_t k = 0; k < ridges.size(); ++k) {
      const Index columns = factor.columns_for(remainder(ridges[k]));
      if (columns == 0) continue;
      Matrix f = sums.heldout(backend, interrupt, ridges[k], problem.bias, columns);
      if (f.size() == 0) continue;
      out[k].outputs.push_back(std::move(f));
      out[k].path = ScreeningPath::low_rank;
      out[k].solved = out[k].outputs.size() == partitions.size();
    }
  }
}

}  // namespace

std::vector<Screened> screened_outputs(const Backend& backend, const Interrupt& interrupt, const RidgeProblem& problem,
                                       View K, ConstView T, std::span<const double> ridges,
                                       std::span<const Folds> partitions, SingleRidgeInverse& scratch) {
  std::vector<Screened> out(ridges.size());
  NearRows near(K);
  const auto clusters = small_clusters(near, K.rows());
  if (clusters.empty()) screen_low_rank(backend, interrupt, problem, K, T, ridges, partitions, out);
  for (std::size_t k = 0; k < ridges.size(); ++k) {
    if (out[k].solved) continue;
    RidgeProblem at = problem;
    at.ridge = ridges[k];
    if (!clusters.empty()) {
      out[k] = {ScreeningPath::clusters, true,
                heldout_in_clusters(backend, interrupt, at, K, near, clusters, T, partitions)};
      if (out[k].outputs.size() == partitions.size()) continue;
    }
    out[k] = {ScreeningPath::single, invert_ridge_single(backend, interrupt, at, K, T, scratch), {}};
    if (out[k].solved) out[k].outputs = heldout_outputs(backend, interrupt, K, scratch, T, partitions);
  }
  return out;
}

}  // namespace manyone
