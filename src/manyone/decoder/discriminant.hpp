// SPDX-License-Identifier: Apache-2.0
//
// Decoders that are fitted to outputs (SPEC section 9). Fisher's linear discriminant: the class whose mean is nearest
// in the metric of the pooled covariance; its posterior probabilities are used as they are. One-against-one smooth
// SVMs: a plane for each pair of classes in the space that the outputs span, decoded by votes.
#pragma once

#include <span>

#include "manyone/decoder/decoder.hpp"

namespace manyone {

/// Means of the outputs of each class and the sum of squares around them.
struct ClassSpread {
  Matrix means;    ///< L x q
  Matrix within;   ///< q x q: sum of w (f - m_y)(f - m_y)'
  Vector weights;  ///< L: sum of w; classes with none are never predicted
};

/// z = f map + shift has unit covariance within classes; its first coordinates separate the classes most. The code
/// holds the class means there. Rank-revealing: directions in which outputs do not differ are left out.
Decoder discriminant_decoder(const ClassSpread& spread, const Vector& priors);

/// Where smooth SVMs live: z = (f - origin) map.
struct PlaneSpace {
  Matrix map;  ///< q x r
  Vector origin;
};

/// The span of the columns of W, of rank L-1 at most, for outputs f = W'x + origin: z = U'x with W = U S V'. Rotations
/// of z leave smooth SVMs as they are, other changes of scale do not.
PlaneSpace plane_space(const Matrix& W, const Vector& origin, Index classes);

struct SmoothSvm {
  Vector w;
  double gamma = 0;  ///< the plane is w'z = gamma
};

/// min  cost/2 |p(1 - t (Zw - gamma))|^2 + 1/2 (|w|^2 + gamma^2)  with p(x) = x + log(1 + exp(-5x))/5, by Newton's
/// method with Armijo's rule from 0. `t`: 1 or -1 for each row; `weights`: empty, all 1.
SmoothSvm smooth_svm(const Matrix& Z, const Vector& t, const Vector& weights, double cost);

/// A plane for each pair of classes. `outputs`: of the training rows.
Decoder smooth_svm_decoder(const Matrix& outputs, std::span<const int> labels, Index classes, const Vector& weights,
                           const PlaneSpace& space, double cost = 1);

}  // namespace manyone
