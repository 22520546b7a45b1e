// SPDX-License-Identifier: Apache-2.0
//
// What a kernel is: a small value, and an entry in a registry that says everything about its kind. Every kernel here is
// a function of one pair statistic of two rows, their squared distance or their inner product, so a Gram matrix is one
// GEMM followed by an elementwise map (done by a backend). Help, refusals, backends and exports read the entry; nobody
// else knows a kernel by name. docs/adding-a-kernel.md adds one.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "kernel/formula.hpp"

namespace manyone {

/// What a kernel needs to know of a pair of rows.
enum class PairStatistic { squared_distance, inner_product };

struct Kernel;

/// Everything that is known of a kernel; it stands in a file of its own.
struct KernelEntry {
  std::string_view name;
  std::string_view formula;              ///< as users read it
  std::string_view other_name = {};      ///< what other tools call it
  std::string_view in_other_words = {};  ///< how their parameters are written here

  PairStatistic statistic = PairStatistic::squared_distance;
  // The parameters it has.
  bool sigma = false;
  bool degree = false;
  bool offset = false;

  bool linear = false;  ///< the inner product itself: a sum over centres is one weight for each feature
  bool of_rows = true;  ///< false: the user's table holds its values instead of rows
  bool sharp = false;   ///< has a kink where rows coincide: the rounding of a small distance would be multiplied

  /// The kernel as a function of the statistic: its value, the derivative (at a kink 0), and the value as steps.
  double (*value)(const Kernel& kernel, double statistic) = nullptr;
  double (*slope)(const Kernel& kernel, double statistic) = nullptr;
  std::vector<Formula::Step> (*steps)(const Kernel& kernel) = nullptr;
  /// Lines of a LIBSVM model; absent where LIBSVM has no such kernel.
  std::string (*libsvm)(const Kernel& kernel) = nullptr;
};

// Those that code asks for by themselves: the default, those of other tools' files, and where there is nothing to
// compute.
extern const KernelEntry kGaussian;
extern const KernelEntry kLaplacian;
extern const KernelEntry kPolynomial;
extern const KernelEntry kLinear;
extern const KernelEntry kPrecomputed;

struct Kernel {
  const KernelEntry* entry = &kGaussian;
  double sigma = 1;   ///< width > 0
  int degree = 3;     ///< >= 1
  double offset = 1;  ///< >= 0

  /// Widths whose squares, and what is divided by them, are neither 0 nor infinite.
  static constexpr double kLeastWidth = 1e-150;
  static constexpr double kLargestWidth = 1e150;
  static constexpr bool is_width(double sigma) { return sigma >= kLeastWidth && sigma <= kLargestWidth; }

  std::string_view name() const { return entry->name; }
  PairStatistic statistic() const { return entry->statistic; }
  /// A function of the distance, 1 where it is 0.
  bool radial() const { return statistic() == PairStatistic::squared_distance; }
  bool precomputed() const { return !entry->of_rows; }

  /// The kernel of a pair from its statistic; the formula that every backend must reproduce.
  double operator()(double statistic) const { return entry->value(*this, statistic); }
  /// Throws ConfigError naming the parameter that is out of range.
  void validate() const;
};

/// The two faces of a formula that is a template over the type of the statistic.
template <class Value>
double kernel_value(const Kernel& kernel, double statistic) {
  return Value()(kernel, statistic);
}
template <class Value>
std::vector<Formula::Step> kernel_steps(const Kernel& kernel) {
  return Value()(kernel, Formula::statistic()).steps();
}

/// All kernels, in the order they are shown to users.
std::span<const KernelEntry* const> kernels();
/// Throws ConfigError that lists the names and suggests the nearest.
const KernelEntry& kernel_from_name(std::string_view name);
/// "a, b, c": kernels for which `has` holds, for messages.
std::string kernels_with(bool (*has)(const KernelEntry&));

}  // namespace manyone
