// SPDX-License-Identifier: Apache-2.0
//
// Codes drawn at random (SPEC section 5): `random`, and `dense` and `sparse` after Allwein, Schapire and Singer (2000),
// who keep the best of 10000 draws. Used by make_code() alone.
#pragma once

#include <string_view>

#include "labelbook/labelbook.hpp"

namespace manyone {

bool is_drawn(std::string_view name);

/// The length asked for, or ceil(10 log2 L), for sparse ceil(15 log2 L). Throws ConfigError when codewords of the
/// asked length are fewer than the classes.
Index drawn_length(std::string_view name, const BookRequest& request);

/// No two rows are equal and no column is constant. Throws ConfigError when no draw had rows that all differ, which
/// happens only at lengths close to the shortest possible.
Matrix draw_code(std::string_view name, const BookRequest& request);

}  // namespace manyone
