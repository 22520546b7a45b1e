// SPDX-License-Identifier: Apache-2.0
//
// Results as JSON with stable keys (docs/file-formats.md).
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "manyone/selection/fit.hpp"
#include "manyone/statistics/metrics.hpp"

namespace manyone {

using Json = nlohmann::ordered_json;

/// Seconds spent; `read` is known to the caller only.
struct Timing {
  double read = 0;
  double total = 0;
};

Json tuning_json(const RowSource& table, const Recipe& recipe, const Tuning& tuning, const Timing& timing);
Json fit_json(const RowSource& table, const Recipe& recipe, const Fit& fit, const std::string& model_path,
              const Timing& timing);
Json metrics_json(const Metrics& metrics, const std::vector<std::string>& classes);
Json model_json(const Classifier& model);

/// Text of a document; bytes that are not UTF-8 (they can only come from a user's labels) are replaced.
std::string dump(const Json& json);

}  // namespace manyone
