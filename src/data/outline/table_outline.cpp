// SPDX-License-Identifier: Apache-2.0
#include "data/outline/table_outline.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "data/outline/table_builder.hpp"
#include "data/outline/table_schema.hpp"
#include "data/outline/table_signs.hpp"
#include "data/records/idx_reader.hpp"
#include "data/records/libsvm_reader.hpp"
#include "data/records/record_source.hpp"
#include "data/table_reader.hpp"

namespace manyone {

namespace {

using Open = std::function<OpenTable()>;
using Poll = std::function<void(double)>;

constexpr char kAdvice[] = "allow more with `memory` or take fewer rows";

/// The counts of `names` in the order of the classes.
std::vector<Index> counts_in_order(const std::vector<std::string>& classes, const std::vector<std::string>& names,
                                   const std::vector<Index>& counts) {
  std::unordered_map<std::string_view, Index> of_name;
  for (std::size_t i = 0; i < names.size(); ++i) of_name[names[i]] = counts[i];
  std::vector<Index> ordered;
  for (const std::string& name : classes) ordered.push_back(of_name[name]);
  return ordered;
}

/// Reads all rows into `summary` and `signs` and lets go of them; the result has none.
RawTable summarise(OpenTable table, TableFormat format, const ReadOptions& options, TableSummary& summary,
                   TableSigns& signs, std::vector<std::uint32_t>& fold_of_row, const Poll& poll) {
  const auto reader = open_records(ByteWindow(std::move(table.source), options.memory), format, options);
  TableBuilder builder(*reader, options);
  const Index rows = block_rows({}, builder.table().cells.cols());
  const auto flush = [&] {
    summary.add(builder.table());
    signs.add(builder.table());
    const std::vector<std::uint32_t>& folds = builder.table().folds;
    fold_of_row.insert(fold_of_row.end(), folds.begin(), folds.end());
    builder.forget_rows();
    options.memory.require(summary.bytes() + 4.0 * static_cast<double>(fold_of_row.capacity()),
                           "reading " + reader->name(), kAdvice);
  };
  Record record;
  while (reader->next(record)) {
    builder.add(record);
    if (builder.table().rows == rows) flush();
    if (builder.table().rows_seen % rows == 0) poll(reader->progress());
  }
  flush();
  poll(reader->progress());
  return builder.take();
}

TableOutline outline_records(const Open& open, TableFormat format, const ReadOptions& options, const Poll& poll) {
  TableSummary summary(options.missing);
  TableSigns signs;
  TableOutline outline;
  RawTable table = summarise(open(), format, options, summary, signs, outline.fold_of_row, poll);
  check_columns(table, summary);
  if (summary.start_again(table)) {
    signs = {};
    outline.fold_of_row.clear();
    table = summarise(open(), format, options, summary, signs, outline.fold_of_row, poll);
    check_columns(table, summary);
    if (summary.start_again(table))
      throw InputError(Place{table.source}, "the table changed while it was read", "leave the file as it is");
  }
  outline.notes = std::move(table.notes);
  for (Words& note : signs.judge(table, summary, options)) outline.notes.push_back(std::move(note));
  outline.schema = describe_columns(table, summary, options.missing);
  outline.classes = find_classes(table);
  outline.class_counts =
      counts_in_order(outline.classes, table.columns[table.target].words.words(), summary.label_counts());
  for (const RawColumn& column : table.columns) {
    if (column.role == RawColumn::Role::fold) outline.folds = column.words.words();
  }
  outline.rows = summary.rows();
  outline.dropped = table.rows_seen - summary.rows();
  return outline;
}

TableOutline outline_libsvm(OpenTable opened, const ReadOptions& options, const Poll& poll) {
  LibsvmTable table(ByteWindow(std::move(opened.source), options.memory), options.missing);
  Dictionary names;
  std::vector<Index> counts;
  SparseRows row;
  std::string label;
  while (table.next(row, label)) {
    row.clear();
    const std::uint32_t code = names.code(label);
    if (code == counts.size()) counts.push_back(0);
    ++counts[code];
    constexpr Index kOften = 1024;  // rows between two looks at the budget
    if (table.rows() % kOften != 0) continue;
    options.memory.require(names.bytes(), "reading " + table.name(), kAdvice);
    poll(table.progress());
  }
  require_feature_memory(options.memory, table.features(), table.name());
  TableOutline outline;
  outline.classes = class_order(names.words());
  require_two_classes(outline.classes, table.name());
  outline.class_counts = counts_in_order(outline.classes, names.words(), counts);
  outline.rows = table.rows();
  outline.dropped = std::ssize(table.reader().dropped());
  outline.schema = Schema::numbered(table.features(), options.missing);
  outline.sparse = stays_sparse(static_cast<double>(table.entries()), static_cast<double>(table.rows()),
                                static_cast<double>(table.features()));
  return outline;
}

TableOutline outline_idx(OpenTable opened, const ReadOptions& options, const Poll& poll) {
  IdxTable table(ByteWindow(std::move(opened.source), options.memory), std::move(opened.labels));
  std::vector<std::uint8_t> bytes;
  const Index often = block_rows({}, table.images.width());
  for (Index row = 1; table.images.next(bytes); ++row) {
    bytes.clear();
    if (row % often == 0) poll(table.images.progress());
  }
  std::array<Index, 256> counts{};
  for (; table.labels.next(bytes); bytes.clear()) ++counts[bytes[0]];
  require_rows(table);
  TableOutline outline;
  for (std::size_t label = 0; label < counts.size(); ++label) {
    if (counts[label] == 0) continue;
    outline.classes.push_back(std::to_string(label));
    outline.class_counts.push_back(counts[label]);
  }
  require_two_classes(outline.classes, table.images.name());
  outline.rows = table.images.rows();
  outline.schema = Schema::numbered(table.images.width(), options.missing);
  return outline;
}

}  // namespace

TableOutline outline_table(const Open& open, TableFormat format, const ReadOptions& options, const Poll& poll) {
  refuse_column_options(format, options);
  switch (format) {
    case TableFormat::libsvm: return outline_libsvm(open(), options, poll);
    case TableFormat::idx: return outline_idx(open(), options, poll);
    default: return outline_records(open, format, options, poll);
  }
}

}  // namespace manyone
