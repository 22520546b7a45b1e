// SPDX-License-Identifier: Apache-2.0
//
// A result as one HTML file that needs nothing else: the page (page/, bundled at build time) with the result in
// it. Builds without npm have no page and say so.
#pragma once

#include <string>

#include "manyone/report/result_json.hpp"

namespace manyone {

bool has_page();

/// Throws InputError when `result` is none of ours or of a newer version; `source` is for the message.
void check_result(const Json& result, const std::string& source);

/// Throws ConfigError when the build has no page, otherwise as check_result().
std::string page_html(const Json& result, const std::string& source);

}  // namespace manyone
