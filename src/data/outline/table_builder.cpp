// SPDX-License-Identifier: Apache-2.0
#include "data/outline/table_builder.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/worded.hpp"
#include "data/records/cell.hpp"
#include "data/records/column_choice.hpp"

namespace manyone {

namespace {

using Kind = DeclaredColumn::Kind;
using Role = RawColumn::Role;

}  // namespace

TableBuilder::TableBuilder(const RecordReader& reader, const ReadOptions& options)
    : reader_(reader), policy_(options.missing), memory_(options.memory) {
  table_.source = reader.name();
  table_.named = reader.named();
  table_.notes = reader.notes();
  table_.columns.resize(reader.columns().size());
  choose_roles(options);
  table_.cells.resize(
      0, std::count_if(readings_.begin(), readings_.end(), [](Reading r) { return r <= Reading::declared; }));
}

void TableBuilder::choose_roles(const ReadOptions& options) {
  const auto& declared = reader_.columns();
  auto& columns = table_.columns;
  table_.target =
      options.target.empty() ? declared.size() - 1 : find_column(declared, options.target, "target", reader_.name());
  columns[table_.target].role = Role::target;
  if (!options.fold_column.empty()) {
    const std::size_t fold = find_column(declared, options.fold_column, "fold_column", reader_.name());
    if (fold == table_.target)
      throw ConfigError("fold_column",
                        fmt::format("column of folds or groups {}: it is the target", shown(options.fold_column)),
                        "give another column");
    columns[fold].role = Role::fold;
  }
  for (const std::string& name : options.ignore) {
    Role& role = columns[find_column(declared, name, "ignore", reader_.name())].role;
    if (role == Role::target || role == Role::fold)
      throw ConfigError(
          "ignore", fmt::format("ignore {}: it is the {} column", shown(name), role == Role::fold ? "fold" : "target"),
          "give other columns");
    role = Role::ignored;
  }
  for (const std::string& name : options.nominal)
    columns[find_column(declared, name, "nominal", reader_.name())].nominal = true;
  bool any = false;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    RawColumn& column = columns[k];
    column.declared = declared[k];
    if (column.role != Role::feature) {
      readings_.push_back(column.role == Role::target ? Reading::target
                          : column.role == Role::fold ? Reading::fold
                                                      : Reading::ignored);
      continue;
    }
    any = true;
    const bool nominal = declared[k].kind == Kind::nominal;
    readings_.push_back(nominal ? Reading::declared : Reading::number);
    column.nominal = column.nominal || nominal;
    for (const std::string& value : declared[k].values) column.words.code(value);
    if (declared[k].kind == Kind::text && !column.nominal) {
      throw InputError(Place{reader_.name()},
                       worded("{} is free text or a date, of which no feature can be made", label_of(k)),
                       "use `ignore` to leave it out, or `nominal` if it holds categories", "ignore");
    }
  }
  if (!any) {
    throw InputError(Place{reader_.name()}, "expected at least one feature column beside the target, found none",
                     "cells are separated by commas, tabs, semicolons, bars or blanks");
  }
}

Words TableBuilder::label_of(std::size_t k) const { return column_label(table_.columns[k].declared.name, k); }

void TableBuilder::check_memory(Index rows) const {
  double bytes = static_cast<double>(rows) * (8.0 * static_cast<double>(table_.cells.cols()) + 8.0) +
                 kColumnBytes * static_cast<double>(table_.columns.size());
  for (const RawColumn& column : table_.columns) bytes += column.words.bytes();
  memory_.require(bytes, "reading " + reader_.name(), "allow more with `memory` or take fewer rows");
}

// The matrix grows in place: the C library moves pages, not bytes, and pages that are never written cost nothing.
double* TableBuilder::add_row() {
  if (table_.rows == table_.cells.rows()) {
    const Index rows = std::max<Index>(table_.rows + table_.rows / 4, 256);
    check_memory(rows);
    table_.cells.conservativeResize(rows, Eigen::NoChange);
  }
  return table_.cells.row(table_.rows++).data();
}

void TableBuilder::forget_rows() {
  table_.rows = 0;
  table_.labels.clear();
  table_.folds.clear();
  table_.kept.clear();
}

/// A declared value is what it says; a number that an ARFF file writes as "nan" is missing in every format.
bool TableBuilder::missing_cell(const Record& record, std::size_t k) const {
  const std::string_view cell = record.cells[k];
  return reader_.missing(cell) || (readings_[k] == Reading::number && is_missing(cell));
}

bool TableBuilder::has_missing_feature(const Record& record) const {
  for (std::size_t k = 0; k < record.cells.size(); ++k) {
    if (table_.columns[k].role == Role::feature && missing_cell(record, k)) return true;
  }
  return false;
}

void TableBuilder::add(const Record& record) {
  const Index row = table_.rows_seen++;
  if (policy_ == MissingPolicy::drop) {
    if (has_missing_feature(record) || reader_.missing(record.cells[table_.target])) return;
    table_.kept.push_back(row);
  }
  double* out = add_row();
  const std::size_t count = readings_.size();
  const Reading* const readings = readings_.data();
  const std::string_view* const cells = record.cells.data();
  for (std::size_t k = 0; k < count; ++k) {
    switch (readings[k]) {
      case Reading::number: {
        double value = 0;
        *out++ = parse_number(cells[k], value) && std::isfinite(value) ? value : other_cell(record, k);
        break;
      }
      case Reading::declared:
        *out++ = reader_.missing(cells[k]) ? missing(record, k) : declared_value(record, k);
        break;
      case Reading::target: table_.labels.push_back(label(record, k)); break;
      case Reading::fold: table_.folds.push_back(label(record, k)); break;
      case Reading::ignored: break;
    }
  }
}

double TableBuilder::other_cell(const Record& record, std::size_t k) {
  const std::string_view cell = record.cells[k];
  if (missing_cell(record, k)) return missing(record, k);
  double value = 0;
  if (!table_.columns[k].nominal && parse_number(cell, value)) {
    fail_not_finite(cell, record.place(reader_.name(), k), label_of(k));
  }
  return word(record, k);
}

std::uint32_t TableBuilder::label(const Record& record, std::size_t k) {
  RawColumn& column = table_.columns[k];
  const std::string_view cell = record.cells[k];
  if (reader_.missing(cell)) {
    throw InputError(record.place(reader_.name(), k),
                     worded("expected a {}, found a missing value in {}",
                            column.role == Role::target ? "class" : "fold", label_of(k)),
                     "remove the row");
  }
  const std::size_t known = column.words.size();
  const std::uint32_t code = column.words.code(cell);
  if (code == known) check_new_word(record, k);
  return code;
}

double TableBuilder::missing(const Record& record, std::size_t k) {
  if (policy_ == MissingPolicy::error) {
    throw InputError(record.place(reader_.name(), k),
                     worded("a value is missing in `row#{}`, {}", table_.rows_seen, label_of(k)),
                     "fill it in or use `missing=drop|mean|indicator`", "missing");
  }
  ++table_.columns[k].missing_cells;
  return kMissingCell;
}

double TableBuilder::declared_value(const Record& record, std::size_t k) {
  Dictionary& words = table_.columns[k].words;
  const std::size_t known = words.size();
  const std::uint32_t code = words.code(canonical_value(record.cells[k]));
  if (code == known) {
    throw InputError(record.place(reader_.name(), k),
                     worded("{} is not one of the values declared for {}", shown(record.cells[k]), label_of(k)),
                     "add it to the list of the attribute, or correct it");
  }
  return word_cell(code);
}

double TableBuilder::word(const Record& record, std::size_t k) {
  RawColumn& column = table_.columns[k];
  const std::string_view cell = record.cells[k];
  if (!column.nominal && column.declared.kind == Kind::numeric) {
    throw InputError(record.place(reader_.name(), k),
                     worded("expected a number, found {} in {}", shown(cell), label_of(k)),
                     "declare the attribute as {...} if these are categories");
  }
  if (column.word_cells++ == 0) {
    column.first_word = record.place(reader_.name(), k);
    column.first_word_text = cell;
  }
  const std::size_t known = column.words.size();
  const std::uint32_t code = column.words.code(cell);
  if (code == known) check_new_word(record, k);
  return word_cell(code);
}

void TableBuilder::check_new_word(const Record& record, std::size_t k) const {
  const RawColumn& column = table_.columns[k];
  const std::string_view cell = record.cells[k];
  require_utf8(cell, record.place(reader_.name(), k));
  std::string number;
  if (column.role == Role::feature && !column.nominal && replace_decimal_comma(cell, number)) {
    throw InputError(record.place(reader_.name(), k),
                     worded("expected a number, found {} in {}", shown(cell), label_of(k)),
                     "write decimals with a point or use `decimal=comma`", "decimal");
  }
  constexpr std::size_t kOften = 4096;  // words between two looks at the budget
  if (column.words.size() % kOften == 0) check_memory(table_.rows);
}

}  // namespace manyone
