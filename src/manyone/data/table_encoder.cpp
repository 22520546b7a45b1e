// SPDX-License-Identifier: Apache-2.0
#include "manyone/data/table_encoder.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "manyone/data/cell.hpp"
#include "manyone/data/row_encoder.hpp"

namespace manyone {

namespace {

using Role = RawColumn::Role;

/// How the cells of one feature column become features [first, first + width).
struct ColumnPlan {
  Index first = 0;
  std::vector<Index> of_word;  ///< nominal: position among the values
  std::unordered_map<double, Index> of_number;

  Index value_of(double cell) const {
    return is_number_cell(cell) ? of_number.at(cell == 0 ? 0.0 : cell) : of_word[word_code(cell)];
  }
};

class Encoder {
 public:
  Encoder(RawTable table, const ReadOptions& options) : table_(std::move(table)), options_(options) {}

  Dataset run() {
    if (table_.rows == 0) fail_without_rows();
    table_.cells.conservativeResize(table_.rows, Eigen::NoChange);
    Dataset data;
    data.source = table_.source;
    describe(data.schema);
    if (options_.missing == MissingPolicy::mean || options_.missing == MissingPolicy::indicator)
      find_means(data.schema);
    data.dropped = table_.rows_seen - table_.rows;
    if (data.dropped > 0) data.kept = std::move(table_.kept);
    write_labels(data);
    write_features(data);
    return data;
  }

 private:
  [[noreturn]] void fail_without_rows() const {
    const Place place{table_.source};
    if (table_.rows_seen > 0)
      throw InputError(place, "every row has a missing value, so --missing drop leaves none; use mean or indicator");
    throw InputError(place, table_.named ? "the table has a header but no rows" : "the table has no rows");
  }

  void describe(Schema& schema) {
    schema.named = table_.named;
    schema.missing = options_.missing;
    schema.target = table_.columns[table_.target].declared.name;
    schema.target_position = static_cast<Index>(table_.target);
    schema.plain = !table_.named;
    Index first = 0;
    for (std::size_t k = 0; k < table_.columns.size(); ++k) {
      if (table_.columns[k].role == Role::fold) schema.fold = table_.columns[k].declared.name;
      if (table_.columns[k].role != Role::feature) continue;
      check(k);
      ColumnPlan plan;
      plan.first = first;
      const Column column = describe(k, plan);
      first += column.width();
      if (column.nominal) schema.plain = false;
      require_features(first, column, k);
      schema.columns.push_back(column);
      plans_.push_back(std::move(plan));
    }
  }

  void check(std::size_t k) const {
    const RawColumn& raw = table_.columns[k];
    const std::string label = column_label(raw.declared.name, k);
    const Index cells = table_.rows - raw.missing_cells;
    if (cells == 0)
      throw InputError(Place{table_.source}, fmt::format("every value of {} is missing; remove the column", label));
    if (raw.nominal || raw.word_cells == 0 || raw.word_cells == cells) return;
    // A number column with slips, or categories some of which look like numbers ("2", "4", "more")? Up to a tenth of
    // words means slips.
    if (10 * raw.word_cells > cells) return;
    const bool plain_name =
        !raw.declared.name.empty() && raw.declared.name.find_first_of(" \t\r\n\"',") == std::string::npos;
    const std::string name = plain_name ? raw.declared.name : std::to_string(k + 1);
    throw InputError(raw.first_word,
                     fmt::format("expected a number, found {} in {} (use --nominal {} if these are categories{})",
                                 shown(raw.first_word_text), label, name,
                                 raw.first_word.line == 1 ? "; or is this line a header?" : ""));
  }

  Column describe(std::size_t k, ColumnPlan& plan) const {
    const RawColumn& raw = table_.columns[k];
    Column column;
    column.name = raw.declared.name;
    column.nominal = raw.nominal || raw.word_cells > 0;
    column.missing_feature = options_.missing == MissingPolicy::indicator && raw.missing_cells > 0;
    if (!column.nominal) return column;

    const std::vector<std::string> words = raw.words.words();
    column.values = words;  // declared values keep their order
    if (raw.declared.kind != DeclaredColumn::Kind::nominal) {
      const auto position = static_cast<Index>(plans_.size());
      for (Index i = 0; i < table_.rows; ++i) {
        const double cell = table_.cells(i, position);
        if (is_number_cell(cell) && plan.of_number.emplace(cell == 0 ? 0.0 : cell, 0).second) {
          column.values.push_back(canonical_value(cell));
        }
      }
      column.values = class_order(std::move(column.values));
    }
    std::unordered_map<std::string_view, Index> at;
    for (std::size_t v = 0; v < column.values.size(); ++v) at[column.values[v]] = static_cast<Index>(v);
    for (const std::string& word : words) plan.of_word.push_back(at[word]);
    for (auto& [number, value] : plan.of_number) value = at[canonical_value(number)];
    return column;
  }

  void require_features(Index features, const Column& column, std::size_t k) const {
    const std::string advice = column.nominal ? fmt::format("{} alone has {} distinct values: is it an identifier?",
                                                            column_label(column.name, k), column.values.size())
                                              : "allow more with --memory or take fewer rows";
    options_.memory.require(8.0 * static_cast<double>(table_.rows) * static_cast<double>(features),
                            fmt::format("a table of {} rows and {} features", table_.rows, features), advice);
  }

  void find_means(Schema& schema) const {
    for (std::size_t c = 0; c < plans_.size(); ++c) {
      Column& column = schema.columns[c];
      const ColumnPlan& plan = plans_[c];
      column.means.assign(column.nominal ? column.values.size() : 1, 0.0);
      double count = 0;
      for (Index i = 0; i < table_.rows; ++i) {
        const double cell = table_.cells(i, static_cast<Index>(c));
        if (is_missing_cell(cell)) continue;
        ++count;
        if (column.nominal) {
          column.means[static_cast<std::size_t>(plan.value_of(cell))] += 1;
        } else {
          column.means[0] += (cell - column.means[0]) / count;  // running mean: no overflow of the sum
        }
      }
      if (!column.nominal) continue;
      for (double& mean : column.means) mean /= count;
    }
  }

  void write_labels(Dataset& data) const {
    const RawColumn& target = table_.columns[table_.target];
    const std::vector<std::string> names = target.words.words();
    data.classes = class_order(names);
    if (data.classes.size() < 2) {
      throw InputError(
          Place{table_.source},
          fmt::format("expected at least two classes in {}, found only {}; is another column the --target?",
                      column_label(target.declared.name, table_.target), shown(data.classes[0])));
    }
    std::unordered_map<std::string_view, int> at;
    for (int c = 0; c < data.class_count(); ++c) at[data.classes[static_cast<std::size_t>(c)]] = c;
    std::vector<int> of_word;
    for (const std::string& name : names) of_word.push_back(at[name]);
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
        data.schema.features() == table_.cells.cols() &&
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
        const double cell = row[c];
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
  std::vector<ColumnPlan> plans_;
};

}  // namespace

Dataset encode_table(RawTable table, const ReadOptions& options) { return Encoder(std::move(table), options).run(); }

}  // namespace manyone
