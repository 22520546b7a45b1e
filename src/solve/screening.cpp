// SPDX-License-Identifier: Apache-2.0
#include "solve/screening.hpp"

#include <algorithm>

#include "solve/clusters.hpp"
#include "solve/low_rank.hpp"

namespace manyone {

namespace {

// Trace of K - Z Z' against the ridge: outputs are then off by about this much of the targets.
constexpr double kRemainder = 1e-3;
// A path is taken if it is estimated to cost this part of the inverses it saves.
constexpr double kWorthwhile = 0.5;
// Ridges that usually share a factor.
constexpr double kTogether = 3;

double cube(double x) { return x * x * x; }

/// Columns up to which a low rank pays: flops in double precision against n^3 for each ridge in single precision, which
/// is twice as fast. Small factors run at about half the speed of large products. How many ridges come together is not
/// asked, so that a cell is always screened in the same way.
Index most_columns(Index n, std::span<const Folds> partitions) {
  double folds = 0;
  for (const Folds& partition : partitions) folds += partition.count;
  const auto rows = static_cast<double>(n);
  const double saved = kWorthwhile * cube(rows) / 2;
  Index most = n / 2 / 64 * 64;
  const auto cost = [&](double m) {
    return (1 + static_cast<double>(partitions.size())) * rows * m * m / kTogether + 2 * folds * cube(m) / 3;
  };
  while (most > 0 && cost(static_cast<double>(most)) > saved) most -= 64;
  return most;
}

/// Fills in the outputs of the ridges for which K has a low rank that leaves little.
void screen_low_rank(const Backend& backend, const Interrupt& interrupt, const RidgeProblem& problem, ConstView K,
                     ConstView T, std::span<const double> ridges, std::span<const Folds> partitions,
                     std::vector<Screened>& out) {
  const Index most = most_columns(K.rows(), partitions);
  if (most == 0) return;
  const double heaviest = problem.weights.size() == 0 ? 1 : problem.weights.maxCoeff();
  std::vector<double> remainders;
  for (const double ridge : ridges) remainders.push_back(kRemainder * ridge / heaviest);
  const LowRank factor(backend, interrupt, K, remainders, most);
  std::vector<std::size_t> served;
  for (std::size_t k = 0; k < ridges.size(); ++k) {
    if (factor.columns_for(k) > 0) served.push_back(k);
  }
  if (served.empty()) return;
  for (const Folds& folds : partitions) {
    const LowRankFolds sums(backend, interrupt, factor, problem.weights, T, folds);
    for (const std::size_t k : served) {
      Matrix f = sums.heldout(backend, interrupt, ridges[k], problem.bias, factor.columns_for(k));
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
  NearRows near(K, interrupt);
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
