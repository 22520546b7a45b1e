// SPDX-License-Identifier: Apache-2.0
//
// What a program does to its own process before it starts, and the library never does to its host's.
#pragma once

namespace manyone::cli {

/// Memory that runs out ends the process with `out_of_memory`, which does not return.
void prepare_process(void (*out_of_memory)());

}  // namespace manyone::cli
