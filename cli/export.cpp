// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/atomic_file.hpp"
#include "base/numbers.hpp"
#include "cli/commands.hpp"
#include "cli/named_files.hpp"
#include "cli/options.hpp"
#include "data/table_writer.hpp"
#include "manyone/errors.hpp"
#include "model/cpp_header.hpp"
#include "model/libsvm_model.hpp"
#include "model/onnx.hpp"

namespace manyone::cli {

namespace {

/// A file to be written, and what is said of it.
struct ExportedFile {
  std::string path;
  std::string bytes;
  std::vector<std::string> lines;
  Json entry;
};

struct ExportCommand {
  RunOptions run;
  std::string model;
  std::string onnx;
  std::string header;
  std::string libsvm;
  bool float32 = false;

  void execute() const {
    if (onnx.empty() && header.empty() && libsvm.empty()) {
      throw ConfigError("export needs a form and a file: --onnx FILE, --cpp FILE or --libsvm FILE, or several of them");
    }
    if (float32 && onnx.empty()) throw ConfigError("--float32 goes with --onnx; other forms hold every digit");
    const Program program(run);
    const Model classifier = Model::load(model);
    // All of them before the first is written: one that cannot be made leaves nothing behind.
    std::vector<ExportedFile> files;
    if (!onnx.empty()) files.push_back(onnx_file(classifier));
    if (!header.empty()) files.push_back(header_file(classifier));
    if (!libsvm.empty()) files.push_back(libsvm_file(program, classifier));
    Json written = Json::array();
    for (const ExportedFile& file : files) {
      write_file_atomically(file.path, file.bytes);
      for (const std::string& line : file.lines) program.say(line);
      written.push_back(file.entry);
    }
    if (run.json) {
      program.print(Json{{"model", model},
                         {"classes", classifier.classes},
                         {"features", classifier.schema.feature_names()},
                         {"written", std::move(written)}});
    }
  }

  ExportedFile onnx_file(const Model& classifier) const {
    std::string bytes = onnx_bytes(classifier, {float32, MANYONE_VERSION});
    const std::string type = float32 ? "float32" : "float64";
    const std::string label = has_integer_classes(classifier) ? "int64" : "string";
    const std::string line = fmt::format(
        "ONNX model written to {} ({}): input features (rows x {}, {}), outputs label ({}), scores, probabilities",
        onnx, format_bytes(bytes.size()), classifier.expansion.features(), type, label);
    const Json entry = {{"format", "onnx"}, {"file", onnx}, {"bytes", bytes.size()}, {"type", type}, {"label", label}};
    return {onnx, std::move(bytes), {line}, entry};
  }

  ExportedFile header_file(const Model& classifier) const {
    const std::string name = cpp_namespace(header);
    std::string text = cpp_header(classifier, {name, MANYONE_VERSION});
    const std::string line = fmt::format(
        "C++ header written to {} ({}): int {}::predict(const double* features), scores(), probabilities(), "
        "class_names",
        header, format_bytes(text.size()), name);
    const Json entry = {{"format", "cpp"}, {"file", header}, {"bytes", text.size()}, {"namespace", name}};
    return {header, std::move(text), {line}, entry};
  }

  ExportedFile libsvm_file(const Program& program, const Model& classifier) const {
    std::string text = libsvm_model_text(classifier);
    const auto labels = libsvm_labels(classifier.classes);
    std::vector<std::string> lines = {
        fmt::format("LIBSVM model written to {} ({}) over scaled features; rows for svm-predict: manyone convert DATA "
                    "--scale-by {} -o DATA.svm",
                    libsvm, format_bytes(text.size()), model)};
    if (labels != classifier.classes) {
      lines.push_back(fmt::format("labels of LIBSVM are numbers: 1 to {} stand for {}", labels.size(),
                                  fmt::join(classifier.classes, ", ")));
    }
    const bool same_ties = classifier.decoder.entry->libsvm == LibsvmVotes::same;
    if (!same_ties && classifier.classes.size() > 2) {
      program.observer().note(
          "where classes win as many pairs, LIBSVM takes the first and this model the one that won by more; train with "
          "--decode votes:first for the same labels in every row");
    }
    const Json entry = {
        {"format", "libsvm"}, {"file", libsvm}, {"bytes", text.size()}, {"labels", labels}, {"same_ties", same_ties}};
    return {libsvm, std::move(text), std::move(lines), entry};
  }
};

}  // namespace

void add_export(Tool& app) {
  auto command = std::make_shared<ExportCommand>();
  CLI::App* sub = app.add_subcommand("export", "A model for other programs: ONNX, C++ source, LIBSVM");
  sub->add_option("MODEL", command->model, "Model file")->type_name("FILE")->required();
  writes_file(sub->add_option("--onnx", command->onnx, "ONNX file to write: every machine, kernel and decoder")
                  ->type_name("FILE"));
  sub->add_flag("--float32", command->float32, "ONNX in single precision; default: double");
  writes_file(sub->add_option("--cpp", command->header, "C++ header to write, without dependencies, for small models")
                  ->type_name("FILE"));
  writes_file(sub->add_option("--libsvm", command->libsvm,
                              "Model for svm-predict to write: one-vs-one machines decoded by votes")
                  ->type_name("FILE"));
  command->run.declare(*sub);
  sub->footer(
      "Example:\n  manyone export iris.safetensors --onnx iris.onnx\n"
      "  manyone export iris.safetensors --cpp iris.hpp");
  sub->callback([command] { command->execute(); });
}

}  // namespace manyone::cli
