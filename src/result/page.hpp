// SPDX-License-Identifier: Apache-2.0
//
// A result as one HTML file that needs nothing else: the page with the result in it. The page is made in page/, at the
// top of the sources, and embedded as its committed bundle has it.
#pragma once

#include <string>

#include "result/result_json.hpp"

namespace manyone {

/// Throws InputError when `result` is none of ours or of a newer version; `source` is for the message.
void check_result(const Json& result, const std::string& source);

/// Throws as check_result() does.
std::string page_html(const Json& result, const std::string& source);

}  // namespace manyone
