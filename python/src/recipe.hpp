// SPDX-License-Identifier: Apache-2.0
//
// A recipe from the parameters of an estimator: a dict whose keys are names in the table of parameters. A parameter
// that is None is not set.
#pragma once

#include <vector>

#include <pybind11/pybind11.h>

#include "model/parameters.hpp"

namespace manyone::python {

/// For a table of so many rows. `groups`: those of each row that folds keep together, from 0; empty: none. Throws
/// ConfigError for a value or a key that cannot be used.
Recipe recipe_from(const pybind11::dict& given, Index rows, std::vector<int> groups = {});

/// parameters(): the table, an entry a dict, for docstrings and tests.
void declare_parameters(pybind11::module_& module);

}  // namespace manyone::python
