// SPDX-License-Identifier: Apache-2.0
//
// What a page shows of a model, as JSON (docs/result-schema.md): how well rows it has not seen are told apart, the rows
// on the two directions that separate the classes best, and the classes it gives over two features.
#pragma once

#include <array>
#include <optional>

#include "result/result_json.hpp"
#include "statistics/calibration.hpp"

namespace manyone {

/// The keys of evaluate: confusion, per-class figures, calibration.
Json judged_json(const Metrics& metrics, const Calibration& calibration, const std::vector<std::string>& classes);

/// The keys of judged_json() for held-out rows.
Json held_out_json(const HeldOutRows& held_out, double temperature, const std::vector<std::string>& classes);

/// Rows on the two directions in which their scores separate the classes best, thinned to kShownPoints.
constexpr Index kShownPoints = 2000;
Json projection_json(const HeldOutRows& held_out, Index classes);

/// The class that the model gives over two features, the others at their medians. `chosen`: positions of the features;
/// nothing: the two that tell the classes apart best. Null for sparse tables, single features and precomputed kernels.
Json regions_json(const Backend& backend, const Model& model, const Dataset& data,
                  std::optional<std::array<Index, 2>> chosen = {});

}  // namespace manyone
