// SPDX-License-Identifier: Apache-2.0
//
// MANYONE_DISPATCH(f): the version of f, of those Highway compiled, that is fastest on this processor. Highway's own
// dispatch does the same from a shared library that measures a clock when it is loaded, 3 ms of every start of the
// tool.
#pragma once

#include <hwy/highway.h>
#if HWY_ARCH_X86
#include <cpuid.h>
#endif

namespace manyone {

enum class Instructions { baseline, sse4, avx2, avx512 };

#if HWY_ARCH_X86
/// Not among the names that clang 14 knows.
inline bool supports_f16c() {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  return __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_F16C) != 0;
}
#endif

/// What Highway's targets SSE4, AVX2 and AVX3 ask for. Other processors have one target, the baseline.
inline Instructions instructions() {
#if HWY_ARCH_X86
  static const Instructions best = [] {
    if (!__builtin_cpu_supports("sse4.2") || !__builtin_cpu_supports("pclmul") || !__builtin_cpu_supports("aes"))
      return Instructions::baseline;
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi") ||
        !__builtin_cpu_supports("bmi2") || !supports_f16c())
      return Instructions::sse4;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512vl") ||
        !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512bw"))
      return Instructions::avx2;
    return Instructions::avx512;
  }();
  return best;
#else
  return Instructions::baseline;
#endif
}

/// The first version that exists (is not null) and that this processor runs.
template <class Function>
Function* best_version(Function* avx512, Function* avx2, Function* sse4, Function* baseline) {
  const Instructions have = instructions();
  if (avx512 != nullptr && have >= Instructions::avx512) return avx512;
  if (avx2 != nullptr && have >= Instructions::avx2) return avx2;
  if (sse4 != nullptr && have >= Instructions::sse4) return sse4;
  return baseline;
}

}  // namespace manyone

#define MANYONE_DISPATCH(f)                                                                                   \
  (best_version<decltype(HWY_STATIC_DISPATCH(f))>(HWY_CHOOSE_AVX3(f), HWY_CHOOSE_AVX2(f), HWY_CHOOSE_SSE4(f), \
                                                  &HWY_STATIC_DISPATCH(f)))
