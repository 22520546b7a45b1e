// SPDX-License-Identifier: Apache-2.0
//
// A picture of the classes a model of two features predicts: coloured regions with the training rows on top, as SVG.
#pragma once

#include <array>
#include <string>

#include "manyone/model/model.hpp"

namespace manyone {

struct RegionsLabels {
  std::string title;
  std::string description;          ///< for those who cannot see the picture
  std::array<std::string, 2> axes;  ///< names of the features: across, up
};

/// A whole SVG document. `points` has the two features of the model, unscaled. Classes differ in colour and in the
/// shape of their points, so that the picture also works without colour.
std::string regions_svg(const Backend& backend, const Model& model, const Dataset& points, const RegionsLabels& labels);

}  // namespace manyone
