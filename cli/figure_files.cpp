// SPDX-License-Identifier: Apache-2.0
#include "cli/figure_files.hpp"

#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include "base/json_text.hpp"
#include "base/other_program.hpp"
#include "manyone/errors.hpp"

namespace manyone {

extern const char* const kFigureChunks[];  // ends with a null pointer

namespace cli {

namespace {

constexpr std::chrono::seconds kTime{120};  // a hundred classes and 2000 points take one

// Standard input is [the module, the result]: both may be longer than an argument of a program can be.
constexpr std::string_view kRun =
    "const { readFileSync, writeFileSync } = await import('node:fs');"
    "const [module, result] = JSON.parse(readFileSync(0, 'utf8'));"
    "const { figures } = await import('data:text/javascript;base64,' + Buffer.from(module).toString('base64'));"
    "writeFileSync(1, JSON.stringify(figures(result)));";

}  // namespace

std::string drawing_program() {
  if (const char* named = std::getenv("MANYONE_NODE"); named != nullptr && *named != '\0') return named;
  for (const char* name : {"node", "nodejs"}) {
    if (std::string found = program_on_path(name); !found.empty()) return found;
  }
  throw BackendError(
      "figures are drawn by node, and there is none on the PATH: install nodejs, name it in $MANYONE_NODE, or make the "
      "page (report -o page.html) and save figures from it in a browser");
}

std::vector<NamedFigure> draw_figures(const Json& result, const std::string& source) {
  const std::string node = drawing_program();
  std::string module;
  for (const char* const* chunk = kFigureChunks; *chunk != nullptr; ++chunk) module += *chunk;
  const ProgramRun run = run_other_program({node, "--input-type=module", "--eval", std::string(kRun)},
                                           dump(Json::array({module, dump(result)})), {kTime});
  if (!run.failure.empty()) throw BackendError(fmt::format("{}, which draws the figures: {}", node, run.failure));
  const Json answer = parse_json<Json>(run.output);
  if (!answer.contains("figures") && !answer.contains("problem"))
    throw BackendError(fmt::format("{} was to draw figures and gave something else; is it node?", node));
  if (answer.contains("problem")) throw InputError(Place{source}, answer["problem"].get<std::string>());
  std::vector<NamedFigure> out;
  for (const auto& [name, svg] : answer["figures"].items()) out.push_back({name, svg.get<std::string>()});
  return out;
}

}  // namespace cli
}  // namespace manyone
