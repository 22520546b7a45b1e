// SPDX-License-Identifier: Apache-2.0
#include "manyone/kernel/kernel.hpp"

#include <array>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "manyone/base/errors.hpp"
#include "manyone/base/names.hpp"

namespace manyone {

namespace {

constexpr std::array kKernels = {
    KernelInfo{KernelKind::gaussian, "gaussian", "exp(-|x-z|^2 / (2 sigma^2))", "--sigma"},
    KernelInfo{KernelKind::laplacian, "laplacian", "exp(-|x-z| / sigma)", "--sigma"},
    KernelInfo{KernelKind::polynomial, "polynomial", "(x'z + offset)^degree", "--degree --offset"},
    KernelInfo{KernelKind::linear, "linear", "x'z", ""},
    KernelInfo{KernelKind::precomputed, "precomputed", "columns of the table are the kernel values themselves", ""}};

}  // namespace

std::span<const KernelInfo> kernels() { return kKernels; }

std::string_view name_of(KernelKind kind) { return name_in(kernels(), kind); }

KernelKind kernel_from_name(std::string_view name) {
  if (name == "rbf")
    throw ConfigError("kernel 'rbf' is called gaussian here: exp(-|x-z|^2 / (2 sigma^2)), gamma = 1/(2 sigma^2)");
  if (name == "poly") throw ConfigError("kernel 'poly' is called polynomial here: (x'z + offset)^degree");
  return named(kernels(), name, "kernel").kind;
}

void Kernel::validate() const {
  if (has_sigma() && !is_width(sigma)) {
    throw ConfigError(fmt::format("sigma must be a number from {} to {}, found {}", format_double(kLeastWidth),
                                  format_double(kLargestWidth), format_double(sigma)));
  }
  if (kind == KernelKind::polynomial) {
    if (degree < 1 || degree > 100) throw ConfigError(fmt::format("degree must be 1 to 100, found {}", degree));
    if (!(offset >= 0 && std::isfinite(offset))) {
      throw ConfigError(fmt::format("offset must be 0 or more (else the kernel is not positive definite), found {}",
                                    format_double(offset)));
    }
  }
}

}  // namespace manyone
