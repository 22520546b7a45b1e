// SPDX-License-Identifier: Apache-2.0
//
// For a tool that shares the system's OpenBLAS (cmake/own_openblas.cmake): the process is ours, so its threads may be
// told not to take part. With one they give the same bits on every machine.
#include <cblas.h>

namespace {

[[gnu::constructor]] void keep_to_one_blas_thread() { openblas_set_num_threads(1); }

}  // namespace
