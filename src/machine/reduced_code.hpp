// SPDX-License-Identifier: Apache-2.0
//
// Codes with zeros and one-vs-one with centres: for each column of the code a regression of +-1 on the rows of the
// classes it opposes, on kernel values at the centres of these classes. The squares of each class are kept apart, so
// that every column adds up its own: memory of L m^2, and (m_a + m_b)^3/3 flops for a pair.
#pragma once

#include <vector>

#include "machine/reduced_machine.hpp"

namespace manyone {

class ReducedCode final : public ReducedMachine {
 public:
  /// `code`: L x q of -1, 0, 1. Precondition: the centres have labels, and the columns keep classes apart.
  ReducedCode(const Execution& execution, Matrix code, const KernelColumns& columns);

  GroupedSums seen(const GroupedSums& sums) const override { return sums; }
  bool fit(const GroupedSums& seen, double ridge, ReducedFit& out) const override;

 private:
  /// Columns of the code that oppose the same classes.
  struct Part {
    std::vector<Index> classes;
    std::vector<Index> centres;  // of these classes
    std::vector<Index> columns;
    Matrix T;  // as in whitening()
  };

  const Execution& execution_;
  Matrix code_;
  Index m_;
  std::vector<Part> parts_;
};

}  // namespace manyone
