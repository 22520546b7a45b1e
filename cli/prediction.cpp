// SPDX-License-Identifier: Apache-2.0
#include "cli/prediction.hpp"

#include <array>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "decoder/decoder.hpp"
#include "manyone/errors.hpp"

namespace manyone::cli {

namespace {

/// Does a file begin as models do: the length of a header, and the header?
bool looks_like_model(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;  // nothing is taken from a pipe
  std::array<char, 9> head{};
  std::ifstream file(path, std::ios::binary);
  return file.read(head.data(), head.size()) && head[7] == 0 && head[6] == 0 && head[8] == '{';
}

}  // namespace

void PredictionInput::declare(CLI::App& command) {
  command.add_option("MODEL", model, "Model file")->type_name("FILE")->required();
  command.add_option("DATA", path, "Table: CSV, TSV, LIBSVM, ARFF or IDX, also .gz; - for stdin")
      ->type_name("FILE")
      ->required();
  command.add_option("--format", format, "auto, csv, libsvm, arff or idx")
      ->check(CLI::IsMember({"auto", "csv", "libsvm", "arff", "idx"}))
      ->group("Table");
  command.add_option("--header", header, "Has the CSV a header line? auto, yes or no")
      ->check(CLI::IsMember({"auto", "yes", "no"}))
      ->group("Table");
  declare_decimal(command, decimal);
}

Model PredictionInput::classifier() const {
  if (looks_like_model(path) && !looks_like_model(model)) {
    throw ConfigError(
        fmt::format("'{}' is a model and '{}' is none: the model comes first, then the table", path, model));
  }
  return Model::load(model);
}

Index PredictionInput::for_each_block(const Program& program, const Model& classifier, BlockOptions options,
                                      const Consume& consume,
                                      const std::function<void(const std::vector<std::string>& kept)>& start) const {
  options.format = format_from_name(format);
  options.header = header_from_name(header);
  options.memory = program.execution().memory;
  options.decimal_comma = decimal_comma_from_name(decimal);
  options.strict = program.strict();
  options.drop_missing = !program.strict();
  BlockReader reader(path, classifier.schema, options);
  if (start) start(reader.kept_names());
  program.observer().begin("predicting", 1);
  Block block;
  Index rows = 0;
  Index without_class = 0;
  Index first = 0;
  while (reader.next(block)) {
    program.execution().interrupt.check();
    const Matrix scores = classifier.scores(program.backend(), std::move(block.features));
    const std::vector<int> classes = finite_classes(scores);
    for (std::size_t i = 0; i < classes.size(); ++i) {
      if (classes[i] < 0 && without_class++ == 0) first = rows + static_cast<Index>(i) + 1;
    }
    consume(block, scores, classes);
    rows += scores.rows() + std::ssize(block.dropped);
    program.observer().update(reader.progress(), "");
  }
  program.observer().end();
  for (const Words& note : reader.notes()) program.observer().note(note);
  if (rows == 0) throw InputError(Place{path}, "expected rows to predict, found none; check the file");
  if (without_class > 0) {
    program.observer().note(fmt::format(
        "{} of {} rows ({} {}) have scores that are not finite, their values are beyond what this model can "
        "compute with: they get no class",
        without_class, rows, without_class == 1 ? "row" : "the first is row", first));
  }
  return without_class;
}

}  // namespace manyone::cli
