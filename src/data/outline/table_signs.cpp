// SPDX-License-Identifier: Apache-2.0
#include "data/outline/table_signs.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/numbers.hpp"
#include "base/worded.hpp"
#include "data/records/cell.hpp"
#include "data/records/csv_reader.hpp"
#include "manyone/errors.hpp"

namespace manyone {

namespace {

constexpr Index kFewRows = 10;           // fewer rows count, or differ, by chance
constexpr std::size_t kMostValues = 32;  // of a column of codes
constexpr Index kRowsPerValue = 4;       // with fewer, equal cells have equal classes by chance
constexpr std::size_t kMostClasses = 100;

/// At most five labels: "columns 'a', 'b' and 3 more", "column 'a'".
Words columns_text(const std::vector<Words>& labels) {
  constexpr std::size_t kMost = 5;
  Words out;
  for (std::size_t k = 0; k < std::min(labels.size(), kMost); ++k) out += k > 0 ? ", " + labels[k] : labels[k];
  if (labels.size() > kMost) out += worded(" and {} more", labels.size() - kMost);
  return out;
}

/// As a parameter that names columns takes it.
std::string option_value(const RawTable& table, std::size_t k) {
  const std::string& name = table.columns[k].declared.name;
  const bool plain = !name.empty() && name.find_first_of(" \t\r\n\"',") == std::string::npos;
  return plain ? name : std::to_string(k + 1);
}

Words label_in(const RawTable& table, std::size_t k) { return column_label(table.columns[k].declared.name, k); }

/// pandas and R name a column of row numbers "" or, when it was read and written again, "Unnamed: 0".
bool nameless(const RawColumn& column) { return column.declared.name.empty() || column.declared.name == "Unnamed: 0"; }

/// Ever new numbers: what a table holds that was made to predict a number, or whose class is another column.
bool hardly_classes(const std::vector<std::string>& classes, Index rows) {
  if (rows < kFewRows) return false;
  bool decimals = false;
  for (const std::string& name : classes) {
    const auto value = parse_double(name);
    if (!value || !std::isfinite(*value)) return false;
    decimals = decimals || *value != std::floor(*value);
  }
  constexpr std::size_t kManyDecimals = 20;
  return 2 * std::ssize(classes) > rows || (decimals && classes.size() > kManyDecimals);
}

}  // namespace

bool TableSigns::Suspect::look_for_count(double cell, Index row) {
  from_zero_ = from_zero_ && cell == static_cast<double>(row);
  from_one_ = from_one_ && cell == static_cast<double>(row + 1);
  return counts();
}

bool TableSigns::Suspect::look_for_value(double cell, std::uint32_t label) {
  if (is_missing_cell(cell)) return by_value_ = by_range_ = false;
  if (!is_number_cell(cell)) {
    by_range_ = false;
    const std::size_t code = word_code(cell);
    if (code >= class_of_word_.size()) class_of_word_.resize(code + 1, -1);
    std::int64_t& known = class_of_word_[code];
    by_value_ = by_value_ && (known < 0 || known == label);
    known = label;
    return by_value_;
  }
  if (by_range_) {
    if (label >= ranges_.size()) ranges_.resize(label + 1);
    Range& range = ranges_[label];
    if (range.low > range.high) range = {cell, cell};
    range = {std::min(range.low, cell), std::max(range.high, cell)};
  }
  if (by_value_) {
    const auto known = std::find_if(values_.begin(), values_.end(), [&](const auto& v) { return v.first == cell; });
    if (known == values_.end()) {
      values_.emplace_back(cell, label);
      by_value_ = values_.size() <= kMostValues;
    } else {
      by_value_ = known->second == label;
    }
  }
  return by_value_ || by_range_;
}

bool TableSigns::Suspect::ranges_apart() const {
  std::vector<Range> sorted;
  std::copy_if(ranges_.begin(), ranges_.end(), std::back_inserter(sorted), [](Range r) { return r.low <= r.high; });
  std::sort(sorted.begin(), sorted.end(), [](Range a, Range b) { return a.low < b.low; });
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i].low <= sorted[i - 1].high) return false;
  }
  return true;
}

bool TableSigns::Suspect::look(const RawTable& table, Index rows_before) {
  constexpr Index kOften = 32;  // rows between two looks at the ranges
  bool telling = by_value_ || by_range_;
  for (Index i = 0; i < table.rows && (telling || counts()); ++i) {
    const double cell = table.cells(i, position_);
    if (counts()) look_for_count(cell, table.kept.empty() ? rows_before + i : table.kept[static_cast<std::size_t>(i)]);
    if (telling) telling = look_for_value(cell, table.labels[static_cast<std::size_t>(i)]);
    if (telling && by_range_ && (i % kOften == kOften - 1 || i + 1 == table.rows)) {
      by_range_ = ranges_apart();
      telling = by_value_ || by_range_;
    }
  }
  return telling || counts();
}

bool TableSigns::Suspect::tells_the_class(Index rows) const {
  if (rows < 2 * kFewRows) return false;
  const auto values = static_cast<Index>(values_.size() + class_of_word_.size());
  return (by_range_ && kRowsPerValue * std::ssize(ranges_) <= rows) || (by_value_ && kRowsPerValue * values <= rows);
}

void TableSigns::add(const RawTable& table) {
  if (!started_) {
    Index position = 0;
    for (std::size_t k = 0; k < table.columns.size(); ++k) {
      if (table.columns[k].role != RawColumn::Role::feature) continue;
      Suspect suspect(k, position++);
      if (suspect.look(table, rows_)) suspects_.push_back(std::move(suspect));
    }
  } else {
    std::erase_if(suspects_, [&](Suspect& suspect) { return !suspect.look(table, rows_); });
  }
  started_ = true;
  add_first_column(table);
  rows_ += table.rows;
}

void TableSigns::add_first_column(const RawTable& table) {
  if (table.columns[0].role != RawColumn::Role::feature) return;
  for (Index i = 0; i < table.rows && first_is_whole_; ++i) {
    const double cell = table.cells(i, 0);
    if (!is_number_cell(cell)) continue;
    first_is_whole_ = cell == std::floor(cell);
    if (few_whole_numbers_) first_column_.insert(cell);
    few_whole_numbers_ = first_is_whole_ && first_column_.size() <= kMostClasses;
  }
  few_whole_numbers_ = few_whole_numbers_ && first_is_whole_;
}

std::vector<Words> TableSigns::judge(RawTable& table, const TableSummary& summary, const ReadOptions& options) const {
  std::vector<Words> notes;
  if (options.target.empty()) check_target(table, summary, notes);
  if (!options.keep_identifiers) {
    const auto more = mark_identifiers(table, summary);
    notes.insert(notes.end(), more.begin(), more.end());
  }
  note_marked_numbers(table, notes);
  std::vector<Words> telling;
  for (const Suspect& suspect : suspects_) {
    if (!table.columns[suspect.column()].identifier && suspect.tells_the_class(summary.rows()))
      telling.push_back(label_in(table, suspect.column()));
  }
  if (!telling.empty()) {
    notes.push_back(worded("{} alone {} the class of every row: use `ignore` if {} not be known for new rows",
                           columns_text(telling), telling.size() == 1 ? "tells" : "tell",
                           telling.size() == 1 ? "it will" : "they will"));
  }
  return notes;
}

void TableSigns::note_marked_numbers(const RawTable& table, std::vector<Words>& notes) const {
  std::vector<Words> labels;
  std::string example;
  for (std::size_t k = 0; k < table.columns.size(); ++k) {
    const RawColumn& raw = table.columns[k];
    if (raw.role != RawColumn::Role::feature || raw.nominal || raw.word_cells == 0) continue;
    const std::vector<std::string> words = raw.words.words();
    const auto marked = std::ranges::count_if(words, is_marked_number);
    if (10 * marked < 9 * std::ssize(words)) continue;
    labels.push_back(label_in(table, k));
    if (example.empty()) example = *std::ranges::find_if(words, is_marked_number);
  }
  if (labels.empty()) return;
  notes.push_back(
      worded("{} {} words that look like numbers ({}): write these with digits and a decimal point alone "
             "(1234.5) if they are amounts",
             columns_text(labels), labels.size() == 1 ? "holds" : "hold", shown(example)));
}

std::vector<Words> TableSigns::mark_identifiers(RawTable& table, const TableSummary& summary) const {
  std::vector<Words> counting;
  std::vector<Words> words;
  for (const Suspect& suspect : suspects_) {
    RawColumn& raw = table.columns[suspect.column()];
    const bool expected = table.named && nameless(raw);
    if (raw.nominal || !suspect.counts() || (summary.rows() < kFewRows && !expected)) continue;
    raw.identifier = true;
    counting.push_back(label_in(table, suspect.column()));
  }
  // The index of a part of a frame, or of a shuffled one, does not count.
  std::vector<Words> indices;
  RawColumn& first = table.columns[0];
  if (table.named && nameless(first) && first.role == RawColumn::Role::feature && !first.identifier && !first.nominal &&
      first_is_whole_ && first.word_cells == 0) {
    first.identifier = true;
    indices.push_back(label_in(table, 0));
  }
  std::size_t position = 0;
  Index features = 0;
  for (std::size_t k = 0; k < table.columns.size(); ++k) {
    RawColumn& raw = table.columns[k];
    if (raw.role != RawColumn::Role::feature) continue;
    const ColumnSummary& column = summary.column(position++);
    const auto distinct = static_cast<Index>(raw.words.size() + column.number_counts.size());
    if (!raw.nominal && raw.word_cells > 0 && distinct == summary.rows() && distinct >= kFewRows) {
      raw.identifier = true;
      words.push_back(label_in(table, k));
    }
    features += raw.identifier ? 0 : 1;
  }
  if (features == 0) {
    throw InputError(Place{table.source},
                     "expected at least one feature column beside the target, found only columns "
                     "that identify rows",
                     "use `keep_identifiers` to make features of them", "keep_identifiers");
  }
  std::vector<Words> notes;
  const auto note = [&](const std::vector<Words>& labels, const char* one, const char* several) {
    if (labels.empty()) return;
    notes.push_back(worded("{} {} left out (`keep_identifiers` keeps {})", columns_text(labels),
                           labels.size() == 1 ? one : several, labels.size() == 1 ? "it" : "them"));
  };
  note(counting, "counts the rows and is", "count the rows and are");
  note(indices, "has no name, as the index of a data frame, and is", "");
  note(words, "has words of its own in every row and is", "have words of their own in every row and are");
  return notes;
}

std::size_t TableSigns::column_that_may_be_the_class(const RawTable& table, Index rows) const {
  constexpr Index kRowsPerClass = 5;
  for (std::size_t k = 0; k < table.columns.size(); ++k) {
    const RawColumn& raw = table.columns[k];
    if (raw.role != RawColumn::Role::feature) continue;
    const bool words = raw.word_cells == rows;
    const std::size_t values = raw.words.size() + (k == 0 ? first_column_.size() : 0);
    if ((words || (k == 0 && few_whole_numbers_)) && values >= 2 && kRowsPerClass * static_cast<Index>(values) <= rows)
      return k;
  }
  return table.columns.size();
}

void TableSigns::check_target(const RawTable& table, const TableSummary& summary, std::vector<Words>& notes) const {
  const Words last = label_in(table, table.target);
  const std::vector<std::string> classes = table.columns[table.target].words.words();
  std::size_t better = table.columns.size();
  if (!sounds_like_class(table.columns[table.target].declared.name)) {
    better = static_cast<std::size_t>(std::find_if(table.columns.begin(), table.columns.end(),
                                                   [](const RawColumn& raw) {
                                                     return raw.role == RawColumn::Role::feature &&
                                                            sounds_like_class(raw.declared.name);
                                                   }) -
                                      table.columns.begin());
  }
  const bool named = better < table.columns.size();
  const bool hardly = hardly_classes(classes, summary.rows());
  if (!named && hardly) better = column_that_may_be_the_class(table, summary.rows());
  if (hardly && better < table.columns.size()) {
    throw InputError(Place{table.source},
                     worded("the last column, {}, holds {} different numbers in {} rows, which are hardly classes, "
                            "and {} looks like the class",
                            last, classes.size(), summary.rows(), label_in(table, better)),
                     worded("use `target={}` (or `target={}` if it is the last)", option_value(table, better),
                            option_value(table, table.target)),
                     "target");
  }
  if (hardly) {
    notes.push_back(
        worded("the last column, {}, holds {} different numbers in {} rows, and each of them becomes "
               "a class; `target` names another column",
               last, classes.size(), summary.rows()));
  } else if (named) {
    notes.push_back(worded("the class is taken from the last column, {}; if it is {}, use `target={}`", last,
                           label_in(table, better), option_value(table, better)));
  }
}

}  // namespace manyone
