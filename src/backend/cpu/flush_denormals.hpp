// SPDX-License-Identifier: Apache-2.0
//
// Narrow kernels fill matrices with values near 1e-308; arithmetic on denormal numbers is many times slower than
// on others and carries no information here. While this object lives, the calling thread treats them as zero.
#pragma once

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace manyone {

class FlushDenormals {
 public:
#if defined(__SSE2__)
  FlushDenormals() : before_(_mm_getcsr()) { _mm_setcsr(before_ | kFlushToZero | kDenormalsAreZero); }
  ~FlushDenormals() { _mm_setcsr(before_); }
#else
  FlushDenormals() {}
  ~FlushDenormals() {}
#endif
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
#if defined(__SSE2__)
  static constexpr unsigned kFlushToZero = 0x8000;
  static constexpr unsigned kDenormalsAreZero = 0x0040;
  unsigned before_;
#endif
};

}  // namespace manyone
