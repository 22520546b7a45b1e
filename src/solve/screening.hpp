// SPDX-License-Identifier: Apache-2.0
//
// Held-out outputs that are good enough to tell good cells from bad ones, each found in the way that is cheapest for
// its kernel matrix (docs/decisions/screening.md).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solve/ridge.hpp"

namespace manyone {

enum class ScreeningPath {
  low_rank,  ///< wide kernels: few unknowns, solved anew for every fold
  clusters,  ///< narrow kernels: many small systems
  single,    ///< the inverse in single precision
};

struct Screened {
  ScreeningPath path = ScreeningPath::single;
  bool solved = false;          ///< false: the system is not positive definite
  std::vector<Matrix> outputs;  ///< n x q for each partition
};

/// For every ridge. `problem.ridge` is not used; `K` is full, its diagonal is scratch and restored.
std::vector<Screened> screened_outputs(const Backend& backend, const Interrupt& interrupt, const RidgeProblem& problem,
                                       View K, ConstView T, std::span<const double> ridges,
                                       std::span<const Folds> partitions, SingleRidgeInverse& scratch);

}  // namespace manyone
