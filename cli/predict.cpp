// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "cli/commands.hpp"
#include "cli/named_files.hpp"
#include "cli/prediction.hpp"
#include "data/row_file.hpp"
#include "data/table_writer.hpp"
#include "decoder/decoder.hpp"
#include "manyone/errors.hpp"

namespace manyone::cli {

namespace {

/// The numbers of a row; of one without a class nothing.
Json row_json(const Matrix& m, std::optional<Index> i) {
  if (!i) return std::vector<Json>(static_cast<std::size_t>(m.cols()));
  return std::vector<double>(m.row(*i).data(), m.row(*i).data() + m.cols());
}

/// Calls use(t, i) for the rows of a block in the order of the table: t counts all of them, i those with scores; for a
/// row that was left out or has no class i is nothing.
template <class Use>
void for_each_row(const Block& block, const std::vector<int>& classes, const Use& use) {
  Index t = 0;
  std::size_t i = 0;
  const auto next = [&] {
    use(t++, classes[i] < 0 ? std::optional<Index>() : std::optional(static_cast<Index>(i)));
    ++i;
  };
  for (const Index dropped : block.dropped) {
    while (block.first_row + t < dropped) next();
    use(t++, std::optional<Index>());
  }
  while (i < classes.size()) next();
}

struct PredictCommand {
  RunOptions run;
  PredictionInput input;
  std::string output;
  std::vector<std::string> keep;
  bool scores = false;
  bool proba = false;

  void execute() const {
    if (run.json && !output.empty() && !is_standard_output(output))
      throw ConfigError("--json writes to stdout; leave -o out and redirect it");
    Program program(run);
    program.listen_to_signals();
    const Model classifier = input.classifier();
    if (run.json) {
      write_json(program, classifier);
    } else {
      write_rows(program, classifier);
    }
  }

  BlockOptions block_options() const {
    BlockOptions options;
    options.labels = false;
    options.keep = keep;
    return options;
  }

  void write_rows(const Program& program, const Model& classifier) const {
    RowFile out(output);
    std::vector<std::string> names;
    for (const std::string& name : classifier.classes) names.push_back(csv_cell(name));
    const auto write_head = [&](const std::vector<std::string>& kept) {
      if (!scores && !proba && kept.empty()) return;
      std::string head;
      for (const std::string& name : kept) head += csv_cell(name) + ",";
      head += std::ranges::find(kept, "class") == kept.end() ? "class" : "predicted";
      for (const auto& [wanted, prefix] : {std::pair{scores, "score:"}, std::pair{proba, "probability:"}}) {
        if (!wanted) continue;
        for (const std::string& name : classifier.classes) head += "," + csv_cell(prefix + name);
      }
      out.write(head + "\n");
    };
    long rows = 0;
    long dropped = 0;
    const auto write_block = [&](const Block& block, const Matrix& s, const std::vector<int>& classes) {
      const Matrix p = proba ? softmax(s, classifier.temperature) : Matrix();
      std::string text;
      for_each_row(block, classes, [&](Index t, std::optional<Index> i) {
        if (!block.kept.empty()) {
          for (const std::string& cell : block.kept[static_cast<std::size_t>(t)]) text += csv_cell(cell) + ",";
        }
        if (i) text += names[static_cast<std::size_t>(classes[static_cast<std::size_t>(*i)])];
        for (const Matrix* columns : {scores ? &s : nullptr, proba ? &p : nullptr}) {
          for (Index c = 0; columns != nullptr && c < columns->cols(); ++c) {
            text += ',';
            if (i) text += format_double((*columns)(*i, c));
          }
        }
        text += '\n';
      });
      out.write(text);
      rows += s.rows();
      dropped += std::ssize(block.dropped);
    };
    input.for_each_block(program, classifier, block_options(), write_block, write_head);
    out.finish();
    note_dropped(program, dropped);
    if (!out.is_standard_output()) program.say(fmt::format("{} rows predicted, written to {}", rows, output));
  }

  static void note_dropped(const Program& program, long dropped) {
    if (dropped == 0) return;
    program.observer().note(fmt::format(
        "{} {} missing values and no class (a model trained with --missing mean or indicator has one for them)",
        dropped, dropped == 1 ? "row has" : "rows have"));
  }

  void write_json(const Program& program, const Model& classifier) const {
    Json labels = Json::array();
    Json all_scores = Json::array();
    Json all_probabilities = Json::array();
    Json all_kept = Json::object();
    std::vector<std::string> kept;
    long dropped = 0;
    double bytes = 0;
    const auto add_block = [&](const Block& block, const Matrix& s, const std::vector<int>& classes) {
      // Values, their text and the copy of it that is written; the text alone may take 28 bytes a number.
      constexpr double kLabel = 200;
      constexpr double kNumber = 120;
      bytes += static_cast<double>(s.rows()) * kLabel * static_cast<double>(1 + kept.size()) +
               static_cast<double>(s.size()) * kNumber * ((scores ? 1 : 0) + (proba ? 1 : 0));
      program.execution().memory.require(
          bytes,
          fmt::format("a JSON document of {} predictions or more", labels.size() + static_cast<std::size_t>(s.rows())),
          "leave out --json (rows are then written as they come) or allow more with --memory");
      const Matrix p = proba ? softmax(s, classifier.temperature) : Matrix();
      for_each_row(block, classes, [&](Index t, std::optional<Index> i) {
        for (std::size_t k = 0; k < kept.size(); ++k)
          all_kept[kept[k]].push_back(block.kept[static_cast<std::size_t>(t)][k]);
        labels.push_back(i ? Json(classifier.classes[static_cast<std::size_t>(classes[static_cast<std::size_t>(*i)])])
                           : Json());
        if (scores) all_scores.push_back(row_json(s, i));
        if (proba) all_probabilities.push_back(row_json(p, i));
      });
      dropped += std::ssize(block.dropped);
    };
    input.for_each_block(program, classifier, block_options(), add_block,
                         [&](const std::vector<std::string>& names) { kept = names; });
    note_dropped(program, dropped);
    Json out = {{"labels", std::move(labels)}};
    if (!kept.empty()) out["kept"] = std::move(all_kept);
    if (scores) out["scores"] = std::move(all_scores);
    if (proba) out["probabilities"] = std::move(all_probabilities);
    out["classes"] = classifier.classes;
    program.print(out);
  }
};

}  // namespace

void add_predict(Tool& app) {
  auto command = std::make_shared<PredictCommand>();
  CLI::App* sub = app.add_subcommand("predict", "The class of every row of a table");
  command->input.declare(*sub);
  writes_file(sub->add_option("-o,--output", command->output,
                              "File to write, packed if it ends in .gz; default, as with -: stdout")
                  ->type_name("FILE"));
  sub->add_flag("--scores", command->scores, "Add a column of scores per class (larger = more likely)");
  sub->add_flag("--proba", command->proba, "Add a column of calibrated probabilities per class");
  sub->add_option("--keep", command->keep, "Columns of the table (names or numbers) to write in front of the class")
      ->type_name("COLUMN")
      ->delimiter(',');
  command->run.declare(*sub);
  sub->footer(
      "One class a line; with --scores, --proba or --keep a CSV table with a header.\n"
      "Example:\n  manyone predict iris.safetensors data/iris.csv --proba -o predicted.csv");
  sub->callback([command] { command->execute(); });
}

}  // namespace manyone::cli
