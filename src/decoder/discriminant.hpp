// SPDX-License-Identifier: Apache-2.0
//
// Fisher's linear discriminant, fitted to outputs (SPEC section 9): the class whose mean is nearest in the metric of
// the pooled covariance; its posterior probabilities are used as they are.
#pragma once

#include "decoder/decoder.hpp"

namespace manyone {

/// z = f map + shift has unit covariance within classes; its first coordinates separate the classes most. The code
/// holds the class means there. Rank-revealing: directions in which outputs do not differ are left out.
Decoder discriminant_decoder(const ClassSpread& spread, const Vector& priors);

}  // namespace manyone
