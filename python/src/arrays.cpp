// SPDX-License-Identifier: Apache-2.0
#include "python/src/arrays.hpp"

#include <memory>
#include <utility>

#include <pybind11/stl.h>

#include "manyone/errors.hpp"

namespace manyone::python {

namespace {

using Dense = py::array_t<double, py::array::c_style>;
using Integers = py::array_t<int, py::array::c_style>;

template <class Array>
Array exactly(const py::handle& object, const char* what) {
  if (!Array::check_(object)) throw ConfigError(std::string("expected ") + what);
  return py::reinterpret_borrow<Array>(object);
}

SparseMatrix sparse_from(const py::tuple& parts) {
  if (parts.size() != 4) throw ConfigError("expected (indptr, indices, data, features) for sparse rows");
  const auto starts = exactly<Integers>(parts[0], "row starts of 32-bit integers");
  const auto columns = exactly<Integers>(parts[1], "columns of 32-bit integers");
  const auto values = exactly<Dense>(parts[2], "values of float64");
  const auto features = parts[3].cast<Index>();
  return Eigen::Map<const SparseMatrix>(starts.size() - 1, features, values.size(), starts.data(), columns.data(),
                                        values.data());
}

/// An array over memory that `owner` keeps.
template <class Owner>
py::capsule keeper(std::unique_ptr<Owner> owner) {
  return py::capsule(owner.release(), [](void* pointer) { delete static_cast<Owner*>(pointer); });
}

}  // namespace

Features features_from(const py::object& rows) {
  if (py::isinstance<py::tuple>(rows)) return sparse_from(rows);
  const auto dense = exactly<Dense>(rows, "a C-ordered array of float64");
  if (dense.ndim() != 2) throw ConfigError("expected an array with two dimensions");
  return Features::borrowed(dense.data(), dense.shape(0), dense.shape(1));
}

Dataset dataset_from(const py::object& rows, const py::array_t<int>& labels, std::vector<std::string> classes,
                     const py::object& feature_names, const std::string& target, const std::string& name,
                     const Schema* schema) {
  Dataset out;
  out.features = features_from(rows);
  out.labels.assign(labels.data(), labels.data() + labels.size());
  out.classes = std::move(classes);
  out.source = name;
  if (schema != nullptr) {
    out.schema = *schema;
    if (schema->named) out.schema.target = target;
  } else if (feature_names.is_none()) {
    out.schema = Schema::numbered(out.features.features());
  } else {
    out.schema.named = true;
    out.schema.target = target;
    for (auto& column : feature_names.cast<std::vector<std::string>>()) {
      out.schema.columns.push_back({.name = std::move(column)});
    }
  }
  return out;
}

py::array_t<double> array_from(Matrix matrix) {
  auto owner = std::make_unique<Matrix>(std::move(matrix));
  const Matrix& kept = *owner;
  return py::array_t<double>({kept.rows(), kept.cols()}, kept.data(), keeper(std::move(owner)));
}

py::array_t<double> array_from(const Vector& vector) { return py::array_t<double>(vector.size(), vector.data()); }

py::object array_from(const Features& rows) {
  if (!rows.sparse()) return array_from(rows.dense_rows(0, rows.rows()));
  const SparseMatrix& x = rows.csr();
  return py::make_tuple(py::array_t<int>(x.rows() + 1, x.outerIndexPtr()),
                        py::array_t<int>(x.nonZeros(), x.innerIndexPtr()),
                        py::array_t<double>(x.nonZeros(), x.valuePtr()), x.cols());
}

}  // namespace manyone::python
