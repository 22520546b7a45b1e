// SPDX-License-Identifier: Apache-2.0
#include "manyone/kernel/kernel.hpp"

#include <array>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "manyone/base/errors.hpp"
#include "manyone/base/names.hpp"

namespace manyone {

// A new kernel: its file, and its name here.
extern const KernelEntry kMatern32, kMatern52;

std::span<const KernelEntry* const> kernels() {
  static constexpr std::array all = {&kGaussian,   &kLaplacian, &kMatern32,   &kMatern52,
                                     &kPolynomial, &kLinear,    &kPrecomputed};
  return all;
}

const KernelEntry& kernel_from_name(std::string_view name) {
  for (const KernelEntry* entry : kernels()) {
    if (!entry->other_name.empty() && lower_case(name.substr(0, name.find(':'))) == entry->other_name) {
      throw ConfigError(fmt::format("kernel '{}' is called {} here: {}", name, entry->name, entry->in_other_words));
    }
  }
  return *named(kernels(), name, "kernel");
}

std::string kernels_with(bool (*has)(const KernelEntry&)) {
  std::vector<std::string_view> names;
  for (const KernelEntry* entry : kernels()) {
    if (has(*entry)) names.push_back(entry->name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

void Kernel::validate() const {
  if (entry->sigma && !is_width(sigma)) {
    throw ConfigError(fmt::format("sigma must be a number from {} to {}, found {}", format_double(kLeastWidth),
                                  format_double(kLargestWidth), format_double(sigma)));
  }
  if (entry->degree && (degree < 1 || degree > 100)) {
    throw ConfigError(fmt::format("degree must be 1 to 100, found {}", degree));
  }
  if (entry->offset && !(offset >= 0 && std::isfinite(offset))) {
    throw ConfigError(fmt::format("offset must be 0 or more (else the kernel is not positive definite), found {}",
                                  format_double(offset)));
  }
}

}  // namespace manyone
