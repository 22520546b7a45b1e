// SPDX-License-Identifier: Apache-2.0
#include "cli/result_output.hpp"

#include <fmt/format.h>

#include "base/atomic_file.hpp"
#include "cli/named_files.hpp"
#include "manyone/errors.hpp"
#include "result/page.hpp"

namespace manyone::cli {

void ResultOutput::declare(CLI::App& sub, const Tool& tool, bool makes_figures) {
  kind = sub.get_name();
  command = tool.command;
  writes_file(
      sub.add_option("--report", report, "Write the result as a page for people: one HTML file that needs nothing else")
          ->type_name("FILE"));
  if (makes_figures) {
    sub.add_flag("--figures", figures, "With --json: also the data of the figures, for manyone report");
  }
}

void ResultOutput::check(const RunOptions& run) const {
  if (figures && !wanted(run)) {
    throw ConfigError("--figures adds to what --json prints; add --json, or use --report page.html");
  }
}

void ResultOutput::write(const Program& program, const RunOptions& run, const Json& result) const {
  if (!wanted(run)) return;
  Json document = result_head(kind, command);
  document.update(result);
  if (run.json) program.print(document);
  if (!report.empty()) {
    write_page(report, document, report);
    program.say(fmt::format("report written to {}", report));
  }
}

void write_page(const std::string& path, const Json& result, const std::string& source) {
  write_file_atomically(path, page_html(result, source));
}

}  // namespace manyone::cli
