// SPDX-License-Identifier: Apache-2.0
//
// One-against-one smooth SVMs, fitted to outputs (SPEC section 9): a plane for each pair of classes in the space that
// the outputs span, decoded by votes.
#pragma once

#include "decoder/decoder.hpp"

namespace manyone {

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
