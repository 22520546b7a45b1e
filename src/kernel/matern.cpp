// SPDX-License-Identifier: Apache-2.0
//
// Matern kernels: between the Laplacian, whose functions have kinks, and the Gaussian, whose functions have all
// derivatives. These have one and two.
#include "kernel/kernel.hpp"

namespace manyone {

namespace {

constexpr double kRoot3 = 1.7320508075688772;
constexpr double kRoot5 = 2.23606797749979;

struct Matern32 {
  template <class S>
  S operator()(const Kernel& kernel, const S& s) const {
    const S t = root(s) * (kRoot3 / kernel.sigma);
    return (t + 1.0) * decay(t);
  }
};

struct Matern52 {
  template <class S>
  S operator()(const Kernel& kernel, const S& s) const {
    const S t = root(s) * (kRoot5 / kernel.sigma);
    return ((t * t) * (1.0 / 3) + (t + 1.0)) * decay(t);
  }
};

}  // namespace

extern constinit const KernelEntry kMatern32{
    .name = "matern32",
    .formula = "(1 + t) exp(-t), t = sqrt(3) |x-z| / sigma",
    .sigma = true,
    .value = kernel_value<Matern32>,
    // d/ds of t is t / (2 s), so that t cancels and nothing is left to divide by.
    .slope = [](const Kernel& kernel,
                double s) { return -1.5 / kernel.sigma / kernel.sigma * decay(root(s) * (kRoot3 / kernel.sigma)); },
    .steps = kernel_steps<Matern32>};

extern constinit const KernelEntry kMatern52{.name = "matern52",
                                             .formula = "(1 + t + t^2/3) exp(-t), t = sqrt(5) |x-z| / sigma",
                                             .sigma = true,
                                             .value = kernel_value<Matern52>,
                                             .slope =
                                                 [](const Kernel& kernel, double s) {
                                                   const double t = root(s) * (kRoot5 / kernel.sigma);
                                                   return -2.5 / 3 / kernel.sigma / kernel.sigma * (1 + t) * decay(t);
                                                 },
                                             .steps = kernel_steps<Matern52>};

}  // namespace manyone
