// SPDX-License-Identifier: Apache-2.0
//
// Blocks of tables of cells: CSV and ARFF.
#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "data/records/arff_reader.hpp"
#include "data/records/cell.hpp"
#include "data/records/column_choice.hpp"
#include "data/records/csv_reader.hpp"
#include "data/rows/block_source.hpp"
#include "data/rows/row_encoder.hpp"

namespace manyone {

namespace {

/// The header of a table for a model with names holds these names; a row above numbers that holds other words is a
/// header too (and will not fit).
bool header_for(const Schema& schema, std::span<const OwnedRow> rows) {
  if (schema.named) {
    const std::unordered_set<std::string_view> words(rows[0].begin(), rows[0].end());
    const auto known = std::count_if(schema.columns.begin(), schema.columns.end(),
                                     [&](const Column& column) { return words.contains(column.name); });
    if (2 * known >= std::ssize(schema.columns)) return true;
  }
  return header_above_numbers(rows);
}

class RecordBlocks final : public BlockSource {
 public:
  RecordBlocks(std::unique_ptr<RecordReader> reader, const Schema& schema, const BlockOptions& options)
      : reader_(std::move(reader)),
        encoder_(schema, *reader_, options.strict, options.require_target),
        labelled_(options.labels && encoder_.has_target()),
        require_target_(options.require_target),
        may_drop_(options.drop_missing && (!options.strict || schema.missing == MissingPolicy::drop)),
        drops_unlabelled_(may_drop_ && schema.missing == MissingPolicy::drop && options.require_target),
        rows_(block_rows(options, encoder_.features())) {
    require_target(options, encoder_.has_target(), reader_->name());
    for (const std::string& name : options.keep) {
      kept_.push_back(find_column(reader_->columns(), name, "keep", reader_->name()));
    }
  }

  bool next(Block& block) override {
    block.first_row = row_;
    block.dropped.clear();
    block.labels.clear();
    block.kept.clear();
    Matrix x(rows_, encoder_.features());
    Index count = 0;
    while (count < rows_ && reader_->next(record_)) {
      if (!kept_.empty()) add_kept(block);
      const Index row = row_++;
      const bool unlabelled = drops_unlabelled_ && encoder_.label(record_).empty();
      if (unlabelled || !encoder_.encode(record_, row, may_drop_, x.row(count).data())) {
        block.dropped.push_back(row);
        continue;
      }
      ++count;
      if (labelled_) add_label(block);
    }
    x.conservativeResize(count, Eigen::NoChange);
    block.features = std::move(x);
    return count > 0 || !block.dropped.empty();
  }

  bool has_target() const override { return encoder_.has_target(); }
  std::vector<Words> notes() const override { return encoder_.notes(); }
  std::vector<std::string> kept_names() const override {
    std::vector<std::string> names;
    for (const std::size_t k : kept_) {
      const std::string& name = reader_->columns()[k].name;
      names.push_back(name.empty() ? "column" + std::to_string(k + 1) : name);
    }
    return names;
  }
  double progress() const override { return reader_->progress(); }

 private:
  void add_kept(Block& block) const {
    auto& cells = block.kept.emplace_back();
    for (const std::size_t k : kept_) {
      require_utf8(record_.cells[k], record_.place(reader_->name(), k));
      cells.emplace_back(record_.cells[k]);
    }
  }

  void add_label(Block& block) {
    block.labels.emplace_back(encoder_.label(record_));
    if (block.labels.back().empty() && require_target_) encoder_.fail_without_label(record_);
  }

  std::unique_ptr<RecordReader> reader_;
  RowEncoder encoder_;
  bool labelled_;
  bool require_target_;
  bool may_drop_;
  bool drops_unlabelled_;          ///< too
  std::vector<std::size_t> kept_;  ///< positions of BlockOptions::keep
  Index rows_;
  Index row_ = 0;
  Record record_;
};

}  // namespace

std::unique_ptr<BlockSource> csv_blocks(ByteWindow window, const Schema& schema, const BlockOptions& options) {
  const HeaderRule rule = [&](std::span<const OwnedRow> rows, std::vector<Words>&) {
    return options.header.value_or(header_for(schema, rows));
  };
  return std::make_unique<RecordBlocks>(
      std::make_unique<CsvReader>(std::move(window), rule, options.decimal_comma, options.memory), schema, options);
}

std::unique_ptr<BlockSource> arff_blocks(ByteWindow window, const Schema& schema, const BlockOptions& options) {
  return std::make_unique<RecordBlocks>(std::make_unique<ArffReader>(std::move(window), options.memory), schema,
                                        options);
}

}  // namespace manyone
