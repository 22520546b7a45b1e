// SPDX-License-Identifier: Apache-2.0
#include "data/rows/table_encoder.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/worded.hpp"
#include "data/outline/table_schema.hpp"
#include "data/outline/table_signs.hpp"
#include "data/outline/table_summary.hpp"
#include "data/records/cell.hpp"
#include "data/rows/row_encoder.hpp"

namespace manyone {

namespace {

using Role = RawColumn::Role;

/// How the cells of one feature column become features [first, first + width).
struct ColumnPlan {
  Index source = 0;  ///< column of RawTable::cells
  Index first = 0;
  std::vector<Index> of_word;  ///< nominal: position among the values
  std::unordered_map<double, Index> of_number;

  Index value_of(double cell) const {
    return is_number_cell(cell) ? of_number.at(ColumnSummary::key(cell)) : of_word[word_code(cell)];
  }
};

class Encoder {
 public:
  Encoder(RawTable table, const ReadOptions& options)
      : table_(std::move(table)), options_(options), summary_(options.missing) {}

  Dataset run() {
    table_.cells.conservativeResize(table_.rows, Eigen::NoChange);
    summary_.add(table_);
    TableSigns signs;
    signs.add(table_);
    check_columns(table_, summary_);
    Dataset data;
    data.notes = std::move(table_.notes);
    for (Words& note : signs.judge(table_, summary_, options_)) data.notes.push_back(std::move(note));
    data.source = table_.source;
    data.schema = describe_columns(table_, summary_, options_.missing);
    plan(data.schema);
    data.dropped = table_.rows_seen - table_.rows;
    if (data.dropped > 0) data.kept = std::move(table_.kept);
    write_labels(data);
    write_features(data);
    return data;
  }

 private:
  void plan(const Schema& schema) {
    Index first = 0;
    Index cell = 0;
    for (std::size_t k = 0; k < table_.columns.size(); ++k) {
      const RawColumn& raw = table_.columns[k];
      if (raw.role != Role::feature) continue;
      ColumnPlan plan;
      plan.source = cell++;
      if (raw.identifier) continue;
      const Column& column = schema.columns[plans_.size()];
      plan.first = first;
      first += column.width();
      require_features(first, column, k);
      if (column.nominal) {
        std::unordered_map<std::string_view, Index> at;
        for (std::size_t v = 0; v < column.values.size(); ++v) at[column.values[v]] = static_cast<Index>(v);
        for (const std::string& word : raw.words.words()) plan.of_word.push_back(at[word]);
        for (const auto& [number, count] : summary_.column(static_cast<std::size_t>(plan.source)).number_counts) {
          plan.of_number[number] = at[canonical_value(number)];
        }
      }
      plans_.push_back(std::move(plan));
    }
  }

  void require_features(Index features, const Column& column, std::size_t k) const {
    const Words advice = column.nominal ? worded("{} alone has {} distinct values: is it an identifier?",
                                                 column_label(column.name, k), column.values.size())
                                        : "allow more with `memory` or take fewer rows";
    options_.memory.require(8.0 * static_cast<double>(table_.rows) * static_cast<double>(features),
                            fmt::format("a table of {} rows and {} features", table_.rows, features), advice);
  }

  void write_labels(Dataset& data) const {
    data.classes = find_classes(table_);
    std::unordered_map<std::string_view, int> at;
    for (int c = 0; c < data.class_count(); ++c) at[data.classes[static_cast<std::size_t>(c)]] = c;
    std::vector<int> of_word;
    for (const std::string& name : table_.columns[table_.target].words.words()) of_word.push_back(at[name]);
    data.labels.reserve(table_.labels.size());
    for (const std::uint32_t code : table_.labels) data.labels.push_back(of_word[code]);
    for (const RawColumn& column : table_.columns) {
      if (column.role != Role::fold) continue;
      const std::vector<std::string> folds = column.words.words();
      for (const std::uint32_t code : table_.folds) data.folds.push_back(folds[code]);
    }
  }

  void write_features(Dataset& data) {
    const std::vector<Column>& columns = data.schema.columns;
    const bool in_place =
        std::ssize(plans_) == table_.cells.cols() && data.schema.features() == table_.cells.cols() &&
        std::none_of(columns.begin(), columns.end(), [](const Column& column) { return column.nominal; });
    if (in_place) {
      fill_missing(columns);
      data.features = std::move(table_.cells);
      return;
    }
    Matrix x(table_.rows, data.schema.features());
    for (Index i = 0; i < x.rows(); ++i) {
      const double* const row = table_.cells.row(i).data();
      double* const out = x.row(i).data();
      for (std::size_t c = 0; c < plans_.size(); ++c) {
        const double cell = row[plans_[c].source];
        double* const to = out + plans_[c].first;
        if (is_missing_cell(cell)) {
          write_missing(columns[c], to);
        } else if (columns[c].nominal) {
          write_value(columns[c], plans_[c].value_of(cell), to);
        } else {
          to[0] = cell;
          if (columns[c].missing_feature) to[1] = 0;
        }
      }
    }
    data.features = std::move(x);
  }

  void fill_missing(const std::vector<Column>& columns) {
    if (std::all_of(columns.begin(), columns.end(), [](const Column& column) { return column.means.empty(); })) return;
    for (Index i = 0; i < table_.rows; ++i) {
      for (std::size_t c = 0; c < columns.size(); ++c) {
        double& cell = table_.cells(i, static_cast<Index>(c));
        if (is_missing_cell(cell)) cell = columns[c].means[0];
      }
    }
  }

  RawTable table_;
  const ReadOptions& options_;
  TableSummary summary_;
  std::vector<ColumnPlan> plans_;
};

}  // namespace

Dataset encode_table(RawTable table, const ReadOptions& options) { return Encoder(std::move(table), options).run(); }

}  // namespace manyone
