// SPDX-License-Identifier: Apache-2.0
#include "kernel/kernel.hpp"

#include <array>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/names.hpp"
#include "manyone/errors.hpp"

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
      throw ConfigError("kernel", fmt::format("kernel '{}' is called {} here", name, entry->name),
                        "it is " + std::string(entry->in_other_words));
    }
  }
  return *named(kernels(), name, "kernel", "kernel");
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
    throw ConfigError::must_be(
        "sigma", fmt::format("a number from {} to {}", format_double(kLeastWidth), format_double(kLargestWidth)),
        format_double(sigma), "leave it out to have it tuned");
  }
  if (entry->degree && (degree < 1 || degree > 100)) {
    throw ConfigError::must_be("degree", "1 to 100", std::to_string(degree), "2 to 5 are usual");
  }
  if (entry->offset && !(offset >= 0 && std::isfinite(offset))) {
    throw ConfigError::must_be("offset", "0 or more (else the kernel is not positive definite)", format_double(offset),
                               "1 is usual");
  }
}

}  // namespace manyone
