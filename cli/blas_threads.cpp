// SPDX-License-Identifier: Apache-2.0
//
// OpenBLAS starts threads of its own before main(), only for us to end them (docs/decisions/threads.md). Where it is
// part of the tool it asks the environment after this function has run; as a library of its own it has asked before.
#include <cstdlib>

namespace {

[[gnu::constructor(101)]] void start_no_blas_threads() { ::setenv("OPENBLAS_NUM_THREADS", "1", 1); }

}  // namespace
