// SPDX-License-Identifier: Apache-2.0
//
// Tables from one format to another: nominal columns and missing values become numbers as in training, and with a model
// by its own columns, scaled as it does or not.
#include <filesystem>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/printable.hpp"
#include "cli/commands.hpp"
#include "cli/named_files.hpp"
#include "cli/options.hpp"
#include "cli/printing.hpp"
#include "data/row_file.hpp"
#include "data/table_writer.hpp"
#include "manyone/errors.hpp"
#include "model/model.hpp"

namespace manyone::cli {

namespace {

/// Rows in one of the two formats.
class TableText {
 public:
  TableText(const std::string& path, bool libsvm, std::vector<std::string> classes)
      : out_(path),
        libsvm_(libsvm),
        classes_(std::move(classes)),
        labels_(libsvm ? libsvm_labels(classes_) : classes_) {
    if (libsvm) return;
    for (std::string& label : labels_) label = csv_cell(label);
  }

  /// The line of names of a CSV file.
  void head(const Schema& schema, bool labelled) {
    if (libsvm_) return;
    std::string line;
    for (const std::string& name : schema.feature_names()) line += csv_cell(name) + ",";
    if (labelled) line += csv_cell(schema.target.empty() ? "class" : schema.target) + ",";
    if (!line.empty()) line.back() = '\n';
    out_.write(line);
  }

  /// `labels`: class of each row; empty: there are none, which is 0 for LIBSVM.
  void add(const Features& rows, std::span<const int> labels) {
    static const std::string none = "0";
    std::string text;
    for (Index i = 0; i < rows.rows(); ++i) {
      const std::string* label =
          labels.empty() ? nullptr : &labels_[static_cast<std::size_t>(labels[static_cast<std::size_t>(i)])];
      if (libsvm_) {
        append_libsvm_row(text, label != nullptr ? *label : none, rows, i);
      } else {
        append_csv_row(text, rows, i, label != nullptr ? std::optional(*label) : std::nullopt);
      }
      constexpr std::size_t kEnough = std::size_t{1} << 20;
      if (text.size() > kEnough) {
        out_.write(text);
        text.clear();
      }
    }
    out_.write(text);
    rows_ += rows.rows();
  }

  void finish() { out_.finish(); }
  bool is_standard_output() const { return out_.is_standard_output(); }
  Index rows() const { return rows_; }
  /// Numbers stand for the classes.
  bool renamed() const { return libsvm_ && labels_ != classes_; }
  const std::vector<std::string>& classes() const { return classes_; }
  const std::vector<std::string>& labels() const { return labels_; }

 private:
  RowFile out_;
  bool libsvm_;
  std::vector<std::string> classes_;
  std::vector<std::string> labels_;
  Index rows_ = 0;
};

struct ConvertCommand {
  RunOptions run;
  TableOptions table;
  std::string output;
  std::string to = "auto";
  std::string scale_by;
  std::string encode_by;

  bool writes_libsvm() const {
    if (to != "auto") return to == "libsvm";
    std::filesystem::path name = output;
    if (name.extension() == ".gz") name = name.stem();
    const std::string ending = name.extension().string();
    if (ending == ".csv") return false;
    if (ending == ".svm" || ending == ".libsvm" || ending == ".scale") return true;
    throw ConfigError(
        fmt::format("the format of '{}' is not known from its ending; name it .svm or .csv, or use --to", output));
  }

  void execute() const {
    const bool libsvm = writes_libsvm();
    if (run.json && is_standard_output(output))
      throw ConfigError("--json writes to stdout; give -o a file for the rows");
    Program program(run);
    if (scale_by.empty() && encode_by.empty()) {
      convert_table(program, libsvm);
    } else {
      convert_by_model(program, libsvm);
    }
  }

  void convert_table(const Program& program, bool libsvm) const {
    const Dataset data = read_dataset(table.path, table.read_options(program.execution().memory, ""));
    for (const Words& note : data.notes) program.observer().note(note);
    TableText text(output, libsvm, data.classes);
    text.head(data.schema, true);
    text.add(data.features, data.labels);
    finish(program, text, data.features.features(), data.dropped);
  }

  void convert_by_model(Program& program, bool libsvm) const {
    refuse_own_columns();
    program.listen_to_signals();
    const Model classifier = Model::load(scale_by.empty() ? encode_by : scale_by);
    const ClassIndex classes(classifier.classes);
    BlockOptions options;
    options.format = format_from_name(table.format);
    options.header = header_from_name(table.header);
    options.memory = program.execution().memory;
    options.decimal_comma = decimal_comma_from_name(table.decimal);
    options.strict = program.strict();
    options.drop_missing = false;
    BlockReader reader(table.path, classifier.schema, options);
    TableText text(output, libsvm, classifier.classes);
    text.head(classifier.schema, reader.has_target());
    Block block;
    std::vector<int> labels;
    while (reader.next(block)) {
      program.execution().interrupt.check();
      labels.clear();
      for (const std::string& name : block.labels) {
        const auto known = classes.find(name);
        if (!known) {
          throw InputError(Place{table.path}, fmt::format("row {}: class '{}' is not one the model knows ({})",
                                                          block.first_row + std::ssize(labels) + 1, name,
                                                          fmt::join(classifier.classes, ", ")));
        }
        labels.push_back(*known);
      }
      if (!scale_by.empty()) classifier.scaling.apply(block.features);
      text.add(block.features, labels);
    }
    for (const Words& note : reader.notes()) program.observer().note(note);
    if (text.rows() == 0) throw InputError(Place{table.path}, "expected rows to convert, found none; check the file");
    finish(program, text, classifier.expansion.features(), 0);
  }

  /// The model knows its columns.
  void refuse_own_columns() const {
    if (table.target.empty() && table.nominal.empty() && table.ignore.empty() && !table.keep_identifiers &&
        table.missing == "error")
      return;
    throw ConfigError(
        "--target, --nominal, --ignore, --keep-ids and --missing are the model's own with --scale-by and --encode-by; "
        "leave them out");
  }

  void finish(const Program& program, TableText& text, Index features, Index dropped) const {
    text.finish();
    if (dropped > 0) program.observer().note(fmt::format("{} rows have missing values and were left out", dropped));
    if (run.json) {
      program.print(Json{{"source", table.path},
                         {"file", output},
                         {"format", writes_libsvm() ? "libsvm" : "csv"},
                         {"n", text.rows()},
                         {"d", features},
                         {"classes", text.classes()},
                         {"labels", writes_libsvm() ? text.labels() : text.classes()}});
    }
    std::string said = fmt::format("{} rows, {} features written to {}\n", text.rows(), features, output);
    if (text.renamed()) {
      said += fmt::format("labels of LIBSVM are numbers: 1 to {} stand for {}\n", text.labels().size(),
                          fmt::join(text.classes(), ", "));
    }
    if (!run.quiet)
      print(run.json || text.is_standard_output() ? stderr : stdout, printable_lines(said));  // never among the rows
  }
};

}  // namespace

void add_convert(Tool& app) {
  auto command = std::make_shared<ConvertCommand>();
  CLI::App* sub = app.add_subcommand("convert", "A table as LIBSVM or CSV rows of numbers, every digit kept");
  sub->add_option("DATA", command->table.path, "Table: CSV, TSV, LIBSVM, ARFF or IDX, also .gz; - for stdin")
      ->type_name("FILE")
      ->required();
  writes_file(sub->add_option("-o,--output", command->output,
                              "File to write: .svm for LIBSVM, .csv for CSV, packed with .gz behind that; - for stdout")
                  ->type_name("FILE")
                  ->required());
  sub->add_option("--to", command->to, "auto (by the ending), libsvm or csv")
      ->check(CLI::IsMember({"auto", "libsvm", "csv"}));
  auto* scaled = sub->add_option("--scale-by", command->scale_by,
                                 "Model file: columns and classes as the model knows them, values scaled as it does")
                     ->type_name("FILE");
  sub->add_option("--encode-by", command->encode_by,
                  "Model file: the same, not scaled: what its exports to ONNX and C++ take")
      ->type_name("FILE")
      ->excludes(scaled);
  command->table.declare_reading(*sub);
  command->run.declare(*sub);
  sub->footer(
      "Nominal columns become 0/1 features. LIBSVM's labels are numbers: classes that are not are counted from 1.\n"
      "Example:\n  manyone convert data/iris.csv -o iris.svm\n"
      "  manyone convert data/iris.csv --scale-by iris.safetensors -o iris.svm");
  sub->callback([command] { command->execute(); });
}

}  // namespace manyone::cli
