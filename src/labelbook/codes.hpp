// SPDX-License-Identifier: Apache-2.0
//
// Code matrices (SPEC section 5): an L x k matrix M whose row c is the codeword of class c and whose columns are the
// problems a machine is trained on, most of them with entries -1, 0, 1 (0: the class takes no part). Some are fixed by
// L, some drawn at random. Optimal scores need data: only their algebra is here. Training and decoding are the
// machines' and decoders' business.
#pragma once

#include <limits>
#include <span>
#include <string_view>

#include "base/matrix.hpp"
#include "labelbook/labelbook.hpp"

namespace manyone {

/// The codes, in the order they are shown to users.
std::span<const LabelbookInfo> codes();
bool is_code(std::string_view name);

/// The matrix of a code; no two rows are equal. The same request gives the same matrix on every machine. Throws
/// ConfigError (unknown name, classes or length that the code cannot have, class counts missing) and MemoryError (a
/// matrix beyond any use).
Matrix make_code(std::string_view name, const BookRequest& request);

/// sum_i (1 - M_ri M_si) / 2: columns on which two classes differ, a column with a 0 counting one half.
double row_distance(ConstView M, Index r, Index s);
/// The smallest over all pairs of rows; infinity for a single row. Once one is not above `floor` the rest is left out.
double smallest_row_distance(ConstView M, double floor = -std::numeric_limits<double>::infinity());
/// The smallest distance of two columns, where a column and its complement pose the same problem: (L - |sum_c M_ci
/// M_cj|) / 2. Infinity for a single column.
double smallest_column_distance(ConstView M);

/// S = Y_c' P Y_c: how much of the centred class indicators Y_c a linear function of the rows explains, with P the
/// projector on the centred columns of x.
Matrix explained_classes(ConstView x, std::span<const int> labels, Index classes);

struct OptimalScores {
  Matrix theta;        ///< L x length
  Vector eigenvalues;  ///< Lambda, descending
};

/// Maximises tr Theta' S Theta subject to Theta' D Theta / n = I, S = Y_c' P Y_c with Y_c the centred indicators (so
/// S 1 = 0) and D the diagonal of the class counts. Columns are centred, e' Theta = 0 with e the counts, and their
/// largest entry is positive. Throws ConfigError unless 1 <= length <= L-1 and every class has rows.
OptimalScores optimal_scores(ConstView S, std::span<const Index> counts, Index length);

}  // namespace manyone
