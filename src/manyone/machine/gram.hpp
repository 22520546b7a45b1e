// SPDX-License-Identifier: Apache-2.0
//
// Kernel values among training rows, asked for in pieces: a machine that needs only the blocks of each class never
// makes the rest. They come from features and a kernel, or from a matrix that exists already.
#pragma once

#include <vector>

#include "manyone/backend/backend.hpp"

namespace manyone {

class Gram {
 public:
  virtual ~Gram() = default;

  virtual Index rows() const = 0;
  virtual const Kernel& kernel() const = 0;
  /// K of all rows in the lower triangle of `out`; what is above the diagonal is not specified.
  virtual void lower(View out) const = 0;
  /// The same for some of the rows.
  virtual Matrix lower(const std::vector<Index>& rows) const = 0;
  /// K(rows, columns).
  virtual Matrix block(const std::vector<Index>& rows, const std::vector<Index>& columns) const = 0;
  /// K of all rows, or of some, both triangles.
  Matrix full() const;
  Matrix full(const std::vector<Index>& rows) const;
};

/// Of scaled features; for a precomputed kernel the features are the matrix itself. The referents outlive it.
class FeatureGram final : public Gram {
 public:
  FeatureGram(const Execution& execution, const Kernel& kernel, const Features& features)
      : execution_(execution), kernel_(kernel), features_(features) {}

  Index rows() const override { return features_.rows(); }
  const Kernel& kernel() const override { return kernel_; }
  void lower(View out) const override;
  Matrix lower(const std::vector<Index>& rows) const override;
  Matrix block(const std::vector<Index>& rows, const std::vector<Index>& columns) const override;

 private:
  bool precomputed() const { return kernel_.kind == KernelKind::precomputed; }

  const Execution& execution_;
  Kernel kernel_;
  const Features& features_;
};

/// Of a full symmetric matrix, which outlives it.
class MatrixGram final : public Gram {
 public:
  MatrixGram(const Kernel& kernel, ConstView K) : kernel_(kernel), K_(K) {}

  Index rows() const override { return K_.rows(); }
  const Kernel& kernel() const override { return kernel_; }
  void lower(View out) const override { out = K_; }
  Matrix lower(const std::vector<Index>& rows) const override { return K_(rows, rows); }
  Matrix block(const std::vector<Index>& rows, const std::vector<Index>& columns) const override {
    return K_(rows, columns);
  }

 private:
  Kernel kernel_;
  ConstView K_;
};

}  // namespace manyone
