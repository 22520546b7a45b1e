// SPDX-License-Identifier: Apache-2.0
//
// The tables of Chen et al. (2009) run again at the parameters that they print: errors, and times of training and of
// testing. Their figures are in studies/code_lengths.
#pragma once

#include "studies/reproduce.hpp"

namespace manyone {

/// Errors by protocol settings. Sets without test rows: the mean over the folds of stratified partitions into 10.
Reproduction reproduce_settings(const Execution& execution, const ReproduceChoice& choice,
                                std::span<const FoundSet> found, int repeats, std::uint64_t seed);

}  // namespace manyone
