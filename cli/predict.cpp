// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/named_files.hpp"
#include "cli/prediction.hpp"
#include "manyone/base/errors.hpp"
#include "manyone/base/numbers.hpp"
#include "manyone/data/row_file.hpp"
#include "manyone/data/table_writer.hpp"
#include "manyone/decoder/decoder.hpp"

namespace manyone::cli {

namespace {

/// A row without a class has nulls for numbers.
void append_rows(Json& rows, const Matrix& m, const std::vector<int>& classes) {
  const auto columns = static_cast<std::size_t>(m.cols());
  for (Index i = 0; i < m.rows(); ++i) {
    const double* const first = m.row(i).data();
    rows.push_back(classes[static_cast<std::size_t>(i)] < 0 ? Json(std::vector<Json>(columns))
                                                            : Json(std::vector<double>(first, first + columns)));
  }
}

struct PredictCommand {
  RunOptions run;
  PredictionInput input;
  std::string output;
  bool scores = false;
  bool proba = false;

  void execute() const {
    if (run.json && !output.empty() && output != "-")
      throw ConfigError("--json writes to stdout; leave -o out and redirect it");
    Program program(run);
    program.listen_to_signals();
    const Classifier classifier = input.classifier();
    if (run.json) {
      write_json(program, classifier);
    } else {
      write_rows(program, classifier);
    }
  }

  void write_rows(const Program& program, const Classifier& classifier) const {
    RowFile out(output);
    std::vector<std::string> names;
    for (const std::string& name : classifier.classes) names.push_back(csv_cell(name));
    if (scores || proba) {
      std::string head = "class";
      for (const auto& [wanted, prefix] : {std::pair{scores, "score:"}, std::pair{proba, "probability:"}}) {
        if (!wanted) continue;
        for (const std::string& name : classifier.classes) head += "," + csv_cell(prefix + name);
      }
      out.write(head + "\n");
    }
    long rows = 0;
    input.for_each_block(program, classifier, {.labels = false}, [&](const Block&, const Matrix& s, const auto& classes) {
      const Matrix p = proba ? softmax(s, classifier.temperature) : Matrix();
      std::string text;
      for (Index i = 0; i < s.rows(); ++i) {
        const int predicted = classes[static_cast<std::size_t>(i)];
        if (predicted >= 0) text += names[static_cast<std::size_t>(predicted)];
        for (const Matrix* columns : {scores ? &s : nullptr, proba ? &p : nullptr}) {
          for (Index c = 0; columns != nullptr && c < columns->cols(); ++c) {
            text += ',';
            if (predicted >= 0) text += format_double((*columns)(i, c));
          }
        }
        text += '\n';
      }
      out.write(text);
      rows += s.rows();
    });
    out.finish();
    if (!out.is_standard_output()) program.say(fmt::format("{} rows predicted, written to {}", rows, output));
  }

  void write_json(const Program& program, const Classifier& classifier) const {
    Json labels = Json::array();
    Json all_scores = Json::array();
    Json all_probabilities = Json::array();
    double bytes = 0;
    input.for_each_block(program, classifier, {.labels = false}, [&](const Block&, const Matrix& s, const auto& classes) {
      // Values, their text and the copy of it that is written; the text alone may take 28 bytes a number.
      constexpr double kLabel = 200;
      constexpr double kNumber = 120;
      bytes += static_cast<double>(s.rows()) * kLabel +
               static_cast<double>(s.size()) * kNumber * ((scores ? 1 : 0) + (proba ? 1 : 0));
      program.execution().memory.require(
          bytes, fmt::format("a JSON document of {} predictions or more", labels.size() + static_cast<std::size_t>(s.rows())),
          "leave out --json (rows are then written as they come) or allow more with --memory");
      for (const int c : classes) {
        labels.push_back(c < 0 ? Json() : Json(classifier.classes[static_cast<std::size_t>(c)]));
      }
      if (scores) append_rows(all_scores, s, classes);
      if (proba) append_rows(all_probabilities, softmax(s, classifier.temperature), classes);
    });
    Json out = {{"labels", std::move(labels)}};
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
  command->run.declare(*sub);
  sub->footer(
      "One class a line; with --scores or --proba a CSV table with a header.\n"
      "Example:\n  manyone predict iris.safetensors data/iris.csv --proba -o predicted.csv");
  sub->callback([command] { command->execute(); });
}

}  // namespace manyone::cli
