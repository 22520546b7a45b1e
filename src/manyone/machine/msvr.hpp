// SPDX-License-Identifier: Apache-2.0
//
// Coding and regression (Chen, Lee, Lee, Lee, Huang 2009; SPEC section 9): one regularised regression of the classes on
// m columns K~ - kernel values at centres, or the features themselves -
//     min  sum_i w_i |y_i - W'k~_i - b|^2 + ridge |W|^2          (penalty identity, the paper's)
//                                         + ridge tr W'K_mm W    (penalty rkhs: Nystrom kernel ridge regression)
// It is solved once for indicators; the coefficients of every code Theta follow by multiplication (Lemma 1, Theorem 4).
// All it needs of the rows are sums (solve/grouped_sums), so their number does not matter: m^3/3 flops for a ridge.
// oneLSM with centres is the same without b.
#pragma once

#include <optional>
#include <string_view>

#include "manyone/machine/machine.hpp"
#include "manyone/solve/grouped_sums.hpp"

namespace manyone {

enum class PenaltyKind { identity, rkhs };
std::string_view name_of(PenaltyKind kind);
/// Throws ConfigError that lists the names.
PenaltyKind penalty_from_name(std::string_view name);

/// The columns K~ of a reduced machine.
class KernelColumns {
 public:
  /// Values of the kernel at the centres.
  KernelColumns(const Kernel& kernel, Features centres);
  /// So many features as they are.
  explicit KernelColumns(Index features) : raw_(features) {}

  /// The same centres for another kernel.
  KernelColumns at(const Kernel& kernel) const;

  Index count() const { return raw_ > 0 ? raw_ : centres_.rows(); }
  bool raw() const { return raw_ > 0; }
  const Kernel& kernel() const { return kernel_; }
  const Features& centres() const { return centres_; }
  /// K~ of some rows.
  Matrix of(const Backend& backend, const Features& rows) const;
  /// K_mm; precondition: not raw().
  Matrix of_centres(const Execution& execution) const;
  /// f(x) = A' k~(x) + b as an expansion.
  Expansion expansion(const Matrix& A, const Vector& b) const;

 private:
  Kernel kernel_;
  Features centres_;
  Index raw_ = 0;
};

struct MsvrChoice {
  PenaltyKind penalty = PenaltyKind::identity;
  bool bias = true;
  std::optional<Index> components = {};  ///< of kernel PCA
};

/// A regression in terms of the columns K~: f = A'k~ + b for indicators.
struct MsvrFit {
  Matrix A;          ///< m x L
  Vector b;          ///< L
  Matrix W;          ///< r x L: the same in the columns that the penalty sees, which may have been shifted
  Vector c;          ///< L: with them, f = W'x + c
  Vector origin;     ///< L: outputs where those columns, not shifted, are 0
  Matrix explained;  ///< L x L: Y_c' P Y_c with P the (regularised) projector on the columns; optimal scoring needs it
};

class Msvr {
 public:
  /// `all`: sums of K~ - shift over all rows, complete. Without bias the shift must be 0.
  Msvr(const Execution& execution, const MsvrChoice& choice, const KernelColumns& columns, const GroupedSums& all,
       Vector shift);

  /// Sums of K~ - shift as the regression sees them; once for each training part, for all ridges.
  GroupedSums seen(const GroupedSums& sums) const;
  /// From sums that seen() gave. False when the ridge is too small.
  bool fit(const GroupedSums& seen, double ridge, MsvrFit& out) const;

 private:
  const Execution& execution_;
  MsvrChoice choice_;
  Vector shift_;
  Vector centre_;  // of principal components, in terms of K~ - shift
  Matrix T_;       // m x r: what the penalty sees is T'(K~ - shift - centre); empty: K~ itself
};

/// Mean kernel values at the centres: what sums are shifted by, so that they lose nothing in centring.
Vector column_shift(const Execution& execution, const KernelColumns& columns);

}  // namespace manyone
