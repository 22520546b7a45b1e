// SPDX-License-Identifier: Apache-2.0
//
// JSON from files. The parser of the library goes to any depth, what works on its result does so by recursion: a file
// of two hundred thousand brackets would end the process. No document of ours is nested a quarter as deep as this
// allows. Every text that is not our own passes here.
#pragma once

#include <string_view>

namespace manyone {

inline constexpr int kMostJsonLevels = 64;

/// Whether arrays and objects are at most kMostJsonLevels deep; one look at each byte, brackets in strings do not
/// count.
bool shallow_json(std::string_view text);

/// The document, discarded (is_discarded()) if `text` is not JSON or not shallow_json(). Json: of the nlohmann family.
template <class Json>
Json parse_json(std::string_view text) {
  if (!shallow_json(text)) return Json(Json::value_t::discarded);
  return Json::parse(text.begin(), text.end(), nullptr, false);
}

}  // namespace manyone
