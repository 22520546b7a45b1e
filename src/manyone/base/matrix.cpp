// SPDX-License-Identifier: Apache-2.0
#include "manyone/base/matrix.hpp"

namespace manyone {

template <>
int matrices_are_aligned_to<64>() {
  return 64;
}

}  // namespace manyone
