// SPDX-License-Identifier: Apache-2.0
#include "python/src/frame.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "base/numbers.hpp"
#include "data/outline/table_builder.hpp"
#include "data/records/cell.hpp"
#include "data/records/record.hpp"
#include "data/rows/row_encoder.hpp"
#include "data/rows/table_encoder.hpp"
#include "python/src/arrays.hpp"
#include "python/src/errors.hpp"
#include "python/src/running.hpp"

namespace manyone::python {

namespace {

constexpr const char* kSource = "the data";

/// In the order of MissingPolicy.
constexpr std::array<std::string_view, 4> kPolicies = {"error", "drop", "mean", "indicator"};

/// One column: numbers, or words.
class FrameColumn {
 public:
  explicit FrameColumn(const py::handle& column) {
    if (py::isinstance<py::list>(column)) {
      cells_ = column.cast<std::vector<std::string>>();
    } else {
      cells_ = column.cast<Numbers>();
    }
  }

  Index rows() const {
    if (const auto* numbers = std::get_if<Numbers>(&cells_)) return numbers->size();
    return std::ssize(std::get<Words>(cells_));
  }

  /// As a table in a file would have it; empty where it is missing.
  std::string text(Index row) const {
    if (const auto* numbers = std::get_if<Numbers>(&cells_)) {
      const double value = numbers->data()[row];
      return std::isnan(value) ? std::string() : format_double(value);
    }
    return std::string(trim(std::get<Words>(cells_)[static_cast<std::size_t>(row)]));
  }

 private:
  using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;
  using Words = std::vector<std::string>;
  std::variant<Words, Numbers> cells_;
};

/// The columns as rows of cells. With labels, which are Python's, a last column stands for them.
class FrameReader final : public RecordReader {
 public:
  FrameReader(const py::list& columns, const py::object& names, bool labels) : named_(!names.is_none()) {
    for (const auto& column : columns) columns_.emplace_back(column);
    declared_.resize(columns_.size() + (labels ? 1 : 0));
    if (named_) {
      const auto given = names.cast<std::vector<std::string>>();
      for (std::size_t k = 0; k < given.size(); ++k) declared_[k].name = given[k];
      if (labels) {
        std::string label = "class";
        while (std::find(given.begin(), given.end(), label) != given.end()) label += '_';
        declared_.back().name = label;
      }
    }
    rows_ = columns_.empty() ? 0 : columns_.front().rows();
  }

  bool next(Record& record) override {
    if (row_ == rows_) return false;
    cells_.resize(declared_.size());
    for (std::size_t k = 0; k < columns_.size(); ++k) cells_[k] = columns_[k].text(row_);
    if (declared_.size() > columns_.size()) cells_.back() = "0";
    record.cells.assign(cells_.begin(), cells_.end());
    ++row_;
    return true;
  }

  const std::vector<DeclaredColumn>& columns() const override { return declared_; }
  bool named() const override { return named_; }
  bool missing(std::string_view cell) const override { return is_missing(cell); }
  const std::string& name() const override { return source_; }
  double progress() const override { return 0; }
  Index rows() const { return rows_; }

 private:
  bool named_;
  std::string source_ = kSource;
  std::vector<FrameColumn> columns_;
  std::vector<DeclaredColumn> declared_;
  std::vector<std::string> cells_;
  Index rows_ = 0;
  Index row_ = 0;
};

/// Precondition: it is one of them, which Python has checked.
MissingPolicy policy_from_name(std::string_view name) {
  return static_cast<MissingPolicy>(std::find(kPolicies.begin(), kPolicies.end(), name) - kPolicies.begin());
}

/// The means of the rows that were kept, for predictions of rows that would not have been.
void add_means(Dataset& data) {
  const Matrix& features = data.features.dense();
  const auto rows = static_cast<double>(features.rows());
  Index first = 0;
  for (Column& column : data.schema.columns) {
    for (const double mean : ((features.middleCols(first, column.width()) / rows).colwise().sum()).eval()) {
      column.means.push_back(mean);
    }
    first += column.width();
  }
}

/// A schema that has means for the cells of rows that training dropped; that of a model of the command line has none.
bool fills_dropped(const Schema& schema) {
  return schema.missing == MissingPolicy::drop &&
         std::none_of(schema.columns.begin(), schema.columns.end(), [](const Column& c) { return c.means.empty(); });
}

py::list told(const std::vector<Unseen>& unseen) {
  py::list out;
  for (const Unseen& one : unseen) out.append(py::make_tuple(in_python(one.column), one.example, one.count));
  return out;
}

}  // namespace

std::string name_of(MissingPolicy policy) { return std::string(kPolicies[static_cast<std::size_t>(policy)]); }

Dataset enbinary_problems(const py::list& columns, const py::object& names, const std::vector<Index>& nominal,
                          MissingPolicy missing, const MemoryBudget& memory) {
  FrameReader reader(columns, names, true);
  ReadOptions options;
  options.missing = missing;
  options.memory = memory;
  options.keep_identifiers = true;  // a program chooses its columns itself
  for (const Index position : nominal) options.nominal.push_back(std::to_string(position + 1));
  if (reader.named()) {
    for (std::string& column : options.nominal) column = reader.columns()[std::stoul(column) - 1].name;
  }
  TableBuilder builder(reader, options);
  Record record;
  while (reader.next(record)) builder.add(record);
  RawTable table = builder.take();
  table.columns[table.target].words.code("1");  // a table has two classes at least
  Dataset out = encode_table(std::move(table), options);
  if (missing == MissingPolicy::drop) add_means(out);
  return out;
}

EncodedRows enbinary_problems(const Schema& schema, const py::list& columns, const py::object& names) {
  FrameReader reader(columns, names, false);
  Schema used = schema;
  const bool fills = fills_dropped(schema);
  if (fills) used.missing = MissingPolicy::mean;
  RowEncoder encoder(used, reader, false, false);
  EncodedRows out;
  out.features.resize(reader.rows(), encoder.features());
  Record record;
  for (Index row = 0; reader.next(record); ++row) {
    encoder.encode(record, row, false, out.features.row(row).data());
    if (fills && std::any_of(record.cells.begin(), record.cells.end(), is_missing)) ++out.filled;
  }
  out.unseen = encoder.unseen();
  return out;
}

void declare_frames(py::module_& module) {
  py::class_<Encoding>(module, "Encoding", "How columns of a table become features.");
  module.def(
      "encode",
      [](const py::list& columns, const py::object& names, const std::vector<Index>& nominal,
         const std::string& missing, const std::string& memory) {
        Dataset data = enbinary_problems(columns, names, nominal, policy_from_name(missing), memory_budget(memory));
        const bool whole = data.dropped == 0;
        py::object kept = whole ? py::object(py::none()) : py::cast(data.kept);
        return py::make_tuple(array_from(std::move(data.features.dense())), kept, Encoding{std::move(data.schema)});
      },
      py::arg("columns"), py::arg("names"), py::arg("nominal"), py::arg("missing"), py::arg("memory"),
      "Features, the rows that were kept (None: all) and the encoding.");
  module.def(
      "encode_by",
      [](const Encoding& encoding, const py::list& columns, const py::object& names) {
        EncodedRows rows = enbinary_problems(encoding.schema, columns, names);
        return py::make_tuple(array_from(std::move(rows.features)), told(rows.unseen), rows.filled);
      },
      py::arg("encoding"), py::arg("columns"), py::arg("names"),
      "Features, (column, example, count) for values that training never saw, and how many rows were filled in that "
      "training would have dropped.");
}

}  // namespace manyone::python
