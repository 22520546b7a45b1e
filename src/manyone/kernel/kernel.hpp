// SPDX-License-Identifier: Apache-2.0
//
// What a kernel is: a small value. Every kernel here is a function of one pair statistic of two rows, their squared
// distance or their inner product, so a Gram matrix is one GEMM followed by an elementwise map (done by a backend).
#pragma once

#include <cmath>
#include <span>
#include <string>
#include <string_view>

namespace manyone {

enum class KernelKind {
  gaussian,     ///< exp(-||x-z||^2 / (2 sigma^2))
  laplacian,    ///< exp(-||x-z|| / sigma), Euclidean distance
  polynomial,   ///< (x'z + offset)^degree
  linear,       ///< x'z
  precomputed,  ///< the user's own Gram matrix
};

/// What a kernel needs to know of a pair of rows.
enum class PairStatistic { squared_distance, inner_product };

struct Kernel {
  KernelKind kind = KernelKind::gaussian;
  double sigma = 1;   ///< gaussian, laplacian: width > 0
  int degree = 3;     ///< polynomial: >= 1
  double offset = 1;  ///< polynomial: >= 0

  /// Widths whose squares, and what is divided by them, are neither 0 nor infinite.
  static constexpr double kLeastWidth = 1e-150;
  static constexpr double kLargestWidth = 1e150;
  static constexpr bool is_width(double sigma) { return sigma >= kLeastWidth && sigma <= kLargestWidth; }

  bool radial() const { return kind == KernelKind::gaussian || kind == KernelKind::laplacian; }
  bool has_sigma() const { return radial(); }
  PairStatistic statistic() const { return radial() ? PairStatistic::squared_distance : PairStatistic::inner_product; }

  /// The kernel of a pair from its statistic; the formula that every backend must reproduce.
  double operator()(double statistic) const;
  /// Throws ConfigError naming the parameter that is out of range.
  void validate() const;
};

struct KernelInfo {
  KernelKind kind;
  std::string_view name;
  std::string_view formula;
  std::string_view parameters;
};

/// All kernels, in the order they are shown to users.
std::span<const KernelInfo> kernels();
std::string_view name_of(KernelKind kind);
/// Throws ConfigError that lists the names and suggests the nearest.
KernelKind kernel_from_name(std::string_view name);

inline double Kernel::operator()(double statistic) const {
  switch (kind) {
    case KernelKind::gaussian: return std::exp(-statistic / (2 * sigma * sigma));
    case KernelKind::laplacian: return std::exp(-std::sqrt(statistic) / sigma);
    case KernelKind::polynomial: return std::pow(statistic + offset, degree);
    case KernelKind::linear:
    case KernelKind::precomputed: break;
  }
  return statistic;
}

}  // namespace manyone
