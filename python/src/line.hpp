// SPDX-License-Identifier: Apache-2.0
//
// With two classes most decoders cut the space of the outputs by a plane: where a weighted sum of the outputs is above
// 0 they give the second class. scikit-learn's attributes of a linear model (coef_, intercept_, dual_coef_) are of it.
#pragma once

#include <optional>

#include "model/model.hpp"

namespace manyone::python {

/// Outputs f are of the second class where <weights, f> + shift is above 0.
struct Line {
  Vector weights;
  double shift = 0;
};

/// Nothing with more than two classes, or where the decoder bends: losses of outputs that are no copies of each other.
std::optional<Line> line_between_classes(const manyone::Model& model);

}  // namespace manyone::python
