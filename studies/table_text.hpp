// SPDX-License-Identifier: Apache-2.0
//
// A reproduction as a table for people and as JSON (docs/reproduce.md).
#pragma once

#include <string>

#include "result/result_json.hpp"
#include "studies/reproduce.hpp"

namespace manyone {

/// Published and our errors side by side, with their difference and whether our mean lies between the published best
/// and worst; times where the paper prints them; footnotes for entries that cannot be right.
std::string errors_text(const Reproduction& result);

/// Published and our times, and both as multiples of those of oneLSM.
std::string times_text(const Reproduction& result);

/// The remarks on the table and on those of its data sets that were used, a line each.
std::string remarks_text(const Reproduction& result);

/// Errors in percent.
Json reproduction_json(const Reproduction& result);

}  // namespace manyone
