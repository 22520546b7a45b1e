// SPDX-License-Identifier: Apache-2.0
//
// Results given to `manyone report`: any JSON goes into a page, or is refused with an Error.
#include <cstdint>
#include <string_view>

#include "manyone/errors.hpp"
#include "result/page.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace manyone;
  const Json result = Json::parse(std::string_view(reinterpret_cast<const char*>(data), size), nullptr, false);
  try {
    check_result(result, "fuzz");
  } catch (const Error&) {
    return 0;
  }
  try {
    page_html(result, "fuzz");
  } catch (const Error&) {
  }
  return 0;
}
