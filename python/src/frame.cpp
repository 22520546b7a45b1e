// SPDX-License-Identifier: Apache-2.0
#include "python/src/frame.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "manyone/base/numbers.hpp"
#include "manyone/data/cell.hpp"
#include "manyone/data/record.hpp"
#include "manyone/data/row_encoder.hpp"
#include "manyone/data/table_builder.hpp"
#include "manyone/data/table_encoder.hpp"
#include "python/src/arrays.hpp"
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

/// The columns as rows of cells, with a last column that stands for the labels, which are Python's.
class FrameReader final : public RecordReader {
 public:
  FrameReader(const py::list& columns, const py::object& names) : named_(!names.is_none()) {
    for (const auto& column : columns) columns_.emplace_back(column);
    declared_.resize(columns_.size() + 1);
    if (named_) {
      const auto given = names.cast<std::vector<std::string>>();
      for (std::size_t k = 0; k < given.size(); ++k) declared_[k].name = given[k];
      while (std::find(given.begin(), given.end(), label_) != given.end()) label_ += '_';
      declared_.back().name = label_;
    }
    rows_ = columns_.empty() ? 0 : columns_.front().rows();
  }

  bool next(Record& record) override {
    if (row_ == rows_) return false;
    cells_.resize(declared_.size());
    for (std::size_t k = 0; k < columns_.size(); ++k) cells_[k] = columns_[k].text(row_);
    cells_.back() = "0";
    record.cells.assign(cells_.begin(), cells_.end());
    record.line = static_cast<std::size_t>(++row_);
    return true;
  }

  const std::vector<DeclaredColumn>& columns() const override { return declared_; }
  bool named() const override { return named_; }
  bool missing(std::string_view cell) const override { return is_missing(cell); }
  const std::string& name() const override { return source_; }
  double progress() const override { return 0; }
  Index rows() const { return rows_; }
  const FrameColumn& column(std::size_t position) const { return columns_[position]; }

 private:
  bool named_;
  std::string source_ = kSource;
  std::string label_ = "class";
  std::vector<FrameColumn> columns_;
  std::vector<DeclaredColumn> declared_;
  std::vector<std::string> cells_;
  Index rows_ = 0;
  Index row_ = 0;
};

/// Writes the features of a column, the first of them into column `first` of `out`.
void encode_column(const Column& column, const FrameColumn& cells, const std::string& label, Matrix& out, Index first,
                   std::vector<Unseen>& unseen) {
  std::unordered_map<std::string_view, Index> values;
  for (std::size_t v = 0; v < column.values.size(); ++v) values[column.values[v]] = static_cast<Index>(v);
  const bool takes_missing = column.means.size() == (column.nominal ? column.values.size() : 1);
  Unseen none{label, {}, 0};
  for (Index row = 0; row < out.rows(); ++row) {
    const std::string cell = cells.text(row);
    double* const to = out.row(row).data() + first;
    if (is_missing(cell)) {
      if (!takes_missing) {
        throw InputError(
            fmt::format("row {}, {}: a value is missing; fill it in, or train with --missing mean or "
                        "--missing indicator",
                        row, label));
      }
      write_missing(column, to);
    } else if (column.nominal) {
      auto found = values.find(cell);
      if (found == values.end()) found = values.find(canonical_value(cell));
      if (found != values.end()) {
        write_value(column, found->second, to);
      } else {
        std::fill_n(to, column.width(), 0.0);
        if (none.count++ == 0) none.example = cell;
      }
    } else if (parse_number(cell, *to) && std::isfinite(*to)) {
      if (column.missing_feature) to[1] = 0;
    } else {
      throw InputError(fmt::format("row {}, {}: expected a number, as in training, found {}", row, label, shown(cell)));
    }
  }
  if (none.count > 0) unseen.push_back(std::move(none));
}

/// Which column of the reader feeds each column of the schema.
std::vector<std::size_t> positions_of(const Schema& schema, const FrameReader& reader) {
  const auto& given = reader.columns();
  const std::size_t count = given.size() - 1;
  std::vector<std::size_t> out;
  for (std::size_t c = 0; c < schema.columns.size(); ++c) {
    const auto end = given.begin() + static_cast<std::ptrdiff_t>(count);
    const auto found = schema.named && reader.named()
                           ? std::find_if(given.begin(), end,
                                          [&](const DeclaredColumn& one) { return one.name == schema.columns[c].name; })
                           : given.begin() + static_cast<std::ptrdiff_t>(std::min(c, count));
    if (found == end) {
      throw InputError(fmt::format("{}: expected the {} columns of the model, found {}; {} is missing", kSource,
                                   schema.columns.size(), count, column_label(schema.columns[c].name, c)));
    }
    out.push_back(static_cast<std::size_t>(found - given.begin()));
  }
  return out;
}

/// Precondition: it is one of them, which Python has checked.
MissingPolicy policy_from_name(std::string_view name) {
  return static_cast<MissingPolicy>(std::find(kPolicies.begin(), kPolicies.end(), name) - kPolicies.begin());
}

py::list told(const std::vector<Unseen>& unseen) {
  py::list out;
  for (const Unseen& one : unseen) out.append(py::make_tuple(one.column, one.example, one.count));
  return out;
}

}  // namespace

std::string name_of(MissingPolicy policy) { return std::string(kPolicies[static_cast<std::size_t>(policy)]); }

Dataset encode_columns(const py::list& columns, const py::object& names, const std::vector<Index>& nominal,
                       MissingPolicy missing, const MemoryBudget& memory) {
  FrameReader reader(columns, names);
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
  return encode_table(std::move(table), options);
}

Matrix encode_columns(const Schema& schema, const py::list& columns, const py::object& names,
                      std::vector<Unseen>& unseen) {
  FrameReader reader(columns, names);
  Matrix out(reader.rows(), schema.features());
  const std::vector<std::size_t> positions = positions_of(schema, reader);
  Index first = 0;
  for (std::size_t c = 0; c < positions.size(); ++c) {
    const Column& column = schema.columns[c];
    encode_column(column, reader.column(positions[c]), column_label(column.name, c), out, first, unseen);
    first += column.width();
  }
  return out;
}

void declare_frames(py::module_& module) {
  py::class_<Encoding>(module, "Encoding", "How columns of a table become features.");
  module.def(
      "encode",
      [](const py::list& columns, const py::object& names, const std::vector<Index>& nominal,
         const std::string& missing, const std::string& memory) {
        Dataset data = encode_columns(columns, names, nominal, policy_from_name(missing), memory_budget(memory));
        const bool whole = data.dropped == 0;
        py::object kept = whole ? py::object(py::none()) : py::cast(data.kept);
        return py::make_tuple(array_from(std::move(data.features.dense())), kept, Encoding{std::move(data.schema)});
      },
      py::arg("columns"), py::arg("names"), py::arg("nominal"), py::arg("missing"), py::arg("memory"),
      "Features, the rows that were kept (None: all) and the encoding.");
  module.def(
      "encode_by",
      [](const Encoding& encoding, const py::list& columns, const py::object& names) {
        std::vector<Unseen> unseen;
        Matrix features = encode_columns(encoding.schema, columns, names, unseen);
        return py::make_tuple(array_from(std::move(features)), told(unseen));
      },
      py::arg("encoding"), py::arg("columns"), py::arg("names"),
      "Features, and (column, example, count) for values that training never saw.");
}

}  // namespace manyone::python
