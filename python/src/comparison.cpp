// SPDX-License-Identifier: Apache-2.0
#include "python/src/comparison.hpp"

#include <map>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "base/atomic_file.hpp"
#include "base/json_text.hpp"
#include "data/splits.hpp"
#include "manyone/errors.hpp"
#include "python/src/arrays.hpp"
#include "python/src/frame.hpp"
#include "python/src/recipe.hpp"
#include "python/src/running.hpp"
#include "result/compare.hpp"
#include "result/compare_text.hpp"
#include "result/page.hpp"

namespace manyone::python {

namespace {

/// `tables`: (rows, labels, classes, feature names, name, encoding or None, group of each row or None) each;
/// `contestants`: (name, parameters for each table).
py::tuple compared(const py::list& tables, const py::list& contestants, const std::string& protocol, std::uint64_t seed,
                   const std::string& journal, const RunChoice& choice, const py::object& callback) {
  std::vector<Dataset> data;
  for (const auto& entry : tables) {
    const auto parts = entry.cast<py::tuple>();
    data.push_back(dataset_from(parts[0], parts[1].cast<py::array_t<int>>(), parts[2].cast<std::vector<std::string>>(),
                                parts[3], "class", parts[4].cast<std::string>(),
                                parts[5].is_none() ? nullptr : &parts[5].cast<const Encoding&>().schema));
    if (!parts[6].is_none()) data.back().folds = parts[6].cast<std::vector<std::string>>();
  }
  std::vector<Contestant> taking_part;
  for (const auto& entry : contestants) {
    const auto parts = entry.cast<py::tuple>();
    std::map<std::string, Recipe> recipes;  // by the name of the table
    const auto parameters = parts[1].cast<py::list>();
    for (std::size_t t = 0; t < data.size(); ++t) {
      std::vector<int> groups;
      if (!data[t].folds.empty()) groups = folds_from_text(data[t].folds, data[t].source);
      recipes.emplace(data[t].source, recipe_from(parameters[t].cast<py::dict>(), data[t].rows(), std::move(groups)));
    }
    taking_part.push_back(
        {parts[0].cast<std::string>(), [recipes](const Dataset& table) { return recipes.at(table.source); }});
  }
  const ComparisonProtocol plan = ComparisonProtocol::parse(protocol);
  Comparison result;
  Run run(choice, callback);
  run([&] { result = compare(run.execution(), data, taking_part, plan, seed, journal); });
  Json document = result_head("compare", "manyone.compare(...)");
  document.update(comparison_json(result));
  return py::make_tuple(dump(document), comparison_text(result), run.notes());
}

void write_page(const std::string& document, const std::string& path) {
  const Json result = parse_json<Json>(document);
  if (result.is_discarded()) throw InputError("the result is not JSON; expected one that fit or compare gave");
  write_file_atomically(path, page_html(result, "the result"));
}

}  // namespace

void declare_comparison(py::module_& module) {
  module.def(
      "compare",
      [](const py::list& tables, const py::list& contestants, const std::string& protocol, std::uint64_t seed,
         const std::string& journal, int threads, const std::string& memory, const py::object& callback) {
        return compared(tables, contestants, protocol, seed, journal, {threads, memory}, callback);
      },
      py::arg("tables"), py::arg("contestants"), py::arg("protocol"), py::arg("seed"), py::arg("journal"),
      py::arg("threads"), py::arg("memory"), py::arg("callback"),
      "The document (JSON), the text and the notes of a comparison.");
  module.def("write_page", &write_page, py::arg("document"), py::arg("path"));
}

}  // namespace manyone::python
