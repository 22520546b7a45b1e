// SPDX-License-Identifier: Apache-2.0
#include "data/outline/table_schema.hpp"

#include <utility>

#include <fmt/format.h>

#include "base/worded.hpp"
#include "data/dataset.hpp"
#include "data/records/cell.hpp"

namespace manyone {

namespace {

using Role = RawColumn::Role;

[[noreturn]] void fail_without_rows(const RawTable& table) {
  const Place place{table.source};
  if (table.rows_seen > 0)
    throw InputError(place, "every row has a missing value, so `missing=drop` leaves none", "use mean or indicator",
                     "missing");
  throw InputError(place, table.named ? Words("the table has a header but no rows; expected rows below it")
                                      : Words("the table has no rows; expected some"));
}

void check_column(const RawTable& table, std::size_t k, Index cells) {
  const RawColumn& raw = table.columns[k];
  const Words label = column_label(raw.declared.name, k);
  if (cells == 0)
    throw InputError(Place{table.source}, worded("every value of {} is missing", label), "use `ignore` to leave it out",
                     "ignore");
  if (raw.word_cells == 0 || looks_nominal(raw, cells)) return;
  const bool plain_name =
      !raw.declared.name.empty() && raw.declared.name.find_first_of(" \t\r\n\"',") == std::string::npos;
  throw InputError(raw.first_word, worded("expected a number, found {} in {}", shown(raw.first_word_text), label),
                   worded("use {} if these are categories{}",
                          plain_name ? worded("`nominal={}`", raw.declared.name) : worded("`nominal#{}`", k + 1),
                          raw.first_word.line == 1 ? ", or is this line a header?" : ""),
                   "nominal");
}

/// The share of each value among the cells that are not missing.
std::vector<double> value_means(const Column& column, const std::vector<std::string>& words,
                                const ColumnSummary& summary, Index cells) {
  std::unordered_map<std::string_view, Index> counts;
  for (std::size_t w = 0; w < words.size(); ++w) counts[words[w]] = summary.word_counts[w];
  std::vector<std::string> numbers;
  numbers.reserve(summary.number_counts.size());  // the keys point into it
  for (const auto& [number, count] : summary.number_counts) {
    counts[numbers.emplace_back(canonical_value(number))] += count;
  }
  std::vector<double> means;
  for (const std::string& value : column.values) {
    means.push_back(static_cast<double>(counts[value]) / static_cast<double>(cells));
  }
  return means;
}

Column describe_column(const RawColumn& raw, const ColumnSummary& summary, Index cells, MissingPolicy missing) {
  const bool means = missing == MissingPolicy::mean || missing == MissingPolicy::indicator;
  Column column;
  column.name = raw.declared.name;
  column.nominal = looks_nominal(raw, cells);
  column.missing_feature = missing == MissingPolicy::indicator && raw.missing_cells > 0;
  if (!column.nominal) {
    if (means) column.means = {summary.mean};
    return column;
  }
  const std::vector<std::string> words = raw.words.words();
  column.values = words;  // declared values keep their order
  if (raw.declared.kind != DeclaredColumn::Kind::nominal) {
    for (const auto& [number, count] : summary.number_counts) column.values.push_back(canonical_value(number));
    column.values = class_order(std::move(column.values));
  }
  if (means) column.means = value_means(column, words, summary, cells);
  return column;
}

}  // namespace

void check_columns(const RawTable& table, const TableSummary& summary) {
  if (summary.rows() == 0) fail_without_rows(table);
  for (std::size_t k = 0; k < table.columns.size(); ++k) {
    if (table.columns[k].role == Role::feature) check_column(table, k, summary.cells(table.columns[k]));
  }
}

Schema describe_columns(const RawTable& table, const TableSummary& summary, MissingPolicy missing) {
  Schema schema;
  schema.named = table.named;
  schema.missing = missing;
  schema.target = table.columns[table.target].declared.name;
  schema.target_position = static_cast<Index>(table.target);
  schema.plain = !table.named;
  std::size_t position = 0;
  for (std::size_t k = 0; k < table.columns.size(); ++k) {
    const RawColumn& raw = table.columns[k];
    if (raw.role == Role::fold) schema.fold = raw.declared.name;
    if (raw.role != Role::feature || raw.identifier) {
      if (k != table.target) schema.left_out.push_back({raw.declared.name, static_cast<Index>(k)});
      if (raw.identifier) ++position;
      continue;
    }
    schema.columns.push_back(describe_column(raw, summary.column(position++), summary.cells(raw), missing));
    if (schema.columns.back().nominal) schema.plain = false;
  }
  return schema;
}

std::vector<std::string> find_classes(const RawTable& table) {
  const RawColumn& target = table.columns[table.target];
  std::vector<std::string> classes = class_order(target.words.words());
  if (classes.size() >= 2) return classes;
  throw InputError(Place{table.source},
                   worded("expected at least two classes in {}, found only {}",
                          column_label(target.declared.name, table.target), shown(classes[0])),
                   "is another column the `target`?", "target");
}

}  // namespace manyone
