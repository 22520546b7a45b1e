// SPDX-License-Identifier: Apache-2.0
#include "studies/command.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/atomic_file.hpp"
#include "base/numbers.hpp"
#include "cli/commands.hpp"
#include "cli/datasets.hpp"
#include "cli/figure_files.hpp"
#include "cli/named_files.hpp"
#include "cli/options.hpp"
#include "manyone/errors.hpp"
#include "result/figures.hpp"
#include "studies/chen.hpp"
#include "studies/code_lengths.hpp"
#include "studies/reproduce.hpp"
#include "studies/stage_times.hpp"
#include "studies/table_findings.hpp"
#include "studies/table_text.hpp"

namespace manyone::cli {

namespace {

constexpr std::string_view kSingle = "honeine-table6";

bool is_trial(const PublishedTable& table) {
  return table.protocol == Protocol::validation || table.protocol == Protocol::codes ||
         table.protocol == Protocol::nested;
}

bool measures_time(const PublishedTable& table) {
  return table.protocol == Protocol::times || table.protocol == Protocol::stages;
}

std::string whole_text(const std::string& path) {
  const auto source = open_bytes(path);
  std::string out;
  std::array<char, 65536> block;
  while (const std::size_t size = source->read(block)) out.append(block.data(), size);
  return out;
}

/// A file and, where there is one, that of the test rows behind it. They are read as one, so that words become the same
/// features in both.
Dataset read_whole(const std::string& path, const std::string& test_path, const ReadOptions& options) {
  if (test_path.empty()) return read_dataset(path, options);
  std::string text = whole_text(path);
  const std::string test = whole_text(test_path);
  if (!text.empty() && text.back() != '\n') text += '\n';
  text += test.substr(std::min(test.size(), test.find('\n') + 1));  // without its header
  return read_dataset(bytes_in_memory(std::move(text), path), options);
}

void make_folder(const std::string& path) {
  std::error_code failure;
  std::filesystem::create_directories(path, failure);
  if (!std::filesystem::is_directory(path))
    throw InputError(Place{path}, "expected a folder for the pictures, and it cannot be made");
}

/// What a run leaves to be shown.
struct Outcome {
  Json json;
  std::vector<std::string> texts;
  bool interrupted = false;
};

Outcome outcome_of(const Reproduction& result) {
  Outcome out{reproduction_json(result), {}, result.interrupted};
  out.texts = {result.table->protocol == Protocol::times ? times_text(result) : errors_text(result),
               spread_text(result), pairs_text(result), ranks_text(result), remarks_text(result)};
  return out;
}

struct ReproduceCommand {
  RunOptions run;
  std::string command;  ///< the line it was called with
  std::string name;
  std::vector<std::string> machines;
  std::vector<std::string> sets;
  std::optional<int> repeats;
  std::optional<std::int64_t> seed;
  std::optional<Index> rows;
  std::string output;

  void execute() const {
    const Stopwatch total;
    const PublishedTable& table = published_table(name);
    refuse_what_is_not_used(table);
    const ReproduceChoice choice = choose_part(table, machines, sets);
    if (table.protocol == Protocol::lengths && !output.empty()) make_folder(output);
    Program program(run);
    std::vector<std::string> absent;
    const std::vector<FoundSet> found = load(program, choice, absent);
    if (!output.empty()) drawing_program();  // that there is none is known before the work
    program.listen_to_signals();
    program.say(fmt::format("{}\n{}\n{}\n", table.source, table.title, protocol(table)));
    const Outcome result = compute(program, choice, found);
    if (run.json) {
      Json out = result_head("reproduce", command);
      out.update(document(result.json, choice, absent, total.seconds()));
      program.print(out);
    }
    for (const std::string& text : result.texts) {
      if (!text.empty()) program.say(text);
    }
    if (!absent.empty()) program.say(fmt::format("no data here: {}", fmt::join(absent, ", ")));
    if (!choice.left_out.empty()) program.say(fmt::format("not in this version: {}", fmt::join(choice.left_out, ", ")));
    program.say(fmt::format("{}{} in all", result.interrupted ? "interrupted, the table is incomplete; " : "",
                            format_seconds(total.seconds())));
    std::fflush(stdout);
    if (result.interrupted) throw Interrupted();
  }

  void refuse_what_is_not_used(const PublishedTable& table) const {
    if (!output.empty() && table.protocol != Protocol::figure && table.protocol != Protocol::lengths)
      throw ConfigError("only noumir-iris and chen-figures draw pictures; leave --output out");
    if (measures_time(table) && (repeats || seed))
      throw ConfigError(
          fmt::format("{} measures time and draws nothing at random; leave --repeats and --seed out", name));
    if (table.protocol == Protocol::codes && repeats)
      throw ConfigError(fmt::format("{} compares the predictions of one partition; leave --repeats out", name));
    if (rows && !is_trial(table))
      throw ConfigError(fmt::format("{} takes the rows of the paper; leave --rows out", name));
  }

  /// Repeats of the papers; the splits of the figure cost nothing.
  int repeat_count() const {
    const PublishedTable& table = published_table(name);
    if (table.protocol == Protocol::figure) return repeats.value_or(100);
    if (table.protocol == Protocol::settings) return repeats.value_or(20);
    if (table.protocol == Protocol::lengths) return repeats.value_or(6);
    return repeats.value_or(name == kSingle || is_trial(table) ? 1 : 10);
  }
  TrialOptions trial_options() const { return {repeat_count(), seed_value(), rows}; }
  std::uint64_t seed_value() const { return static_cast<std::uint64_t>(seed.value_or(1)); }

  std::string protocol(const PublishedTable& table) const {
    if (is_trial(table)) return trial_protocol(table, trial_options());
    if (table.protocol == Protocol::times)
      return "ours: one training at sigma 1 and ridge 1, the median of 3; the paper timed a whole search, so compare "
             "the "
             "ratios";
    if (table.protocol == Protocol::settings)
      return fmt::format(
          "ours: at the paper's parameters, features standardised by the training rows; errors on the test file, or "
          "the "
          "mean over the folds of {} stratified partition{} into 10, seed {}",
          repeat_count(), repeat_count() == 1 ? "" : "s", seed_value());
    if (table.protocol == Protocol::stages)
      return "ours: at the paper's parameters, features standardised by the training rows";
    if (table.protocol == Protocol::lengths)
      return fmt::format(
          "ours: one regression, Fisher's discriminant on the outputs for the first columns of each code; {} random "
          "code{}, seed {}",
          repeat_count(), repeat_count() == 1 ? "" : "s", seed_value());
    if (table.protocol == Protocol::figure)
      return fmt::format("ours: sigma 0.6, ridge 100, mean [best, worst] over {} random splits, seed {}",
                         repeat_count(), seed_value());
    return fmt::format(
        "ours: smallest 10-fold error over a 9 x 9 grid (sigma and ridge or cost, 2^-4..2^4), {} random partition{}, "
        "seed "
        "{};\nfeatures scaled to -1..1 by all rows, where the paper scaled each training part (the closed form needs "
        "one "
        "scaling)",
        repeat_count(), repeat_count() == 1 ? "" : "s", seed_value());
  }

  /// The data sets that are there. Those that are not are named and skipped, unless they were asked for.
  std::vector<FoundSet> load(const Program& program, const ReproduceChoice& choice,
                             std::vector<std::string>& absent) const {
    std::vector<FoundSet> found;
    std::vector<std::string> files;
    for (const std::size_t place : choice.sets) {
      const PublishedSet& set = choice.table->sets[place];
      const auto path = find_table(set.table);
      const auto test_path = set.test.empty() ? std::optional<std::string>("") : find_table(set.test);
      if (!path || !test_path) {
        absent.push_back(set.name);
        files.push_back((path ? set.test : set.table) + ".csv");
        continue;
      }
      if (!output.empty()) {
        refuse_overwriting({{"--output", output}}, {{set.name, *path}, {set.name, *test_path}});
      }
      ReadOptions options;
      options.memory = program.execution().memory;
      options.keep_identifiers = true;  // the papers' columns
      if (set.nominal) {
        options.missing = MissingPolicy::indicator;
        for (Index k = 1; k <= set.features; ++k) options.nominal.push_back(fmt::format("{}", k));
      }
      auto [train, test] = train_and_test(set, as_published(set, read_whole(*path, *test_path, options)));
      found.push_back({place, std::move(train), std::move(test)});
      const std::string difference = shape_difference(set, found.back().data);
      if (!difference.empty()) program.observer().note(difference);
    }
    if (absent.empty()) return found;
    const std::string message =
        fmt::format("no {} in ./data, the data cache and $MANYONE_DATA", fmt::join(files, ", "));
    if (found.empty() || !sets.empty())
      throw InputError(message + "; put the tables into a folder and set MANYONE_DATA to it");
    program.observer().note(fmt::format("{}: left out {}", message, fmt::join(absent, ", ")));
    return found;
  }

  Outcome compute(const Program& program, const ReproduceChoice& choice, const std::vector<FoundSet>& found) const {
    const Execution execution = program.execution();
    switch (choice.table->protocol) {
      case Protocol::validation:
      case Protocol::codes:
      case Protocol::nested: return outcome_of(reproduce_trials(execution, choice, found, trial_options()));
      case Protocol::times: return outcome_of(reproduce_times(execution, choice, found));
      case Protocol::figure: return iris_figure(program, choice, found);
      case Protocol::settings:
        return outcome_of(reproduce_settings(execution, choice, found, repeat_count(), seed_value()));
      case Protocol::stages: {
        const StageTimes times = reproduce_stages(execution, choice, found);
        return {stages_json(times), {stages_text(times)}, times.interrupted};
      }
      case Protocol::lengths: return code_figures(program, choice, found);
      case Protocol::gridmin: break;
    }
    return outcome_of(reproduce_errors(execution, choice, found, repeat_count(), seed_value()));
  }

  Outcome iris_figure(const Program& program, const ReproduceChoice& choice, const std::vector<FoundSet>& found) const {
    const IrisFigure figure =
        reproduce_iris_figure(program.execution(), choice, found.front().data, repeat_count(), seed_value());
    Outcome out = outcome_of(figure.errors);
    out.json["classes"] = figure.points.classes;
    Json& regions = out.json["figures"]["regions"];
    regions = regions_json(program.backend(), figure.model, figure.points, std::array<Index, 2>{0, 1});
    regions["features"] = {"sepal length in cm", "petal width in cm"};
    const auto paths = draw(program, out, {output.empty() ? "noumir-iris.svg" : output});
    if (!paths.empty()) out.json["picture"] = paths.front();
    return out;
  }

  /// Pictures go into the folder --output.
  Outcome code_figures(const Program& program, const ReproduceChoice& choice,
                       const std::vector<FoundSet>& found) const {
    const CodeFigures figures =
        reproduce_code_lengths(program.execution(), choice, found, repeat_count(), seed_value());
    Outcome out{code_lengths_json(figures), {code_lengths_text(figures)}, figures.interrupted};
    std::vector<std::string> paths;
    const auto add = [&](const std::string& set, const std::string& what) {
      const std::filesystem::path folder = output.empty() ? "." : output;
      paths.push_back((folder / fmt::format("chen-{}-{}.svg", set, what)).lexically_normal().string());
    };
    for (const CodeLengths& one : figures.sets) add(choice.table->sets[one.set].name, "lengths");
    for (const Json& view : out.json["views"]) add(view["dataset"], view["code"].get<std::string>());
    if (!figures.interrupted) out.json["pictures"] = draw(program, out, paths);
    return out;
  }

  /// Writes the figures of a result, in its order, to these paths, and says so. Without node there are none, which is
  /// an error for those who asked for them.
  std::vector<std::string> draw(const Program& program, Outcome& out, const std::vector<std::string>& paths) const {
    try {
      drawing_program();
    } catch (const BackendError& error) {
      program.observer().note(error.complaint().words());
      return {};
    }
    Json result = result_head("reproduce", command);
    result.update(out.json);
    const std::vector<NamedFigure> figures = draw_figures(result, name);
    for (std::size_t k = 0; k < paths.size(); ++k) write_file_atomically(paths[k], figures.at(k).svg);
    out.texts.push_back(fmt::format("figures are in {}", fmt::join(paths, ", ")));
    return paths;
  }

  Json document(Json out, const ReproduceChoice& choice, const std::vector<std::string>& absent, double seconds) const {
    if (!measures_time(*choice.table)) {
      out["repeats"] = repeat_count();
      out["seed"] = seed_value();
    }
    out["absent"] = absent;
    out["left_out"] = choice.left_out;
    out["seconds"] = seconds;
    return out;
  }
};

}  // namespace

void add_reproduce(Tool& app) {
  auto command = std::make_shared<ReproduceCommand>();
  command->command = app.command;
  CLI::App* sub = app.add_subcommand("reproduce", "A published table beside ours");
  sub->add_option(
         "TABLE", command->name,
         "honeine-table4, honeine-table5, honeine-table6, noumir-iris, elyaniv-table2, hsu-lin, rifkin-tables, "
         "chen-table3, chen-tables4-5 or chen-figures")
      ->type_name("PUBLISHED")
      ->required();
  const std::string group = "What";
  sub->add_option("--machines", command->machines, "Machines of the table, such as onelsm,vo-lssvm; default: all")
      ->type_name("MACHINE")
      ->delimiter(',')
      ->group(group);
  sub->add_option("--datasets", command->sets, "Data sets of the table, such as iris,wine; default: all that are found")
      ->type_name("NAME")
      ->delimiter(',')
      ->group(group);
  sub->add_option("--repeats", command->repeats,
                  "Random partitions (default 10 for honeine-table4, 20 for chen-table3, else 1), splits (100 for "
                  "noumir-iris) or codes (6 for chen-figures)")
      ->check(CLI::Range(1, 10000))
      ->group(group);
  sub->add_option("--rows", command->rows,
                  "Rows to train on at most; 0: all (elyaniv-table2, hsu-lin, rifkin-tables; default: what ends in "
                  "minutes, as the output says)")
      ->check(whole_number())
      ->group(group);
  sub->add_option("--seed", command->seed, "Seed of the partitions; default 1")->check(whole_number())->group(group);
  writes_file(sub->add_option("-o,--output", command->output,
                              "Picture of noumir-iris (default noumir-iris.svg), or folder for those of chen-figures "
                              "(default: this one)")
                  ->type_name("FILE|FOLDER")
                  ->group(group));
  command->run.declare(*sub);
  sub->footer(
      "Example:\n  manyone reproduce honeine-table4 --machines onelsm,vo-lssvm --datasets iris,wine\n"
      "  manyone reproduce noumir-iris --output regions.svg\n"
      "  manyone reproduce rifkin-tables --datasets glass --machines svm-ova,svm-ava,rlsc-ova\n"
      "  manyone reproduce chen-table3 --datasets iris,wine,glass\n"
      "  manyone reproduce chen-figures --output pictures");
  sub->callback([command] { command->execute(); });
}

}  // namespace manyone::cli
