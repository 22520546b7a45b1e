// SPDX-License-Identifier: Apache-2.0
//
// Several classifiers on several data sets: ranks, Friedman's test in the form F_F of Iman and Davenport, and the
// critical difference of Nemenyi (SPEC section 10; Demsar 2006).
#pragma once

#include <optional>

#include "base/matrix.hpp"

namespace manyone {

struct Friedman {
  Vector ranks;             ///< mean rank of each classifier, 1 is best
  double chi_square = 0;    ///< k - 1 degrees of freedom
  std::optional<double> F;  ///< nothing for a single data set, or when all data sets rank alike (F is infinite)
  Index numerator = 0;      ///< degrees of freedom of F: k - 1
  Index denominator = 0;    ///< (k - 1)(N - 1)
  double p = 1;             ///< of F; of chi-square for a single data set; exact, (k!)^(1 - N), when F is infinite
};

/// Ranks of the entries of each row, 1 for the smallest; equal entries share the mean of their ranks.
Matrix row_ranks(const Matrix& errors);

/// `errors` has a row for each of N data sets and a column for each of k >= 2 classifiers.
Friedman friedman(const Matrix& errors);

/// Mean ranks of k classifiers on N data sets that differ by less than this are not significantly different.
double nemenyi_difference(Index k, Index N, double alpha = 0.05);

}  // namespace manyone
