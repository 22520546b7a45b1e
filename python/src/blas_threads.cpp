// SPDX-License-Identifier: Apache-2.0
//
// OpenBLAS is part of the module and private to it: its number of threads is ours, and numpy's BLAS stays as it was.
// It asks the environment for that number when the module is loaded; the answer is there for that moment only, so that
// the process keeps its environment. As a library of its own, where no archive was found, it has asked before.
#include <cstdlib>
#include <optional>
#include <string>

namespace {

constexpr const char* kVariable = "OPENBLAS_NUM_THREADS";

std::optional<std::string>& before() {
  static std::optional<std::string> value;
  return value;
}

[[gnu::constructor(101)]] void start_no_blas_threads() {
  if (const char* const value = std::getenv(kVariable)) before() = value;
  ::setenv(kVariable, "1", 1);
}

[[gnu::constructor]] void restore_environment() {
  if (before()) {
    ::setenv(kVariable, before()->c_str(), 1);
  } else {
    ::unsetenv(kVariable);
  }
}

}  // namespace
