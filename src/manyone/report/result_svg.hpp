// SPDX-License-Identifier: Apache-2.0
//
// The figures of a result as SVG documents, for papers and slides and where there is no browser.
#pragma once

#include <string>
#include <vector>

#include "manyone/report/result_json.hpp"

namespace manyone {

struct NamedFigure {
  std::string name;  ///< "confusion", for a file confusion.svg
  std::string svg;
};

/// Figures of a document (docs/result-schema.md) that it has data for: surface, confusion, reliability, projection,
/// regions, code lengths, differences, ranks. Throws InputError when a key is not what the schema says; `source` is for
/// the message.
std::vector<NamedFigure> result_svg(const Json& result, const std::string& source);

}  // namespace manyone
