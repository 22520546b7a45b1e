// SPDX-License-Identifier: Apache-2.0
//
// The module manyone._core: a thin door from Python to the library. Estimators, checks of what users pass and all that
// is scikit-learn's are written in Python (python/manyone).
#include <pybind11/pybind11.h>

#include "machine/registry.hpp"
#include "python/src/arrays.hpp"
#include "python/src/comparison.hpp"
#include "python/src/errors.hpp"
#include "python/src/frame.hpp"
#include "python/src/model.hpp"
#include "python/src/recipe.hpp"

PYBIND11_MODULE(_core, module) {
  using namespace manyone::python;
  module.doc() = "The compiled part of manyone; use the package instead.";
  module.attr("__version__") = MANYONE_VERSION;
  translate_errors(module);
  declare_frames(module);
  Model::declare(module);
  declare_comparison(module);
  declare_parameters(module);
  module.def("machines", [] {
    py::list out;
    for (const manyone::MachineEntry& info : manyone::machines()) out.append(py::str(std::string(info.name)));
    return out;
  });
  module.def("kernels", [] {
    py::dict out;
    for (const manyone::KernelEntry* entry : manyone::kernels()) {
      py::list parameters;
      if (entry->sigma) parameters.append("sigma");
      if (entry->degree) parameters.append("degree");
      if (entry->offset) parameters.append("offset");
      out[py::str(std::string(entry->name))] = parameters;
    }
    return out;
  });
  module.def(
      "address_of_rows",
      [](const py::object& rows) { return reinterpret_cast<std::uintptr_t>(features_from(rows).view().data()); },
      py::arg("rows"), "Where the library reads dense rows: their own address.");
}
