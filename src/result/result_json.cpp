// SPDX-License-Identifier: Apache-2.0
#include "result/result_json.hpp"

#include <fmt/format.h>

#include "kernel/kernel.hpp"
#include "machine/registry.hpp"
#include "model/reduced.hpp"

namespace manyone {

namespace {

Json optional_number(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json kernel_json(const Kernel& kernel) {
  Json out = {{"name", kernel.name()}};
  if (kernel.entry->sigma) out["sigma"] = kernel.sigma;
  if (kernel.entry->degree) out["degree"] = kernel.degree;
  if (kernel.entry->offset) out["offset"] = kernel.offset;
  return out;
}

/// The regularisation under the name of the machine's paper: ridge, or cost = 1/ridge.
void add_parameter(Json& out, const MachineEntry& machine, double ridge) {
  const std::string name(machine.parameter);
  out[name] = name == "cost" ? 1 / ridge : ridge;
}

Json cv_json(const CvSummary& cv) {
  Json out;
  out["folds"] = cv.folds == 0 ? Json("loo") : Json(cv.folds);
  out["repeats"] = cv.repeats;
  out["error"] = cv.error;
  out["std"] = optional_number(cv.std);
  out["rows"] = cv.rows;
  if (cv.majority_error) out["majority_error"] = *cv.majority_error;
  out["train_rows"] = cv.train_rows == 0 ? Json() : Json(cv.train_rows);
  out["kind"] = name_of(cv.kind);
  return out;
}

Json cells_json(const std::vector<Cell>& cells, const Recipe& recipe) {
  Json out = Json::array();
  for (const Cell& cell : cells) {
    Json c;
    if (recipe.has_sigma()) c["sigma"] = cell.at.sigma;
    add_parameter(c, recipe.entry(), cell.at.ridge);
    c["error"] = cell.error;
    c["std"] = optional_number(cell.std);
    if (cell.unfinished > 0) c["unfinished"] = cell.unfinished;
    out.push_back(std::move(c));
  }
  return out;
}

Json rounds_json(const std::vector<HalvingRound>& rounds, const Recipe& recipe) {
  Json out = Json::array();
  for (const HalvingRound& round : rounds)
    out.push_back({{"rows", round.rows}, {"surface", cells_json(round.cells, recipe)}});
  return out;
}

/// What fit and tune have in common.
Json head(const RowSource& table, const Recipe& recipe, const Kernel& kernel, double ridge) {
  Json out;
  out["machine"] = recipe.entry().name;
  out["labelbook"] = recipe.book();
  out["label_kernel"] = recipe.label_kernel.said;
  if (recipe.decode != nullptr) out["decode"] = recipe.decode->name;
  out["kernel"] = kernel_json(kernel);
  add_parameter(out, recipe.entry(), ridge);
  out["bias"] = recipe.bias;
  if (recipe.reduced()) {
    const RegressionChoice choice = choice_for(recipe, table.rows());
    out["reduce"] = recipe.reduction.kind ? Json(name_of(*recipe.reduction.kind)) : Json();
    out["penalty"] = name_of(choice.penalty);
  }
  out["weights"] = name_of(recipe.weights);
  out["scale"] = name_of(scaling_for(recipe, table.sparse()));
  out["seed"] = recipe.seed;
  return out;
}

void add_tuning(Json& out, const Recipe& recipe, const Tuning& tuning) {
  out["search"] = recipe.tuned() ? name_of(recipe.search) : "fixed";
  out["cv"] = cv_json(tuning.cv);
  if (tuning.nested) {
    out["nested"] = {{"folds", tuning.nested->folds}, {"error", tuning.nested->error}};
    if (!tuning.nested_is_of_model()) out["nested"]["rows"] = tuning.surface_rows;
    Json chosen = Json::array();
    for (const CellParameters& at : tuning.nested->chosen) {
      Json one = {{"sigma", at.sigma}};
      add_parameter(one, recipe.entry(), at.ridge);
      chosen.push_back(std::move(one));
    }
    out["nested"]["chosen"] = std::move(chosen);
  }
  out["surface"] = cells_json(tuning.surface, recipe);
  if (!tuning.checks.empty()) out["surface_rows"] = tuning.surface_rows;
  if (!tuning.rounds.empty()) out["rounds"] = rounds_json(tuning.rounds, recipe);
  if (!tuning.checks.empty()) out["checks"] = rounds_json(tuning.checks, recipe);
  if (tuning.interrupted) out["interrupted"] = true;
}

void add_table(Json& out, const RowSource& table) {
  out["n"] = table.rows();
  out["d"] = table.features();
  out["classes"] = table.classes();
  if (table.dropped() > 0) out["dropped"] = table.dropped();
}

}  // namespace

Json result_head(const std::string& kind, const std::string& command) {
  return {{"format", kResultFormat},
          {"version", kResultVersion},
          {"kind", kind},
          {"command", command},
          {"made", {{"version", MANYONE_VERSION}}}};
}

Json data_json(const std::string& name, Index rows, Index features, std::uint64_t fingerprint) {
  return {{"name", name},
          {"rows", rows},
          {"features", features},
          {"fingerprint", fingerprint == 0 ? Json() : Json(fmt::format("{:016x}", fingerprint))}};
}

Json tuning_json(const RowSource& table, const Recipe& recipe, const Tuning& tuning, const Timing& timing) {
  Json out = head(table, recipe, recipe.kernel_at(tuning.best.sigma), tuning.best.ridge);
  add_tuning(out, recipe, tuning);
  out["seconds"] = {{"read", timing.read},
                    {"kernel", tuning.kernel_seconds},
                    {"solve", 0.0},
                    {"select", tuning.select_seconds},
                    {"total", timing.total}};
  add_table(out, table);
  return out;
}

Json fit_json(const RowSource& table, const Recipe& recipe, const Fit& fit, const std::string& model_path,
              const Timing& timing) {
  Json out = head(table, recipe, fit.classifier.expansion.kernel, fit.classifier.ridge);
  if (fit.tuning) {
    add_tuning(out, recipe, *fit.tuning);
  } else {
    out["search"] = "fixed";
    out["cv"] = Json();
    out["surface"] = Json::array();
  }
  out["temperature"] = fit.classifier.temperature;
  out["centres"] = fit.classifier.expansion.coefficients.rows();
  out["seconds"] = {{"read", timing.read},
                    {"kernel", fit.tuning ? fit.tuning->kernel_seconds : 0.0},
                    {"solve", fit.solve_seconds},
                    {"select", fit.tuning ? fit.tuning->select_seconds : 0.0},
                    {"total", timing.total}};
  add_table(out, table);
  out["model"] = model_path;
  return out;
}

Json metrics_json(const Metrics& metrics, const std::vector<std::string>& classes) {
  Json out;
  out["n"] = metrics.rows;
  if (metrics.unknown > 0) out["unknown"] = metrics.unknown;
  out["error"] = metrics.error;
  out["majority_error"] = metrics.majority_error;
  out["balanced_error"] = metrics.balanced_error;
  Json counts = Json::array();
  for (Eigen::Index r = 0; r < metrics.confusion.rows(); ++r) {
    Json row = Json::array();
    for (Eigen::Index c = 0; c < metrics.confusion.cols(); ++c) row.push_back(metrics.confusion(r, c));
    counts.push_back(std::move(row));
  }
  out["confusion"] = {{"labels", classes}, {"counts", std::move(counts)}};
  Json per_class = Json::array();
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const ClassMetrics& m = metrics.per_class[c];
    per_class.push_back({{"label", classes[c]},
                         {"rows", m.rows},
                         {"predicted", m.predicted},
                         {"precision", optional_number(m.precision)},
                         {"recall", optional_number(m.recall)},
                         {"f1", optional_number(m.f1)}});
  }
  out["per_class"] = std::move(per_class);
  return out;
}

Json model_json(const Model& model) {
  Json out;
  out["machine"] = model.machine;
  out["labelbook"] = model.labelbook;
  out["label_kernel"] = model.label_kernel;
  out["decode"] = model.decoder.entry->name;
  out["kernel"] = kernel_json(model.expansion.kernel);
  add_parameter(out, machine_from_name(model.machine), model.ridge);
  out["bias"] = model.bias;
  out["weights"] = model.weights;
  out["scale"] = name_of(model.scaling.kind);
  out["search"] = model.search;
  out["temperature"] = model.temperature;
  out["cv"] = model.cv ? cv_json(*model.cv) : Json();
  out["n"] = model.trained_rows;
  out["d"] = model.expansion.features();
  out["centres"] = model.expansion.coefficients.rows();
  out["sparse"] = model.expansion.centres.sparse();
  out["outputs"] = model.expansion.outputs();
  out["classes"] = model.classes;
  out["features"] = model.schema.feature_names();
  return out;
}

std::string dump(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace); }

}  // namespace manyone
