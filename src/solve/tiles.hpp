// SPDX-License-Identifier: Apache-2.0
//
// Tiles of the matrices that are kept in single precision.
#pragma once

#include "base/matrix.hpp"

namespace manyone {

// Edge of a tile of K: 256 kB, which stays in the second-level cache while it is used; also the rows of a parallel
// piece. The products of the cpu backend are fastest with this stride.
inline constexpr Index kTile = 256;
// Columns are padded to whole vectors of the widest registers, which the backend then uses where they are.
inline constexpr Index kProblemGroup = 16;

inline std::size_t tiles_of(Index rows) { return static_cast<std::size_t>((rows + kTile - 1) / kTile); }
inline Index whole_groups(Index columns) { return (columns + kProblemGroup - 1) / kProblemGroup * kProblemGroup; }

}  // namespace manyone
