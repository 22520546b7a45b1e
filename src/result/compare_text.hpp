// SPDX-License-Identifier: Apache-2.0
//
// A comparison for people and as JSON (docs/result-schema.md).
#pragma once

#include <string>

#include "result/compare.hpp"
#include "result/result_json.hpp"

namespace manyone {

std::string comparison_text(const Comparison& comparison);
Json comparison_json(const Comparison& comparison);

}  // namespace manyone
