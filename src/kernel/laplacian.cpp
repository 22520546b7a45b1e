// SPDX-License-Identifier: Apache-2.0
//
// The Laplacian kernel, of the Euclidean distance.
#include "kernel/kernel.hpp"

namespace manyone {

namespace {

struct Laplacian {
  template <class S>
  S operator()(const Kernel& kernel, const S& s) const {
    return decay(root(s) * (1 / kernel.sigma));
  }
};

}  // namespace

constinit const KernelEntry kLaplacian{
    .name = "laplacian",
    .formula = "exp(-|x-z| / sigma)",
    .sigma = true,
    .sharp = true,
    .value = kernel_value<Laplacian>,
    .slope = [](const Kernel& kernel, double s) { return s > 0 ? -kernel(s) / (2 * kernel.sigma * std::sqrt(s)) : 0; },
    .steps = kernel_steps<Laplacian>};

}  // namespace manyone
