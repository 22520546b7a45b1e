// SPDX-License-Identifier: Apache-2.0
#include "result/page.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "manyone/errors.hpp"

namespace manyone {

extern const char* const kPageChunks[];  // ends with a null pointer

namespace {

constexpr std::string_view kPlace = "<!--MANYONE-RESULT-->";

std::string page_template() {
  std::string out;
  for (const char* const* chunk = kPageChunks; *chunk != nullptr; ++chunk) out += *chunk;
  return out;
}

/// JSON inside a script element: no "</script>" and no "<!--" can be in it.
std::string harmless(const std::string& json) {
  std::string out;
  for (const char c : json) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

/// A row and a column of whole numbers for each label.
void check_confusion(const Json& confusion, const Place& place) {
  if (confusion.is_null()) return;
  const auto list = [&](const char* key) {
    return confusion.is_object() && confusion.contains(key) && confusion[key].is_array() ? confusion[key]
                                                                                         : Json::array();
  };
  const Json labels = list("labels");
  const Json counts = list("counts");
  bool good = !labels.empty() && counts.size() == labels.size();
  for (const Json& row : counts) {
    good = good && row.is_array() && row.size() == labels.size();
    for (const Json& count : row) good = good && count.is_number_integer() && count >= 0;
  }
  if (!good) {
    throw InputError(place, "its confusion matrix does not hold a number of rows for each pair of its classes",
                     "docs/result-schema.md says what it holds");
  }
}

}  // namespace

void check_result(const Json& result, const std::string& source) {
  const Place place{source};
  const auto part = [&](const char* key) { return result.is_object() && result.contains(key) ? result[key] : Json(); };
  const Json version = part("version");
  const bool ours = part("format") == kResultFormat && version.is_number_integer();
  if (ours && version > kResultVersion) {
    throw InputError(place, fmt::format("a result of a newer version; this manyone reads version {}", kResultVersion));
  }
  if (!ours || version != kResultVersion || !part("kind").is_string()) {
    throw InputError(place, "not a result of manyone", "make one with `json`", "json");
  }
  constexpr std::array kKinds = {"fit", "tune", "evaluate", "compare", "reproduce"};
  if (std::none_of(kKinds.begin(), kKinds.end(), [&](const char* kind) { return part("kind") == kind; })) {
    throw InputError(
        place, fmt::format("a result of kind {}, of which there is no page; those of {} have one",
                           part("kind").dump(-1, ' ', true, Json::error_handler_t::replace), fmt::join(kKinds, ", ")));
  }
  check_confusion(part("confusion"), place);
  const Json held_out = part("held_out");
  if (held_out.is_object() && held_out.contains("confusion")) check_confusion(held_out["confusion"], place);
}

std::string page_html(const Json& result, const std::string& source) {
  check_result(result, source);
  std::string page = page_template();
  const auto at = page.find(kPlace);
  if (at == std::string::npos) throw BackendError("the report page has no place for a result");
  return page.replace(at, kPlace.size(), harmless(result.dump(-1, ' ', false, Json::error_handler_t::replace)));
}

}  // namespace manyone
