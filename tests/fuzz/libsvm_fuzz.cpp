// SPDX-License-Identifier: Apache-2.0
//
// LIBSVM: any bytes give a table or an Error, by the way of training and by that of prediction.
#include "table_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  manyone::fuzz_table(manyone::TableFormat::libsvm, {reinterpret_cast<const char*>(data), size});
  return 0;
}
