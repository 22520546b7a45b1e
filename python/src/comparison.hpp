// SPDX-License-Identifier: Apache-2.0
//
// compare() and report pages for Python.
#pragma once

#include <pybind11/pybind11.h>

namespace manyone::python {

void declare_comparison(pybind11::module_& module);

}  // namespace manyone::python
