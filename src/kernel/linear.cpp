// SPDX-License-Identifier: Apache-2.0
//
// Kernels that are their statistic: the inner product, and values that a user brings.
#include "kernel/kernel.hpp"

namespace manyone {

namespace {

struct Itself {
  template <class S>
  S operator()(const Kernel&, const S& s) const {
    return s;
  }
};

double one(const Kernel&, double) { return 1; }

}  // namespace

constinit const KernelEntry kLinear{.name = "linear",
                                    .formula = "x'z",
                                    .statistic = PairStatistic::inner_product,
                                    .linear = true,
                                    .value = kernel_value<Itself>,
                                    .slope = one,
                                    .steps = kernel_steps<Itself>,
                                    .libsvm = [](const Kernel&) -> std::string { return "kernel_type linear\n"; }};

constinit const KernelEntry kPrecomputed{.name = "precomputed",
                                         .formula = "columns of the table are the kernel values themselves",
                                         .statistic = PairStatistic::inner_product,
                                         .of_rows = false,
                                         .value = kernel_value<Itself>,
                                         .slope = one,
                                         .steps = kernel_steps<Itself>};

}  // namespace manyone
