// SPDX-License-Identifier: Apache-2.0
//
// Where the library has no OpenBLAS of its own (cmake/own_openblas.cmake): that of the program stays as it is.
#include "backend/cpu/blas.hpp"

namespace manyone::blas {

void choose_kernels() {}

}  // namespace manyone::blas
