// SPDX-License-Identifier: Apache-2.0
//
// The Gaussian kernel.
#include <fmt/format.h>

#include "base/numbers.hpp"
#include "kernel/kernel.hpp"

namespace manyone {

namespace {

double rate(const Kernel& kernel) { return 1 / (2 * kernel.sigma * kernel.sigma); }

struct Gaussian {
  template <class S>
  S operator()(const Kernel& kernel, const S& s) const {
    return decay(s * rate(kernel));
  }
};

}  // namespace

constinit const KernelEntry kGaussian{
    .name = "gaussian",
    .formula = "exp(-|x-z|^2 / (2 sigma^2))",
    .other_name = "rbf",
    .in_other_words = "exp(-|x-z|^2 / (2 sigma^2)), gamma = 1/(2 sigma^2)",
    .sigma = true,
    .value = kernel_value<Gaussian>,
    .slope = [](const Kernel& kernel, double s) { return -rate(kernel) * kernel(s); },
    .steps = kernel_steps<Gaussian>,
    .libsvm =
        [](const Kernel& kernel) { return fmt::format("kernel_type rbf\ngamma {}\n", format_double(rate(kernel))); }};

}  // namespace manyone
