// SPDX-License-Identifier: Apache-2.0
//
// Between numpy and the library. Dense rows are borrowed where they are: C-ordered float64 is all that is taken here,
// and the Python side makes the one copy that other arrays need. Compressed sparse rows are copied once.
#pragma once

#include <string>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "data/dataset.hpp"

namespace manyone::python {

namespace py = pybind11;

/// The rows of a C-ordered float64 array, or of a tuple (indptr, indices, data, features) of a canonical CSR matrix.
/// What the array holds outlives the result. Throws ConfigError for anything else.
Features features_from(const py::object& rows);

/// Rows with the class index of each. `feature_names`: None, or a name for each feature; `target`: the name of the
/// labels in files; `schema`: how the columns of a table became these features, if they had to.
Dataset dataset_from(const py::object& rows, const py::array_t<int>& labels, std::vector<std::string> classes,
                     const py::object& feature_names, const std::string& target, const std::string& name,
                     const Schema* schema = nullptr);

/// An array that owns what the matrix held.
py::array_t<double> array_from(Matrix matrix);
py::array_t<double> array_from(const Vector& vector);
/// An array, or a tuple (indptr, indices, data, features) for sparse rows.
py::object array_from(const Features& rows);

}  // namespace manyone::python
