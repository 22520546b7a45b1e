// SPDX-License-Identifier: Apache-2.0
//
// The polynomial kernel.
#include <fmt/format.h>

#include "base/numbers.hpp"
#include "kernel/kernel.hpp"

namespace manyone {

namespace {

struct Polynomial {
  template <class S>
  S operator()(const Kernel& kernel, const S& s) const {
    return power(s + kernel.offset, kernel.degree);
  }
};

}  // namespace

constinit const KernelEntry kPolynomial{
    .name = "polynomial",
    .formula = "(x'z + offset)^degree",
    .other_name = "poly",
    .in_other_words = "(x'z + offset)^degree",
    .statistic = PairStatistic::inner_product,
    .degree = true,
    .offset = true,
    .value = kernel_value<Polynomial>,
    .slope = [](const Kernel& kernel, double s) { return kernel.degree * power(s + kernel.offset, kernel.degree - 1); },
    .steps = kernel_steps<Polynomial>,
    .libsvm =
        [](const Kernel& kernel) {
          return fmt::format("kernel_type polynomial\ndegree {}\ngamma 1\ncoef0 {}\n", kernel.degree,
                             format_double(kernel.offset));
        }};

}  // namespace manyone
