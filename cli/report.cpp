// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/result_output.hpp"
#include "manyone/base/errors.hpp"
#include "manyone/data/byte_source.hpp"

namespace manyone::cli {

namespace {

std::string read_text(const std::string& path) {
  const auto source = open_bytes(path);
  std::string out;
  std::array<char, 1 << 16> block;
  while (const std::size_t count = source->read(block)) out.append(block.data(), count);
  return out;
}

struct ReportCommand {
  std::string path;
  std::string output;

  void execute() const {
    check_writable(output, "--output");
    const std::string text = read_text(path);
    const Json result = Json::parse(text, nullptr, false);
    if (result.is_discarded()) {
      throw InputError(Place{path},
                       "not JSON; make a result with --json, such as manyone fit DATA -o M --json --figures");
    }
    write_page(output, result, path);
    fmt::print("report written to {}\n", output);
  }
};

}  // namespace

void add_report(Tool& app) {
  auto command = std::make_shared<ReportCommand>();
  CLI::App* sub = app.add_subcommand("report", "A result as a page for people");
  sub->add_option("RESULT", command->path,
                  "What fit, tune, compare, evaluate or reproduce printed with --json; - for stdin")
      ->required();
  sub->add_option("-o,--output", command->output, "HTML file to write")->required();
  sub->footer(
      "Example:\n  manyone fit data/iris.csv -o iris.safetensors --json --figures > iris.json\n  manyone report "
      "iris.json -o "
      "iris.html\n  manyone fit data/iris.csv -o iris.safetensors --report iris.html");
  sub->callback([command] { command->execute(); });
}

}  // namespace manyone::cli
