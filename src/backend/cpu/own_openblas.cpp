// SPDX-License-Identifier: Apache-2.0
//
// The OpenBLAS inside the library (cmake/own_openblas.cmake) asks us what others ask the environment and the Fortran
// run-time. So it never starts a thread, and the program's environment, and an OpenBLAS of the program, stay as they
// are.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <string_view>

#include "backend/cpu/blas.hpp"
#include "backend/cpu/dispatch.hpp"

namespace {

constexpr std::string_view kCoreVariable = "OPENBLAS_CORETYPE";
std::atomic<const char*> core_to_take = nullptr;

}  // namespace

extern "C" {
char* manyone_openblas_get_corename();
void manyone_gotoblas_dynamic_init() __attribute__((weak));
void manyone_gotoblas_dynamic_quit() __attribute__((weak));

/// Called when the library is loaded, too, before its objects are made.
const char* manyone_getenv(const char* name) {
  if (name == std::string_view("OPENBLAS_NUM_THREADS")) return "1";  // parallelism is ours, over fixed tiles
  if (name != kCoreVariable) return nullptr;
  const char* const given = std::getenv(name);
  return given != nullptr ? given : core_to_take.load();
}

/// Fortran's first // second, with blanks up to the length of the result. All that LAPACK needs of the run-time here.
void manyone_gfortran_concat_string(std::size_t length, char* result, std::size_t first_length, const char* first,
                                    std::size_t second_length, const char* second) {
  const std::size_t head = std::min(length, first_length);
  const std::size_t tail = std::min(length - head, second_length);
  std::copy_n(first, head, result);
  std::copy_n(second, tail, result + head);
  std::fill_n(result + head + tail, length - head - tail, ' ');
}
}

namespace manyone::blas {

namespace {

/// What OpenBLAS calls the processors whose instructions this one has; null where it would find them itself.
const char* known_core() {
  switch (instructions()) {
    case Instructions::avx512: return "SKYLAKEX";
    case Instructions::avx2: return "HASWELL";
    default: return nullptr;
  }
}

}  // namespace

void choose_kernels() {
  static std::once_flag once;
  std::call_once(once, [] {
    if (manyone_gotoblas_dynamic_init == nullptr || manyone_gotoblas_dynamic_quit == nullptr) return;
    if (manyone_openblas_get_corename() != std::string_view("Prescott")) return;
    if (std::getenv(kCoreVariable.data()) != nullptr || known_core() == nullptr) return;
    core_to_take = known_core();
    manyone_gotoblas_dynamic_quit();
    manyone_gotoblas_dynamic_init();
  });
}

}  // namespace manyone::blas
