// SPDX-License-Identifier: Apache-2.0
#include "data/outline/raw_table.hpp"

namespace manyone {

std::uint32_t Dictionary::code(std::string_view word) {
  const auto found = codes_.find(word);
  if (found != codes_.end()) return found->second;
  const auto code = static_cast<std::uint32_t>(words_.size());
  words_.push_back(&codes_.emplace(word, code).first->first);
  bytes_ += 120.0 + static_cast<double>(word.size());  // the string, the map's node and its bucket
  return code;
}

std::vector<std::string> Dictionary::words() const {
  std::vector<std::string> out;
  out.reserve(words_.size());
  for (const std::string* word : words_) out.push_back(*word);
  return out;
}

}  // namespace manyone
