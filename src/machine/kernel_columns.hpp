// SPDX-License-Identifier: Apache-2.0
//
// The columns K~ of a reduced machine: values of a kernel at a few centres, or the features as they are. What a machine
// asks of its rows are sums of these (solve/grouped_sums).
#pragma once

#include <span>
#include <vector>

#include "machine/machine.hpp"

namespace manyone {

class KernelColumns {
 public:
  /// Values of the kernel at the centres. `labels`: the class of each centre, where the machine needs it.
  KernelColumns(const Kernel& kernel, Features centres, std::vector<int> labels = {});
  /// So many features as they are.
  explicit KernelColumns(Index features) : raw_(features) {}

  /// Columns at these centres for another kernel.
  KernelColumns at(const Kernel& kernel) const;
  /// Columns at some of these centres.
  KernelColumns only(std::span<const Index> kept) const;
  /// Tells which centre each row of the sample is that they were chosen from, or -1.
  void came_from(std::vector<Index> centre_of_row) { centre_of_row_ = std::move(centre_of_row); }
  /// Sums are of K~(i, j) Gamma(y_i, y_j) from now on. Precondition: the centres have labels.
  void weigh_by(Matrix gamma) { gamma_ = std::move(gamma); }
  /// Squares are wanted for each class apart from now on.
  void keep_classes_apart() { classes_apart_ = true; }

  Index count() const { return raw_ > 0 ? raw_ : centres_.rows(); }
  bool raw() const { return raw_ > 0; }
  bool classes_apart() const { return classes_apart_; }
  const Kernel& kernel() const { return kernel_; }
  const Features& centres() const { return centres_; }
  const std::vector<int>& labels() const { return labels_; }
  /// Empty where centres are no rows of the sample.
  const std::vector<Index>& centre_of_row() const { return centre_of_row_; }
  /// K~ of some rows.
  Matrix of(const Backend& backend, const Features& rows) const;
  /// From K~ to what sums are of.
  void weigh(std::span<const int> labels_of_rows, View values) const;
  /// K_mm; precondition: not raw().
  Matrix of_centres(const Execution& execution) const;
  /// f(x) = A' k~(x) + b as an expansion.
  Expansion expansion(const Matrix& A, const Vector& b) const;

 private:
  Kernel kernel_;
  Features centres_;
  std::vector<int> labels_;
  std::vector<Index> centre_of_row_;
  Matrix gamma_;
  bool classes_apart_ = false;
  Index raw_ = 0;
};

/// Mean kernel values at the centres: what sums are shifted by, so that they lose nothing in centring.
Vector column_shift(const Execution& execution, const KernelColumns& columns);

}  // namespace manyone
