// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "cli/commands.hpp"
#include "cli/named_files.hpp"
#include "cli/options.hpp"
#include "cli/recipe_options.hpp"
#include "cli/result_output.hpp"
#include "data/number_table.hpp"
#include "manyone/errors.hpp"
#include "result/compare_text.hpp"

namespace manyone::cli {

namespace {

/// A recipe as a user writes it: a machine and options as on the command line, "vo-lssvm --labelbook mincorr".
/// `written`: the files that are none it may read.
RecipeOptions recipe_from_text(const RecipeOptions& shared, const std::string& text,
                               const std::vector<NamedFile>& written) {
  RecipeOptions out = shared;
  CLI::App parser;
  out.declare(parser);
  try {
    parser.parse(text.starts_with("-") ? text : "--machine " + text);
  } catch (const CLI::ParseError& error) {
    const auto extras = parser.remaining();
    const auto option = std::ranges::find_if(extras, [](const std::string& word) { return word.starts_with('-'); });
    const std::string extra = option != extras.end() ? *option : extras.empty() ? "" : extras.front();
    throw ConfigError(extras.empty() ? fmt::format("recipe '{}': {}", text, error.what())
                                     : fmt::format("recipe '{}': a recipe has no '{}'", text, extra));
  }
  refuse_overwriting(written, files_to_read(parser));
  // A comparison is of named machines.
  if (out.word("machine") == kAutomaticMachine) out.set_word("machine", usual_machine().name);
  const std::string& folds = out.word("folds");
  const bool column = folds.starts_with(kFoldColumn);
  if (!column && folds.find_first_not_of("0123456789") != std::string::npos && folds != "loo") {
    throw ConfigError(fmt::format(
        "recipe '{}': --folds must be a number, loo or column:NAME; tuning has its own folds in each part", text));
  }
  if (out.word("groups") != shared.word("groups") || (column && folds != shared.word("folds"))) {
    throw ConfigError(
        fmt::format("recipe '{}': groups of rows are the same for all machines: give --groups or --folds "
                    "column:NAME outside of it",
                    text));
  }
  if (out.flag("nested") || !out.word("resume").empty()) {
    throw ConfigError(fmt::format("recipe '{}': --nested and --resume do not go into a recipe", text));
  }
  if (!kernel_from_name(out.word("kernel")).of_rows) {
    throw ConfigError(fmt::format(
        "recipe '{}': compare trains on parts of the rows, for which --kernel {} has no values; choose another", text,
        out.word("kernel")));
  }
  return out;
}

/// The text of a recipe file: lines that do not start with # are one recipe.
std::string recipe_file(const std::string& path, const MemoryBudget& memory) {
  std::string text;
  for (const std::string& line : read_lines(path, memory)) {
    if (!line.starts_with("#")) text += (text.empty() ? "" : " ") + line;
  }
  return text;
}

struct CompareCommand {
  RunOptions run;
  TableOptions table;
  RecipeOptions shared;
  std::vector<std::string> tables;
  std::vector<std::string> machines;
  std::vector<std::string> with;
  std::string protocol = "5x2cv";
  ResultOutput output;

  const std::string& journal() const { return shared.word("resume"); }

  std::vector<Contestant> contestants(const Execution& execution) const {
    std::vector<std::pair<std::string, std::string>> named;  // name, recipe
    for (const std::string& machine : machines) {
      const bool file = std::filesystem::is_regular_file(machine);
      named.emplace_back(file ? std::filesystem::path(machine).stem().string() : machine,
                         file ? recipe_file(machine, execution.memory) : machine);
    }
    for (const std::string& text : with) named.emplace_back(text, text);
    std::vector<Contestant> out;
    std::vector<NamedFile> written;
    if (!output.report.empty()) written.push_back({"--report", output.report});
    if (!journal().empty()) written.push_back({"--resume", journal()});
    RecipeOptions base = shared;
    base.set_word("resume", "");
    for (const auto& [name, text] : named) {
      for (const Contestant& other : out) {
        if (other.name == name) throw ConfigError(fmt::format("'{}' is there twice; give each machine once", name));
      }
      out.push_back({name, [options = recipe_from_text(base, text, written), execution](const Dataset& data) {
                       return options.plan(execution, DatasetRows(data)).recipe;
                     }});
    }
    return out;
  }

  /// What was done before an interrupt is kept in the journal, if there is one.
  template <class Work>
  Comparison finished(const Program& program, const Work& work) const {
    try {
      return work();
    } catch (const Interrupted&) {
      program.say(journal().empty()
                      ? "nothing was kept: --resume FILE writes every finished trial to a file to go on from"
                      : fmt::format("finished trials are in {}; the same command goes on from there", journal()));
      throw;
    }
  }

  void execute() const {
    Program program(run);
    output.check(run);
    const Execution execution = program.execution();
    if (shared.word("machine") != kAutomaticMachine) throw ConfigError("compare takes --machines a,b,…, not --machine");
    if (shared.flag("nested"))
      throw ConfigError("every error of compare is that of rows not tuned on; leave --nested out");
    const ComparisonProtocol plan = ComparisonProtocol::parse(protocol);
    const auto taking_part = contestants(execution);
    std::vector<Dataset> data;
    for (const std::string& path : tables) {
      if (std::count_if(tables.begin(), tables.end(),
                        [&](const std::string& other) { return same_file(path, other); }) > 1)
        throw ConfigError(fmt::format("{} is there twice; give each table once", path));
      data.push_back(read_dataset(path, table.read_options(execution.memory, shared.fold_column())));
      for (const Words& note : data.back().notes) execution.observer.note(Words(path + ": ") + note);
      data.back().source = std::filesystem::path(path).filename().string();
    }
    program.listen_to_signals();
    const Comparison result = finished(program, [&] {
      return compare(execution, data, taking_part, plan, static_cast<std::uint64_t>(shared.count("seed")), journal());
    });
    output.write(program, run, comparison_json(result));
    program.say(comparison_text(result) + fmt::format("{} in all", format_seconds(result.seconds)));
  }
};

}  // namespace

void add_compare(Tool& app) {
  auto command = std::make_shared<CompareCommand>();
  CLI::App* sub = app.add_subcommand("compare", "Which machine is better, and is the difference real?");
  sub->add_option("DATA", command->tables, "Tables; with two or more, machines are also ranked over all")
      ->type_name("FILE")
      ->required();
  sub->add_option("--machines", command->machines, "Machines (manyone machines) or recipe files, separated by commas")
      ->type_name("MACHINE|FILE")
      ->delimiter(',');
  sub->add_option("--with", command->with,
                  "A machine with options of its own, such as \"vo-lssvm --labelbook mincorr\"; may be repeated")
      ->type_name("RECIPE")
      ->expected(1)
      ->take_all();
  sub->add_option("--protocol", command->protocol,
                  "5x2cv (five halvings, F test), cv[:FOLDS[xREPEATS]] (t test corrected for overlap) or "
                  "holdout[:SHARE] (McNemar's test); machines are tuned inside every training part")
      ->type_name("5x2cv|cv|holdout");
  command->output.declare(*sub, app, false);
  command->table.declare_reading(*sub);
  command->shared.declare(*sub);
  command->run.declare(*sub);
  sub->footer(
      "Example:\n  manyone compare data/iris.csv --machines onelsm,vo-lssvm,svm-ovo\n  manyone compare a.csv b.csv "
      "--machines onelsm,svm-ovo --with \"onelsm --kernel laplacian\" --protocol cv:10x3\nOptions of the recipe hold "
      "for "
      "all machines. A recipe file holds such options as text: --machine onelsm --kernel laplacian");
  sub->callback([command] { command->execute(); });
}

}  // namespace manyone::cli
