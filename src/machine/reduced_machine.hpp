// SPDX-License-Identifier: Apache-2.0
//
// ReducedMachine: a least-squares machine trained on columns of kernel values at m centres instead of a square matrix.
// All it needs of the rows are sums of these columns (solve/grouped_sums), so their number does not matter, folds are
// left out by subtraction and every ridge is solved from the same sums. With all rows as centres and the penalty |f|^2
// each is the machine it is named after.
#pragma once

#include "machine/kernel_columns.hpp"
#include "solve/grouped_sums.hpp"

namespace manyone {

/// Outputs f = A'k~ + b.
struct ReducedFit {
  Matrix A;  ///< m x q
  Vector b;  ///< q
  // Of regressions on indicators, for decoders that are fitted to their outputs:
  Matrix W;          ///< r x L: the same in the columns that the penalty sees, which may have been shifted
  Vector c;          ///< L: with them, f = W'x + c
  Vector origin;     ///< L: outputs where those columns, not shifted, are 0
  Matrix explained;  ///< L x L: Y_c' P Y_c with P the (regularised) projector on the columns; optimal scoring needs it
};

class ReducedMachine {
 public:
  virtual ~ReducedMachine() = default;

  /// Sums over rows as the machine sees them; once for each training part, for all ridges.
  virtual GroupedSums seen(const GroupedSums& sums) const = 0;
  /// From sums that seen() gave. False when the ridge is too small.
  virtual bool fit(const GroupedSums& seen, double ridge, ReducedFit& out) const = 0;
};

/// Leading eigenvectors, at most `most`, whose values are not rounding: largest first.
struct LeadingVectors {
  Matrix vectors;
  Vector values;
};
LeadingVectors leading_vectors(const Execution& execution, Matrix symmetric, Index most);

/// T with T'PT = I on the range of a positive semidefinite matrix: in the columns T'x a penalty w'Pw is |w|^2.
Matrix whitening(const Execution& execution, Matrix penalty);

}  // namespace manyone
