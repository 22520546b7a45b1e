// SPDX-License-Identifier: Apache-2.0
//
// What tables say besides single errors: pairs of machines on the same rows, ranks over data sets, and how far the best
// and the worst machine are apart. For people and as JSON (docs/reproduce.md).
#pragma once

#include <string>

#include "result/result_json.hpp"
#include "studies/reproduce.hpp"

namespace manyone {

/// A table for each pair, the printed line above ours; empty if there are no pairs.
std::string pairs_text(const Reproduction& result);

/// Average ranks, theirs and ours, over the data sets that all machines finished, F_F, and who comes first. Empty
/// where fewer than two machines or no data set can be ranked.
std::string ranks_text(const Reproduction& result);

/// Errors of the best and the worst machine, theirs and ours, for data sets of which the paper prints them.
std::string spread_text(const Reproduction& result);

/// Adds "pairs", "ranks" and "spread" to the document of a reproduction, each only if there is something to say.
void add_comparisons(const Reproduction& result, Json& document);

}  // namespace manyone
