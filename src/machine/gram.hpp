// SPDX-License-Identifier: Apache-2.0
//
// Kernel values among training rows, asked for in pieces: a machine that needs only the blocks of each class never
// makes the rest. They come from features and a kernel, or from a matrix that exists already.
#pragma once

#include <memory>
#include <vector>

#include "backend/backend.hpp"

namespace manyone {

class Gram {
 public:
  virtual ~Gram() = default;

  virtual Index rows() const = 0;
  virtual const Kernel& kernel() const = 0;
  /// K of all rows in the lower triangle of `out`; what is above the diagonal is not specified.
  virtual void lower(View out) const = 0;
  /// K of some of the rows, in the lower triangle of the result.
  virtual Matrix lower(const std::vector<Index>& rows) const = 0;
  /// K(rows, columns).
  virtual Matrix block(const std::vector<Index>& rows, const std::vector<Index>& columns) const = 0;
  /// K(rows, :).
  virtual Matrix strip(const std::vector<Index>& rows) const = 0;
  virtual Vector diagonal() const = 0;
  /// Numbers that a row is made from; 0 if its values are there already.
  virtual Index features() const = 0;
  /// K s; cheaper the more entries are 0.
  virtual Vector times(const Vector& s) const = 0;
  /// The values among some of the rows.
  virtual std::unique_ptr<Gram> part(const std::vector<Index>& rows) const = 0;
  /// K of all rows, or of some, both triangles.
  Matrix full() const;
  Matrix full(const std::vector<Index>& rows) const;
};

/// The Gram matrix of scaled features; for a precomputed kernel the features are the matrix itself. The execution
/// outlives it, and so do features that are not its own.
class FeatureGram final : public Gram {
 public:
  FeatureGram(const Execution& execution, const Kernel& kernel, const Features& features)
      : execution_(execution), kernel_(kernel), features_(features) {}
  /// Made ready for many strips of a few rows.
  FeatureGram(const Execution& execution, const Kernel& kernel, std::unique_ptr<const Features> features);

  Index rows() const override { return features_.rows(); }
  const Kernel& kernel() const override { return kernel_; }
  void lower(View out) const override;
  Matrix lower(const std::vector<Index>& rows) const override;
  Matrix block(const std::vector<Index>& rows, const std::vector<Index>& columns) const override;
  Matrix strip(const std::vector<Index>& rows) const override;
  Vector diagonal() const override;
  Index features() const override { return precomputed() ? 0 : features_.features(); }
  Vector times(const Vector& s) const override;
  std::unique_ptr<Gram> part(const std::vector<Index>& rows) const override;

 private:
  bool precomputed() const { return kernel_.precomputed(); }
  void strip_of_columns(const std::vector<Index>& rows, Matrix& out) const;

  const Execution& execution_;
  Kernel kernel_;
  std::unique_ptr<const Features> own_;
  const Features& features_;
  Matrix columns_;  // features x rows; empty unless made ready
  Vector norms_;
};

/// Throws BackendError where kernel values among these rows are beyond the largest number.
void require_finite_kernel(const Kernel& kernel, const Features& rows);

/// A full symmetric matrix as a Gram matrix, which outlives it unless it is its own.
class MatrixGram final : public Gram {
 public:
  MatrixGram(const Kernel& kernel, ConstView K) : kernel_(kernel), K_(K) {}
  MatrixGram(const Kernel& kernel, std::unique_ptr<const Matrix> K) : kernel_(kernel), own_(std::move(K)), K_(*own_) {}

  Index rows() const override { return K_.rows(); }
  const Kernel& kernel() const override { return kernel_; }
  void lower(View out) const override { out = K_; }
  Matrix lower(const std::vector<Index>& rows) const override { return K_(rows, rows); }
  Matrix block(const std::vector<Index>& rows, const std::vector<Index>& columns) const override {
    return K_(rows, columns);
  }
  Matrix strip(const std::vector<Index>& rows) const override { return K_(rows, Eigen::all); }
  Vector diagonal() const override { return K_.diagonal(); }
  Index features() const override { return 0; }
  Vector times(const Vector& s) const override { return K_ * s; }
  std::unique_ptr<Gram> part(const std::vector<Index>& rows) const override;

 private:
  Kernel kernel_;
  std::unique_ptr<const Matrix> own_;
  ConstView K_;
};

}  // namespace manyone
