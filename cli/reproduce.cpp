// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands.hpp"
#include "cli/datasets.hpp"
#include "cli/options.hpp"
#include "manyone/base/atomic_file.hpp"
#include "manyone/base/errors.hpp"
#include "manyone/base/numbers.hpp"
#include "manyone/report/comparison_text.hpp"
#include "manyone/report/regions_svg.hpp"
#include "manyone/report/reproduce.hpp"
#include "manyone/report/reproduction_text.hpp"

namespace manyone::cli {

namespace {

constexpr std::string_view kSingle = "honeine-table6";

bool is_trial(const PublishedTable& table) {
  return table.protocol == Protocol::validation || table.protocol == Protocol::codes ||
         table.protocol == Protocol::nested;
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

struct ReproduceCommand {
  RunOptions run;
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
    Program program(run);
    std::vector<std::string> absent;
    const std::vector<FoundSet> found = load(program, choice, absent);
    program.listen_to_signals();
    program.say(fmt::format("{}\n{}\n{}\n", table.source, table.title, protocol(table)));
    Json picture;
    const Reproduction result = compute(program, choice, found, picture);
    if (run.json) program.print(document(result, choice, absent, picture, total.seconds()));
    program.say(table.protocol == Protocol::times ? times_text(result) : errors_text(result));
    for (const std::string& text :
         {spread_text(result), pairs_text(result), ranks_text(result), remarks_text(result)}) {
      if (!text.empty()) program.say(text);
    }
    if (!absent.empty()) program.say(fmt::format("no data here: {}", fmt::join(absent, ", ")));
    if (!choice.left_out.empty()) program.say(fmt::format("not in this version: {}", fmt::join(choice.left_out, ", ")));
    if (!picture.is_null()) program.say(fmt::format("decision regions are in {}", picture.get<std::string>()));
    program.say(fmt::format("{}{} in all", result.interrupted ? "interrupted, the table is incomplete; " : "",
                            format_seconds(total.seconds())));
    std::fflush(stdout);
    if (result.interrupted) throw Interrupted();
  }

  void refuse_what_is_not_used(const PublishedTable& table) const {
    if (!output.empty() && table.protocol != Protocol::figure)
      throw ConfigError("only noumir-iris draws a picture; leave --output out");
    if (table.protocol == Protocol::times && (repeats || seed))
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
      ReadOptions options;
      options.memory = program.execution().memory;
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

  Reproduction compute(const Program& program, const ReproduceChoice& choice, const std::vector<FoundSet>& found,
                       Json& picture) const {
    const Protocol protocol = choice.table->protocol;
    if (is_trial(*choice.table)) return reproduce_trials(program.execution(), choice, found, trial_options());
    if (protocol == Protocol::times) return reproduce_times(program.execution(), choice, found);
    if (protocol != Protocol::figure)
      return reproduce_errors(program.execution(), choice, found, repeat_count(), seed_value());
    IrisFigure figure =
        reproduce_iris_figure(program.execution(), choice, found.front().data, repeat_count(), seed_value());
    picture = draw(program, figure);
    return std::move(figure.errors);
  }

  /// Writes the picture and returns its path.
  std::string draw(const Program& program, const IrisFigure& figure) const {
    const std::string path = output.empty() ? "noumir-iris.svg" : output;
    const PublishedRow& row = *figure.errors.cells.front().row;
    const RegionsLabels labels{
        fmt::format("Iris: classes predicted by {}", row.name),
        fmt::format("Regions of sepal length and petal width in which {} predicts each of the {} species, with the {} "
                    "training rows as points",
                    row.name, figure.points.class_count(), figure.points.rows()),
        {"sepal length in cm", "petal width in cm"}};
    const std::string svg = regions_svg(program.backend(), figure.model, figure.points, labels);
    const auto bytes = std::as_bytes(std::span(svg.data(), svg.size()));
    write_file_atomically(path, std::span(&bytes, 1));
    return path;
  }

  Json document(const Reproduction& result, const ReproduceChoice& choice, const std::vector<std::string>& absent,
                const Json& picture, double seconds) const {
    Json out = reproduction_json(result);
    if (choice.table->protocol != Protocol::times) {
      out["repeats"] = repeat_count();
      out["seed"] = seed_value();
    }
    out["absent"] = absent;
    out["left_out"] = choice.left_out;
    if (!picture.is_null()) out["picture"] = picture;
    out["seconds"] = seconds;
    return out;
  }
};

}  // namespace

void add_reproduce(CLI::App& app) {
  auto command = std::make_shared<ReproduceCommand>();
  CLI::App* sub = app.add_subcommand("reproduce", "A published table beside ours");
  sub->add_option(
         "TABLE", command->name,
         "honeine-table4, honeine-table5, honeine-table6, noumir-iris, elyaniv-table2, hsu-lin or rifkin-tables")
      ->required();
  const std::string group = "What";
  sub->add_option("--machines", command->machines, "Machines of the table, such as onelsm,vo-lssvm; default: all")
      ->delimiter(',')
      ->group(group);
  sub->add_option("--datasets", command->sets, "Data sets of the table, such as iris,wine; default: all that are found")
      ->delimiter(',')
      ->group(group);
  sub->add_option("--repeats", command->repeats,
                  "Random partitions (default 10 for honeine-table4, else 1) or splits (100 for noumir-iris)")
      ->check(CLI::Range(1, 10000))
      ->group(group);
  sub->add_option("--rows", command->rows,
                  "Rows to train on at most; 0: all (elyaniv-table2, hsu-lin, rifkin-tables; default: what ends in "
                  "minutes, as the output says)")
      ->check(CLI::NonNegativeNumber)
      ->group(group);
  sub->add_option("--seed", command->seed, "Seed of the partitions; default 1")
      ->check(CLI::NonNegativeNumber)
      ->group(group);
  sub->add_option("-o,--output", command->output, "Picture of noumir-iris; default noumir-iris.svg")->group(group);
  command->run.declare(*sub);
  sub->footer(
      "Example:\n  manyone reproduce honeine-table4 --machines onelsm,vo-lssvm --datasets iris,wine\n"
      "  manyone reproduce noumir-iris --output regions.svg\n"
      "  manyone reproduce rifkin-tables --datasets glass --machines svm-ova,svm-ava,rlsc-ova");
  sub->callback([command] { command->execute(); });
}

}  // namespace manyone::cli
