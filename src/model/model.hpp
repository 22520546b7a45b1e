// SPDX-License-Identifier: Apache-2.0
//
// Model: a trained classifier with all it needs to turn cells of a table into classes: schema, scaling, expansion,
// decoder, calibration, and what is known of its error. Immutable in use; save and load are bit-exact.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/dataset.hpp"
#include "data/scaling.hpp"
#include "labelbook/labelbook.hpp"
#include "machine/expansion.hpp"
#include "model/recipe.hpp"

namespace manyone {

/// What an error is about.
enum class EstimateKind {
  cross_validation,  ///< of the model: every row was left out in turn
  held_out,          ///< of the model: some rows were judged by machines trained on the others
  subset,            ///< of a machine trained on fewer rows; says nothing of the model
};
std::string_view name_of(EstimateKind kind);
/// Throws ConfigError for a name that is none.
EstimateKind estimate_from_name(std::string_view name);

/// How the error was estimated. Plain data that travels with the model.
struct CvSummary {
  int folds = 0;  ///< 0: leave one out
  int repeats = 1;
  double error = 0;
  std::optional<double> std = {};  ///< over repeats; nothing for a single one
  Index rows = 0;                  ///< rows it was estimated on
  Index train_rows = 0;            ///< rows behind each prediction; 0: not known (models of earlier versions)
  EstimateKind kind = EstimateKind::cross_validation;
  std::optional<double> majority_error = {};  ///< of always guessing the most frequent class of the table
};

struct Model {
  std::string machine;
  std::string labelbook;     ///< name or file
  std::string label_kernel;  ///< "linear" unless one was given
  std::string search;        ///< "auto", "grid" or "fixed"
  double ridge = 0;
  bool bias = false;
  std::string weights;  ///< "uniform", "balanced", "given"
  Schema schema;
  Scaling scaling;
  Expansion expansion;
  Decoder decoder;
  std::vector<std::string> classes;
  double temperature = 1;  ///< of the probabilities
  Index trained_rows = 0;
  std::optional<CvSummary> cv;

  Model() = default;
  /// What the recipe says of it; the rest is to be filled in.
  Model(const Recipe& recipe, double ridge_used);

  /// One score per class for every unscaled row, larger = more likely. Blocked; no n x m matrix is
  /// formed.
  Matrix scores(const Backend& backend, Features rows) const;
  /// The class index of every row; -1 where a score is not finite (a row so far off that the kernel overflows).
  std::vector<int> predict(const Backend& backend, Features rows) const;
  /// Calibrated probabilities; their argmax is predict(). Not finite where the scores are not.
  Matrix probabilities(const Backend& backend, Features rows) const;

  /// Writes a safetensors file as a whole or not at all. Throws InputError when it cannot be written.
  void save(const std::string& path) const;
  /// Throws InputError for a file that is damaged, not a model, or of a newer version.
  static Model load(const std::string& path);
  /// The bytes of a model file, and a model from such bytes; `name` stands for the file in errors.
  std::string bytes() const;
  static Model from_bytes(std::string bytes, const std::string& name);
};

/// Scaling, machine and labelbook at fixed parameters: no search, no calibration. Throws as the parts do.
Model train(const Execution& execution, const Dataset& data, const Recipe& recipe, double sigma, double ridge);

/// train() with a machine and a decoder that were made for the recipe and these labels. `solution`: what the machine
/// finds there, if a search has it.
Model train(const Execution& execution, const Dataset& data, const Recipe& recipe, const Machine& machine,
            const Decoder& decoder, const CellParameters& at, std::optional<Coefficients> solution);

/// The scaling a recipe means for these rows.
ScalingKind scaling_for(const Recipe& recipe, bool sparse);

/// Throws InputError unless `gram` is square and symmetric to 1e-8 of its largest entry.
void check_gram(const Features& gram, const std::string& source);

}  // namespace manyone
