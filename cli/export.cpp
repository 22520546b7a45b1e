// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/result_output.hpp"
#include "manyone/base/atomic_file.hpp"
#include "manyone/base/errors.hpp"
#include "manyone/base/numbers.hpp"
#include "manyone/data/table_writer.hpp"
#include "manyone/model/cpp_header.hpp"
#include "manyone/model/libsvm_model.hpp"
#include "manyone/model/onnx.hpp"

namespace manyone::cli {

namespace {

void write_text(const std::string& path, const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  write_file_atomically(path, std::span(&bytes, 1));
}

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
    for (const auto& [option, path] :
         {std::pair{"--onnx", &onnx}, std::pair{"--cpp", &header}, std::pair{"--libsvm", &libsvm}}) {
      if (!path->empty()) check_writable(*path, option);
    }
    const Program program(run);
    const Classifier classifier = Classifier::load(model);
    Json written = Json::array();
    if (!onnx.empty()) written.push_back(write_onnx(program, classifier));
    if (!header.empty()) written.push_back(write_header(program, classifier));
    if (!libsvm.empty()) written.push_back(write_libsvm(program, classifier));
    if (run.json) {
      program.print(Json{{"model", model},
                         {"classes", classifier.classes},
                         {"features", classifier.schema.feature_names()},
                         {"written", std::move(written)}});
    }
  }

  Json write_onnx(const Program& program, const Classifier& classifier) const {
    const std::string bytes = onnx_bytes(classifier, {float32, MANYONE_VERSION});
    write_text(onnx, bytes);
    const std::string type = float32 ? "float32" : "float64";
    const std::string label = has_integer_classes(classifier) ? "int64" : "string";
    program.say(
        fmt::format("ONNX model written to {} ({}): input features (rows x {}, {}), outputs label ({}), scores, "
                    "probabilities",
                    onnx, format_bytes(bytes.size()), classifier.expansion.features(), type, label));
    return {{"format", "onnx"}, {"file", onnx}, {"bytes", bytes.size()}, {"type", type}, {"label", label}};
  }

  Json write_header(const Program& program, const Classifier& classifier) const {
    const std::string name = cpp_namespace(header);
    const std::string text = cpp_header(classifier, {name, MANYONE_VERSION});
    write_text(header, text);
    program.say(
        fmt::format("C++ header written to {} ({}): int {}::predict(const double* features), scores(), "
                    "probabilities(), class_names",
                    header, format_bytes(text.size()), name));
    return {{"format", "cpp"}, {"file", header}, {"bytes", text.size()}, {"namespace", name}};
  }

  Json write_libsvm(const Program& program, const Classifier& classifier) const {
    const std::string text = libsvm_model_text(classifier);
    write_text(libsvm, text);
    const auto labels = libsvm_labels(classifier.classes);
    program.say(
        fmt::format("LIBSVM model written to {} ({}) over scaled features; rows for svm-predict: manyone convert "
                    "DATA --scale-by {} -o DATA.svm",
                    libsvm, format_bytes(text.size()), model));
    if (labels != classifier.classes) {
      program.say(fmt::format("labels of LIBSVM are numbers: 1 to {} stand for {}", labels.size(),
                              fmt::join(classifier.classes, ", ")));
    }
    const bool same_ties = classifier.decoder.kind == DecodeKind::votes_first;
    if (!same_ties && classifier.classes.size() > 2) {
      program.observer().note(
          "where classes win as many pairs, LIBSVM takes the first and this model the one that won by more; train with "
          "--decode votes:first for the same labels in every row");
    }
    return {
        {"format", "libsvm"}, {"file", libsvm}, {"bytes", text.size()}, {"labels", labels}, {"same_ties", same_ties}};
  }
};

}  // namespace

void add_export(Tool& app) {
  auto command = std::make_shared<ExportCommand>();
  CLI::App* sub = app.add_subcommand("export", "A model for other programs: ONNX, C++ source, LIBSVM");
  sub->add_option("MODEL", command->model, "Model file")->required();
  sub->add_option("--onnx", command->onnx, "ONNX file to write: every machine, kernel and decoder");
  sub->add_flag("--float32", command->float32, "ONNX in single precision; default: double");
  sub->add_option("--cpp", command->header, "C++ header to write, without dependencies, for small models");
  sub->add_option("--libsvm", command->libsvm, "Model for svm-predict to write: one-vs-one machines decoded by votes");
  command->run.declare(*sub);
  sub->footer(
      "Example:\n  manyone export iris.safetensors --onnx iris.onnx\n"
      "  manyone export iris.safetensors --cpp iris.hpp");
  sub->callback([command] { command->execute(); });
}

}  // namespace manyone::cli
