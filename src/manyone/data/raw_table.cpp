// SPDX-License-Identifier: Apache-2.0
#include "manyone/data/raw_table.hpp"

namespace manyone {

std::uint32_t Dictionary::code(std::string_view word) {
  const auto found = codes_.find(word);
  if (found != codes_.end()) return found->second;
  const auto code = static_cast<std::uint32_t>(words_.size());
  codes_.emplace(words_.emplace_back(word), code);
  bytes_ += 120.0 + static_cast<double>(word.size());  // the string, the map's node and its bucket
  return code;
}

}  // namespace manyone
