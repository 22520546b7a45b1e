// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands.hpp"
#include "cli/named_files.hpp"
#include "cli/options.hpp"
#include "cli/summary.hpp"
#include "model/libsvm_model.hpp"

namespace manyone::cli {

namespace {

struct ImportCommand {
  RunOptions run;
  std::string source;
  std::string output;
  std::optional<Index> features;

  void execute() const {
    const Program program(run);
    const LibsvmModel read = read_libsvm_model(open_bytes(source), program.execution().memory, features.value_or(0));
    const Model& model = read.classifier;
    if (read.probabilities) {
      program.observer().note(
          fmt::format("{} holds LIBSVM's own pairwise probabilities, which are left out; --proba here is a softmax of "
                      "the votes, not calibrated",
                      source));
    }
    model.save(output);
    if (run.json) {
      Json document = model_json(model);
      document["source"] = source;
      document["model"] = output;
      document["probabilities_left_out"] = read.probabilities;
      program.print(document);
    }
    program.say(fmt::format("{}: {} support vectors, {} features, classes {}\n{}\nmodel written to {}", source,
                            model.expansion.coefficients.rows(), model.expansion.features(),
                            fmt::join(model.classes, ", "),
                            parameter_line(model.machine, model.expansion.kernel, model.ridge), output));
  }
};

}  // namespace

void add_import(Tool& app) {
  auto command = std::make_shared<ImportCommand>();
  CLI::App* sub = app.add_subcommand("import", "A model that LIBSVM trained, with the same predictions");
  sub->add_option("LIBSVM_MODEL", command->source, "What svm-train wrote: C-SVC, RBF, polynomial or linear kernel")
      ->type_name("FILE")
      ->required();
  writes_file(sub->add_option("-o,--output", command->output, "Model file to write")->type_name("FILE")->required());
  sub->add_option("--features", command->features, "Features of a row; default: the largest index of a support vector")
      ->check(CLI::Range(Index{1}, Index{100'000'000}));
  command->run.declare(*sub);
  sub->footer(
      "The file holds no cost; the largest coefficient stands for it. Features are used as they are: not scaled.\n"
      "Example:\n  manyone import letter.model -o letter.safetensors");
  sub->callback([command] { command->execute(); });
}

}  // namespace manyone::cli
