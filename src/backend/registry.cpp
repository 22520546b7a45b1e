// SPDX-License-Identifier: Apache-2.0
//
// The one place that knows which backends exist.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backend/backend.hpp"
#include "backend/cpu/cpu_backend.hpp"
#include "backend/reference/reference_backend.hpp"
#include "manyone/errors.hpp"

namespace manyone {

std::vector<std::string> backend_names() { return {"cpu", "reference"}; }

std::unique_ptr<Backend> make_backend(std::string_view name, int threads) {
  if (name == "cpu") return std::make_unique<CpuBackend>(threads);
  if (name == "reference") return std::make_unique<ReferenceBackend>();
  throw ConfigError("backend", fmt::format("backend '{}' is not in this build", name),
                    fmt::format("backends are {}", fmt::join(backend_names(), ", ")));
}

}  // namespace manyone
