// SPDX-License-Identifier: Apache-2.0
//
// Scaling of features: x -> (x - offset) * factor, found on training rows, stored in the model, applied to all rows.
// Test values may leave the training range; nothing is clipped. A constant feature becomes 0.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/features.hpp"

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
  /// In place; borrowed rows become rows of their own. Throws InputError when the number of features differs.
  void apply(Features& rows) const;
};

/// What a Scaling is found from, gathered over blocks of rows: all rows at once or cut into blocks of any size, the
/// result is the same.
class ScalingSums {
 public:
  /// Throws InputError when the number of features is not that of the rows before.
  void add(const Features& rows);
  /// Scaling::fit() on all rows added. Throws ConfigError for range or standard if some were sparse.
  Scaling finish(ScalingKind kind) const;
  Index rows() const { return rows_; }

 private:
  void begin_moments();
  void add_extremes(const Features& rows);
  void add_moments(const Eigen::Map<const Matrix>& x);
  void grow_units();
  Vector largest() const { return low_.cwiseAbs().cwiseMax(high_.cwiseAbs()); }
  void finish_standard(Scaling& scaling) const;

  bool sparse_ = false;
  Index rows_ = 0;
  Vector low_;
  Vector high_;
  // Sums of u and (u - shift)^2 over the rows, with the rounding errors of their additions beside them. Here
  // u = x / 2^exponent, a power of two near the largest value, so that no sum or square overflows or vanishes, and
  // shift is the first u, so that little cancels when the mean is taken off the squares. Of dense rows only.
  std::vector<int> exponent_;
  Vector scale_;  ///< 2^-exponent
  Vector shift_;
  Vector sum_;
  Vector sum_error_;
  Vector square_;
  Vector square_error_;
};

}  // namespace manyone
