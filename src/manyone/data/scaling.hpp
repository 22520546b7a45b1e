// SPDX-License-Identifier: Apache-2.0
//
// Scaling of features: x -> (x - offset) * factor, found on training rows, stored in the model, applied to all rows.
// Test values may leave the training range; nothing is clipped. A constant feature becomes 0.
#pragma once

#include <string>
#include <string_view>

#include "manyone/data/features.hpp"

namespace manyone {

enum class ScalingKind {
  range,     ///< training minimum -> -1, maximum -> +1
  standard,  ///< mean 0, standard deviation 1 (dividing by n)
  maxabs,    ///< largest absolute value -> 1; keeps zeros, so the only one for sparse rows
  none,
};

std::string_view name_of(ScalingKind kind);
/// Throws ConfigError for an unknown name.
ScalingKind scaling_from_name(std::string_view name);

struct Scaling {
  ScalingKind kind = ScalingKind::none;
  Vector offset;  ///< d
  Vector factor;  ///< d; 0 for a constant feature

  /// Throws ConfigError for range or standard on sparse rows.
  static Scaling fit(ScalingKind kind, const Features& rows);
  /// In place. Throws InputError when the number of features differs.
  void apply(Features& rows) const;
};

}  // namespace manyone
