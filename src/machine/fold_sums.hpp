// SPDX-License-Identifier: Apache-2.0
//
// FoldSums: collects rows as they come and adds up what a reduced machine needs of them, for each fold apart. Rows are
// added in chunks of a fixed size for each fold, so the result does not depend on the blocks in which they came, nor on
// the number of threads.
#pragma once

#include <span>
#include <vector>

#include "machine/kernel_columns.hpp"
#include "solve/grouped_sums.hpp"

namespace manyone {

class FoldSums {
 public:
  /// `columns` outlives it. The shift is subtracted from K~.
  FoldSums(const Execution& execution, const KernelColumns& columns, Vector shift, Index classes, int folds);

  /// Scaled rows, and the fold of each.
  void add(const Features& rows, std::span<const int> labels, std::span<const int> folds, const Vector& weights);
  /// The sums of each fold, complete.
  std::vector<GroupedSums> finish();

  /// Bytes of so many squares of sums.
  static double bytes(Index columns, Index squares);

 private:
  struct Waiting {
    std::vector<Features> pieces = {};
    std::vector<int> labels = {};
    std::vector<double> weights = {};
  };
  void flush(std::size_t fold);

  const Execution& execution_;
  const KernelColumns& columns_;
  Vector shift_;
  std::vector<GroupedSums> sums_;
  std::vector<Waiting> waiting_;
};

/// Rows one below the other; all dense or all sparse.
Features stacked(std::span<const Features> pieces);

}  // namespace manyone
