// SPDX-License-Identifier: Apache-2.0
//
// Results as JSON with stable keys (docs/result-schema.md).
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "selection/fit.hpp"
#include "statistics/metrics.hpp"

namespace manyone {

using Json = nlohmann::ordered_json;

/// Seconds spent; `read` is known to the caller only.
struct Timing {
  double read = 0;
  double total = 0;
};

constexpr const char* kResultFormat = "manyone-result";
constexpr int kResultVersion = 1;

/// What every result document starts with. `kind`: "fit", "tune", …; `command`: the line that gave it.
Json result_head(const std::string& kind, const std::string& command);
/// `fingerprint`: 0 where it is not known (tables that are streamed).
Json data_json(const std::string& name, Index rows, Index features, std::uint64_t fingerprint);

Json tuning_json(const RowSource& table, const Recipe& recipe, const Tuning& tuning, const Timing& timing);
Json fit_json(const RowSource& table, const Recipe& recipe, const Fit& fit, const std::string& model_path,
              const Timing& timing);
Json metrics_json(const Metrics& metrics, const std::vector<std::string>& classes);
Json model_json(const Model& model);

/// Text of a document; bytes that are not UTF-8 (they can only come from a user's labels) are replaced.
std::string dump(const Json& json);

}  // namespace manyone
