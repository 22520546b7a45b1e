// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "base/atomic_file.hpp"
#include "base/interrupt.hpp"
#include "base/json_text.hpp"
#include "cli/commands.hpp"
#include "cli/figure_files.hpp"
#include "cli/named_files.hpp"
#include "cli/printing.hpp"
#include "cli/result_output.hpp"
#include "data/bytes/byte_source.hpp"
#include "manyone/errors.hpp"
#include "result/page.hpp"

namespace manyone::cli {

namespace {

std::string read_text(const std::string& path) {
  constexpr std::size_t kMost = std::size_t{256} << 20;  // far above any result
  const auto source = open_bytes(path);
  std::string out;
  std::array<char, 1 << 16> block;
  while (const std::size_t count = source->read(block)) {
    out.append(block.data(), count);
    if (out.size() > kMost) throw InputError(Place{path}, "longer than 256 MB, which no result is; give another file");
  }
  return out;
}

struct ReportCommand {
  std::string path;
  std::string output;
  std::string pictures;

  std::vector<NamedFigure> figures_of(const Json& result) const {
    check_result(result, path);
    Interrupt interrupt;
    const SignalGuard guard(interrupt);
    std::vector<NamedFigure> figures = draw_figures(result, path);
    if (figures.empty()) {
      throw InputError(Place{path}, "the result has nothing to draw; -o writes a page of its numbers");
    }
    return figures;
  }

  std::string picture_of(const NamedFigure& figure) const {
    return (std::filesystem::path(pictures) / (figure.name + ".svg")).string();
  }

  /// No picture is written over the result, or over the page.
  void check_pictures(const std::vector<NamedFigure>& figures) const {
    std::vector<NamedFile> written;
    if (!output.empty()) written.push_back({"--output", output});
    for (const NamedFigure& figure : figures) written.push_back({"--svg", picture_of(figure)});
    refuse_overwriting(written, {{"RESULT", path}});
  }

  void write_pictures(const std::vector<NamedFigure>& figures) const {
    std::error_code failure;
    std::filesystem::create_directories(pictures, failure);
    if (!std::filesystem::is_directory(pictures)) {
      throw ConfigError(fmt::format("--svg {}: expected a folder for the figures, and it cannot be made", pictures));
    }
    for (const NamedFigure& figure : figures) {
      write_file_atomically(picture_of(figure), figure.svg);
    }
    print(text_stream(),
          fmt::format("{} figure{} written to {}\n", figures.size(), figures.size() == 1 ? "" : "s", pictures));
  }

  void execute() const {
    if (output.empty() && pictures.empty()) throw ConfigError("report needs -o page.html, or --svg FOLDER, or both");
    const std::string text = read_text(path);
    const Json result = parse_json<Json>(text);
    if (result.is_discarded()) {
      throw InputError(Place{path}, fmt::format("not JSON{}; make a result with --json, such as manyone fit DATA -o M "
                                                "--json --figures",
                                                shallow_json(text) ? "" : " of a result: it is nested too deeply"));
    }
    std::vector<NamedFigure> figures;
    if (!pictures.empty()) {
      figures = figures_of(result);
      check_pictures(figures);
    }
    if (!output.empty()) {
      write_page(output, result, path);
      print(text_stream(), fmt::format("report written to {}\n", output));
    }
    if (!pictures.empty()) write_pictures(figures);
  }
};

}  // namespace

void add_report(Tool& app) {
  auto command = std::make_shared<ReportCommand>();
  CLI::App* sub = app.add_subcommand("report", "A result as a page for people");
  sub->add_option("RESULT", command->path,
                  "What fit, tune, compare, evaluate or reproduce printed with --json; - for stdin")
      ->type_name("FILE")
      ->required();
  writes_file(sub->add_option("-o,--output", command->output, "HTML file to write")->type_name("FILE"));
  sub->add_option("--svg", command->pictures,
                  "Folder to write each figure of the page to as a picture (SVG); node draws them ($MANYONE_NODE, or "
                  "on the PATH)")
      ->type_name("FOLDER");
  sub->footer(
      "Example:\n  manyone fit data/iris.csv -o iris.safetensors --json --figures > iris.json\n  manyone report "
      "iris.json -o "
      "iris.html\n  manyone fit data/iris.csv -o iris.safetensors --report iris.html");
  sub->callback([command] { command->execute(); });
}

}  // namespace manyone::cli
