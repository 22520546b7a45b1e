// SPDX-License-Identifier: Apache-2.0
//
// IDX: any bytes give a table or an Error. The first byte says how many of the last bytes are the label file.
#include <algorithm>

#include "table_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t labels = std::min<std::size_t>(data[0], bytes.size());
  manyone::fuzz_table(manyone::TableFormat::idx, bytes.substr(0, bytes.size() - labels),
                      bytes.substr(bytes.size() - labels));
  return 0;
}
