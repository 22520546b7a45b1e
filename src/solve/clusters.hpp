// SPDX-License-Identifier: Apache-2.0
//
// Narrow kernels: rows fall into small clusters between which K is practically zero, and a system with K falls into one
// for each cluster.
#pragma once

#include <span>
#include <vector>

#include "solve/near_rows.hpp"
#include "solve/ridge.hpp"

namespace manyone {

/// Rows joined by chains of values that count in a system, where solving the clusters is a small part of n^3; nothing
/// where it is not.
std::vector<std::vector<Index>> small_clusters(NearRows& near, Index n);

/// Held-out outputs of every partition, from `clusters` that are not empty. The systems leave out what is between
/// clusters, predictions use all values that count.
std::vector<Matrix> heldout_in_clusters(const Backend& backend, const Interrupt& interrupt, const RidgeProblem& problem,
                                        ConstView K, const NearRows& near,
                                        const std::vector<std::vector<Index>>& clusters, ConstView T,
                                        std::span<const Folds> partitions);

}  // namespace manyone
