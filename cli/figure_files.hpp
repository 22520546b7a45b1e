// SPDX-License-Identifier: Apache-2.0
//
// The figures of a result as SVG files. They are drawn by what draws the page: the module page/bundle/figures.mjs,
// which travels inside the tool and is run by node.
#pragma once

#include <string>
#include <vector>

#include "result/result_json.hpp"

namespace manyone::cli {

struct NamedFigure {
  std::string name;  ///< "confusion", for a file confusion.svg
  std::string svg;
};

/// The program that draws: $MANYONE_NODE, or node or nodejs on the PATH. Throws BackendError where there is none.
std::string drawing_program();

/// Figures of a document (docs/result-schema.md) that it has data for. `source` is for messages. Throws InputError when
/// a key is not what the schema says, BackendError without node or when it fails. A signal ends the drawing where a
/// SignalGuard is there.
std::vector<NamedFigure> draw_figures(const Json& result, const std::string& source);

}  // namespace manyone::cli
