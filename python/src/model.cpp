// SPDX-License-Identifier: Apache-2.0
//
// The class Model of the core: a trained classifier, made by fit(), a file or bytes.
#include "python/src/model.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <numeric>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/stl.h>

#include "base/atomic_file.hpp"
#include "machine/registry.hpp"
#include "manyone/errors.hpp"
#include "model/cpp_header.hpp"
#include "model/libsvm_model.hpp"
#include "model/onnx.hpp"
#include "python/src/arrays.hpp"
#include "python/src/frame.hpp"
#include "python/src/line.hpp"
#include "python/src/recipe.hpp"
#include "python/src/running.hpp"
#include "result/figures.hpp"

namespace manyone::python {

namespace {

// Rows that are predicted at a time; between blocks Ctrl-C is looked for. The scaled copy of a block stays in the
// cache.
constexpr Index kBlock = 4096;

Features block_of(const Features& rows, Index first, Index count) {
  if (!rows.sparse()) return Features::borrowed(rows.view().row(first).data(), count, rows.features());
  if (count == rows.rows()) return rows;
  std::vector<Index> chosen(static_cast<std::size_t>(count));
  std::iota(chosen.begin(), chosen.end(), first);
  return rows.select(chosen);
}

/// Throws InputError that names the rows whose scores are not finite; the rows themselves are.
void require_finite(const Matrix& scores, Index first) {
  constexpr std::size_t kNamed = 5;
  std::vector<Index> named;
  std::size_t count = 0;
  for (Index i = 0; i < scores.rows(); ++i) {
    if (scores.row(i).allFinite()) continue;
    if (++count <= kNamed) named.push_back(first + i);
  }
  if (count == 0) return;
  throw InputError(
      fmt::format("the scores of row{} {}{} of X are not finite: {} values are beyond what this model can compute "
                  "with; leave {} out",
                  count == 1 ? "" : "s", fmt::join(named, ", "), count > kNamed ? ", ..." : "",
                  count == 1 ? "its" : "their", count == 1 ? "it" : "them"));
}

/// Calls use(first row, scores) for blocks of rows, without the interpreter's lock.
template <class Use>
void for_each_block(const manyone::Model& model, const Features& rows, int threads, const Use& use) {
  const py::gil_scoped_release unlocked;
  const Backend& backend = lasting_backend(threads);
  for (Index first = 0; first < rows.rows(); first += kBlock) {
    const Index count = std::min(kBlock, rows.rows() - first);
    const Matrix scores = model.scores(backend, block_of(rows, first, count));
    require_finite(scores, first);
    use(first, scores);
    if (first + count == rows.rows()) return;
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }
}

py::dict surface_of(const std::vector<Cell>& cells, const Recipe& recipe) {
  const auto n = static_cast<Index>(cells.size());
  Vector sigma(n);
  Vector ridge(n);
  Vector error(n);
  Vector std(n);
  for (Index i = 0; i < n; ++i) {
    const Cell& cell = cells[static_cast<std::size_t>(i)];
    sigma[i] = cell.at.sigma;
    ridge[i] = cell.at.ridge;
    error[i] = cell.error;
    std[i] = cell.std.value_or(NAN);
  }
  py::dict out;
  if (recipe.has_sigma()) out["sigma"] = array_from(sigma);
  out["ridge"] = array_from(ridge);
  out["cost"] = array_from(Vector(ridge.cwiseInverse()));
  out["error"] = array_from(error);
  out["std"] = array_from(std);
  return out;
}

/// What the table was, without its rows.
Dataset outline(const Dataset& data) {
  Dataset out;
  if (data.features.sparse()) out.features = SparseMatrix();
  out.labels = data.labels;
  out.classes = data.classes;
  out.schema = data.schema;
  out.source = data.source;
  return out;
}

/// What the columns of the training table were: a tuple (name, nominal) each.
py::list columns_of(const Schema& schema) {
  py::list out;
  for (const Column& column : schema.columns) out.append(py::make_tuple(column.name, column.nominal));
  return out;
}

/// Of the numbers of a row: one multiplication for each, as all rows of a table are asked.
std::uint64_t row_fingerprint(const Features& rows, Index row) {
  std::uint64_t out = 0;
  const auto add = [&](std::uint64_t word) {
    out = (out ^ word) * 0x9e3779b97f4a7c15;
    out ^= out >> 32;
  };
  if (rows.sparse()) {
    for (SparseMatrix::InnerIterator entry(rows.csr(), row); entry; ++entry) {
      add(static_cast<std::uint64_t>(entry.col()));
      add(std::bit_cast<std::uint64_t>(entry.value()));
    }
  } else {
    const double* const values = rows.view().row(row).data();
    for (Index k = 0; k < rows.features(); ++k) add(std::bit_cast<std::uint64_t>(values[k]));
  }
  return out;
}

/// The training row that each centre is, each row once; fewer than there are centres when some are no training rows.
std::vector<Index> rows_of_centres(const manyone::Model& model, const Features& rows) {
  const Features& centres = model.expansion.centres;
  std::unordered_multimap<std::uint64_t, Index> wanted;
  for (Index m = 0; m < centres.rows(); ++m) wanted.emplace(row_fingerprint(centres, m), m);
  std::vector<Index> out(static_cast<std::size_t>(centres.rows()), -1);
  for (Index first = 0; first < rows.rows() && !wanted.empty(); first += kBlock) {
    const Index count = std::min(kBlock, rows.rows() - first);
    Features block = block_of(rows, first, count);
    model.scaling.apply(block);
    for (Index i = 0; i < count; ++i) {
      const auto found = wanted.find(row_fingerprint(block, i));
      if (found == wanted.end()) continue;
      out[static_cast<std::size_t>(found->second)] = first + i;
      wanted.erase(found);
    }
  }
  if (!wanted.empty()) out.clear();
  return out;
}

}  // namespace

Model Model::fit(const Dataset& data, const py::dict& parameters, bool nested, const RunChoice& choice,
                 const py::object& callback) {
  const auto start = std::chrono::steady_clock::now();
  Run run(choice, callback);
  Model out;
  Fitted fitted{outline(data), recipe_from(parameters, data.rows()), {}, {}, {}, 0};
  run([&] {
    const DatasetRows rows(data);
    const Plan plan = resolve(run.execution(), fitted.recipe, rows, {.nested = nested});
    fitted.recipe = plan.recipe;
    Fit result = manyone::fit(run.execution(), plan);
    out.classifier = std::move(result.classifier);
    fitted.tuning = std::move(result.tuning);
    fitted.solve_seconds = result.solve_seconds;
  });
  fitted.notes = run.notes();
  fitted.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  out.fitted = std::make_shared<const Fitted>(std::move(fitted));
  return out;
}

Matrix Model::scores(const Features& rows, int threads) const {
  Matrix out(rows.rows(), static_cast<Index>(classifier.classes.size()));
  for_each_block(classifier, rows, threads,
                 [&](Index first, const Matrix& part) { out.middleRows(first, part.rows()) = part; });
  return out;
}

std::vector<int> Model::predict(const Features& rows, int threads) const {
  std::vector<int> out;
  out.reserve(static_cast<std::size_t>(rows.rows()));
  for_each_block(classifier, rows, threads, [&](Index, const Matrix& part) {
    const auto classes = argmax_classes(part);
    out.insert(out.end(), classes.begin(), classes.end());
  });
  return out;
}

py::object Model::surface() const {
  if (!fitted || !fitted->tuning) return py::none();
  return surface_of(fitted->tuning->surface, fitted->recipe);
}

Json Model::document(const std::string& command) const {
  if (!fitted) {
    throw ConfigError(
        "a model from a file or a pickle does not hold how it was tuned; report an estimator that was just fitted");
  }
  Fit result;
  result.classifier = classifier;
  result.tuning = fitted->tuning;
  result.solve_seconds = fitted->solve_seconds;
  Json out = result_head("fit", command);
  const DatasetRows rows(fitted->table);
  out.update(fit_json(rows, fitted->recipe, result, "", {0, fitted->seconds}));
  out["data"] = data_json(fitted->table.source, rows.rows(), rows.features(), 0);
  if (!fitted->tuning) return out;
  const auto& held_out = fitted->tuning->held_out;
  out["held_out"] = held_out_json(held_out, classifier.temperature, classifier.classes);
  if (!out["held_out"].is_null()) {
    out["held_out"]["figures"] = {
        {"projection", projection_json(held_out, static_cast<Index>(classifier.classes.size()))}};
  }
  return out;
}

void Model::declare(py::module_& module) {
  py::class_<Model> type(module, "Model", "A trained classifier.");
  // Pickles make an object without its __init__: it is then a model of nothing, not memory of anything.
  type.attr("__new__") = py::staticmethod(py::cpp_function([](const py::object&) { return Model{}; }));
  type.attr("__setstate__") = py::cpp_function(
      [](Model& self, const py::bytes& bytes) {
        self = Model{manyone::Model::from_bytes(bytes, "the pickle"), {}};
      },
      py::name("set_state"), py::is_method(type));
  type.def_static("load",
                  [](const std::string& path) {
                    return Model{manyone::Model::load(path), {}};
                  })
      .def_static("from_bytes",
                  [](const py::bytes& bytes) {
                    return Model{manyone::Model::from_bytes(bytes, "the model"), {}};
                  })
      .def("bytes", [](const Model& self) { return py::bytes(self.classifier.bytes()); })
      .def("save", [](const Model& self, const std::string& path) { self.classifier.save(path); })
      // For all protocols of pickle; what it would do by itself for the first two ends the interpreter.
      .def("__reduce__",
           [](const py::object& self) {
             return py::make_tuple(py::module_::import("copyreg").attr("__newobj__"),
                                   py::make_tuple(py::type::of(self)), self.attr("bytes")());
           })
      .def(
          "export_onnx",
          [](const Model& self, const std::string& path, bool single) {
            write_file_atomically(path, onnx_bytes(self.classifier, {single, MANYONE_VERSION}));
          },
          py::arg("path"), py::arg("single"))
      .def(
          "export_cpp",
          [](const Model& self, const std::string& path, const std::string& name_space) {
            const std::string name = name_space.empty() ? cpp_namespace(path) : name_space;
            write_file_atomically(path, cpp_header(self.classifier, {name, MANYONE_VERSION}));
          },
          py::arg("path"), py::arg("name_space"))
      .def("export_libsvm",
           [](const Model& self, const std::string& path) {
             write_file_atomically(path, libsvm_model_text(self.classifier));
           })
      .def("rows_of_centers",
           [](const Model& self, const py::object& rows) {
             const Features features = features_from(rows);
             const auto found = [&] {
               const py::gil_scoped_release unlocked;
               return rows_of_centres(self.classifier, features);
             }();
             return py::array_t<Index>(std::ssize(found), found.data());
           })
      .def(
          "scores",
          [](const Model& self, const py::object& rows, int threads) {
            return array_from(self.scores(features_from(rows), threads));
          },
          py::arg("rows"), py::arg("threads") = 0)
      .def(
          "predict",
          [](const Model& self, const py::object& rows, int threads) {
            const auto classes = self.predict(features_from(rows), threads);
            return py::array_t<int>(static_cast<py::ssize_t>(classes.size()), classes.data());
          },
          py::arg("rows"), py::arg("threads") = 0)
      .def(
          "probabilities",
          [](const Model& self, const py::object& rows, int threads) {
            return array_from(softmax(self.scores(features_from(rows), threads), self.classifier.temperature));
          },
          py::arg("rows"), py::arg("threads") = 0)
      .def("document", [](const Model& self, const std::string& command) { return dump(self.document(command)); })
      .def_property_readonly("description", [](const Model& self) { return dump(model_json(self.classifier)); })
      .def_property_readonly("classes", [](const Model& self) { return self.classifier.classes; })
      .def_property_readonly("features", [](const Model& self) { return self.classifier.expansion.features(); })
      .def_property_readonly("feature_names",
                             [](const Model& self) -> py::object {
                               if (!self.classifier.schema.named) return py::none();
                               return py::cast(self.classifier.schema.feature_names());
                             })
      .def_property_readonly("columns", [](const Model& self) { return columns_of(self.classifier.schema); })
      .def_property_readonly("missing", [](const Model& self) { return name_of(self.classifier.schema.missing); })
      .def_property_readonly("encoding", [](const Model& self) { return Encoding{self.classifier.schema}; })
      .def_property_readonly("kernel",
                             [](const Model& self) { return std::string(self.classifier.expansion.kernel.name()); })
      .def_property_readonly("sigma",
                             [](const Model& self) -> std::optional<double> {
                               const Kernel& kernel = self.classifier.expansion.kernel;
                               if (!kernel.entry->sigma) return {};
                               return kernel.sigma;
                             })
      .def_property_readonly("ridge", [](const Model& self) { return self.classifier.ridge; })
      .def_property_readonly("cv_error",
                             [](const Model& self) -> std::optional<double> {
                               if (!self.classifier.cv) return {};
                               return self.classifier.cv->error;
                             })
      .def_property_readonly("nested_error",
                             [](const Model& self) -> std::optional<double> {
                               if (!self.fitted || !self.fitted->tuning || !self.fitted->tuning->nested) return {};
                               return self.fitted->tuning->nested->error;
                             })
      .def_property_readonly("surface", &Model::surface)
      .def_property_readonly(
          "notes", [](const Model& self) { return self.fitted ? self.fitted->notes : std::vector<std::string>(); })
      .def_property_readonly("centers", [](const Model& self) { return array_from(self.classifier.expansion.centres); })
      .def_property_readonly("coefficients",
                             [](const Model& self) { return array_from(self.classifier.expansion.coefficients); })
      .def_property_readonly("line",
                             [](const Model& self) -> py::object {
                               const auto line = line_between_classes(self.classifier);
                               if (!line) return py::none();
                               return py::make_tuple(array_from(line->weights), line->shift);
                             })
      .def_property_readonly("bias", [](const Model& self) { return array_from(self.classifier.expansion.bias); })
      .def_property_readonly("offset", [](const Model& self) { return array_from(self.classifier.scaling.offset); })
      .def_property_readonly("factor", [](const Model& self) { return array_from(self.classifier.scaling.factor); });

  module.def(
      "fit",
      [](const py::object& rows, const py::array_t<int>& labels, std::vector<std::string> classes,
         const py::dict& parameters, const py::object& feature_names, const std::string& target, bool nested,
         int threads, const std::string& memory, const py::object& callback, const Encoding* encoding) {
        const Schema* schema = encoding != nullptr ? &encoding->schema : nullptr;
        const Dataset data = dataset_from(rows, labels, std::move(classes), feature_names, target, "the data", schema);
        return Model::fit(data, parameters, nested, {threads, memory}, callback);
      },
      py::arg("rows"), py::arg("labels"), py::arg("classes"), py::arg("parameters"), py::arg("feature_names"),
      py::arg("target"), py::arg("nested"), py::arg("threads"), py::arg("memory"), py::arg("callback"),
      py::arg("encoding"), "Tunes what the parameters leave open and trains.");
}

}  // namespace manyone::python
