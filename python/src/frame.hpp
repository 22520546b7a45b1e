// SPDX-License-Identifier: Apache-2.0
//
// Columns of numbers and words, as data frames have them, become features by the same steps as the cells of a text
// table: what a column is, which values it has and what a missing cell stands for is decided by the library.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <pybind11/pybind11.h>

#include "base/memory.hpp"
#include "data/dataset.hpp"
#include "data/rows/row_encoder.hpp"

namespace manyone::python {

/// How the columns of a table become features: a schema that Python hands back to fit().
struct Encoding {
  Schema schema;
};

/// "error", "drop", "mean" or "indicator".
std::string name_of(MissingPolicy policy);

/// A table for training: `columns` is a list whose entries are float64 arrays (NaN: missing) or lists of text ("":
/// missing); `names` is None or a name for each; `nominal` are positions from 0. Only features, schema, dropped and
/// kept are set; the schema has means where rows were dropped, too. Throws as read_dataset().
Dataset enbinary_problems(const pybind11::list& columns, const pybind11::object& names,
                          const std::vector<Index>& nominal, MissingPolicy missing, const MemoryBudget& memory);

/// Rows by the schema of a model.
struct EncodedRows {
  Matrix features;
  std::vector<Unseen> unseen;  ///< values that training never saw, encoded as none of the known
  Index filled = 0;            ///< rows such as training dropped: an estimator gives every row a class
};
EncodedRows enbinary_problems(const Schema& schema, const pybind11::list& columns, const pybind11::object& names);

void declare_frames(pybind11::module_& module);

}  // namespace manyone::python
