// SPDX-License-Identifier: Apache-2.0
#include "data/rows/row_encoder.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <unordered_set>

#include <fmt/format.h>

#include "base/worded.hpp"
#include "data/records/cell.hpp"

namespace manyone {

namespace {

/// At most ten of them, for a message.
std::string listed(const std::vector<std::string>& words) {
  constexpr std::size_t kMost = 10;
  std::string out;
  for (std::size_t i = 0; i < std::min(words.size(), kMost); ++i) out += (i ? ", " : "") + shown(words[i]);
  if (words.size() > kMost) out += fmt::format(" and {} more", words.size() - kMost);
  return out;
}

}  // namespace

void write_value(const Column& column, Index value, double* out) {
  std::fill_n(out, column.width(), 0.0);
  out[value] = 1;
}

void write_missing(const Column& column, double* out) {
  const std::size_t values = column.nominal ? column.values.size() : 1;
  if (column.nominal && column.missing_feature) {  // "missing" is one more value
    std::fill_n(out, values, 0.0);
  } else {
    std::copy_n(column.means.begin(), values, out);
  }
  if (column.missing_feature) out[values] = 1;
}

RowEncoder::RowEncoder(const Schema& schema, const RecordReader& reader, bool strict, bool require_target)
    : reader_(reader),
      columns_(schema.columns),
      uses_missing_(schema.missing == MissingPolicy::mean || schema.missing == MissingPolicy::indicator),
      strict_(strict) {
  if (columns_.empty()) columns_.resize(static_cast<std::size_t>(schema.plain_features));
  sources_.resize(columns_.size());
  unseen_.resize(columns_.size());
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    sources_[c].first = features_;
    features_ += columns_[c].width();
    const auto& values = columns_[c].values;
    for (std::size_t v = 0; v < values.size(); ++v) {
      // "?" is missing in every format, even where an ARFF file declares it as a value.
      if (values[v] != "?") sources_[c].values[values[v]] = static_cast<Index>(v);
    }
    if (uses_missing_ && columns_[c].means.size() != (columns_[c].nominal ? values.size() : 1)) uses_missing_ = false;
  }
  if (schema.named && reader.named()) {
    match_by_name(schema);
  } else {
    match_by_count(schema, require_target);
  }
}

void RowEncoder::match_by_name(const Schema& schema) {
  const auto& found = reader_.columns();
  std::unordered_map<std::string_view, std::size_t> at;
  for (std::size_t k = 0; k < found.size(); ++k) at.emplace(found[k].name, k);
  std::vector<bool> used(found.size());
  std::vector<std::string> absent;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const auto place = at.find(columns_[c].name);
    if (place == at.end()) {
      absent.push_back(columns_[c].name);
    } else {
      sources_[c].position = place->second;
      used[place->second] = true;
    }
  }
  std::unordered_set<std::string_view> left_out{schema.fold};
  for (const LeftOutColumn& column : schema.left_out) left_out.insert(column.name);
  for (std::size_t k = 0; k < used.size(); ++k) {
    const std::string& name = found[k].name;
    if (used[k] || left_out.contains(name)) continue;
    if (!target_ && !schema.target.empty() && name == schema.target) {
      target_ = k;
    } else {
      extra_.push_back(name);
    }
  }
  if (!absent.empty() || (strict_ && !extra_.empty())) fail_on_columns(absent);
}

void RowEncoder::fail_on_columns(const std::vector<std::string>& absent) const {
  throw InputError(Place{reader_.name()},
                   fmt::format("expected the model's {} feature columns, found {} columns;{}{}{}", columns_.size(),
                               reader_.columns().size(), absent.empty() ? "" : " missing: " + listed(absent),
                               absent.empty() || extra_.empty() ? "" : ";",
                               extra_.empty() ? "" : " not known to the model: " + listed(extra_)));
}

void RowEncoder::match_by_count(const Schema& schema, bool require_target) {
  const std::size_t found = reader_.columns().size();
  const std::size_t expected = columns_.size();
  // The columns of the training table, without the target or with it, or the features alone.
  const bool target_inside = schema.target_position >= 0;
  const std::size_t training = expected + schema.left_out.size() + (target_inside ? 1 : 0);
  const auto target = static_cast<std::size_t>(schema.target_position);
  std::vector<bool> skipped(found);
  const bool without_target = found + 1 == training;
  const bool ambiguous = without_target && found == expected + 1 && schema.left_out.size() == 1;
  if (ambiguous && !require_target) {
    throw InputError(
        Place{reader_.name()},
        worded("the {} columns have no names: beside the features one may be {}, which was left out in training, "
               "or the class; give {}the features alone, or all {} columns of the training table",
               found, column_label(schema.left_out[0].name, static_cast<std::size_t>(schema.left_out[0].position)),
               schema.named ? "the table its header, " : "", training));
  }
  if (target_inside && (found == training || (without_target && !ambiguous)) && target < training) {
    for (const LeftOutColumn& column : schema.left_out) {
      const auto position = static_cast<std::size_t>(column.position);
      const std::size_t at = found < training && position > target ? position - 1 : position;
      if (at < found) skipped[at] = true;
    }
    if (found == training) target_ = target;
  } else if (found == expected + 1) {
    target_ = target_inside && target < found ? target : found - 1;
  }
  if (target_) skipped[*target_] = true;
  std::size_t c = 0;
  for (std::size_t k = 0; k < found; ++k) {
    if (!skipped[k] && c++ < expected) sources_[c - 1].position = k;
  }
  if (c == expected) return;
  throw InputError(Place{reader_.name()},
                   fmt::format("expected {} feature columns as in the model (or {} with the target{}), found {}",
                               expected, training == expected ? expected + 1 : training,
                               schema.left_out.empty() ? "" : " and the columns left out", found),
                   "give the columns the model was trained on");
}

/// A category is what it says; a number that an ARFF file writes as "nan" is missing in every format.
bool RowEncoder::missing(const Record& record, std::size_t c) const {
  const std::string_view cell = record.cells[sources_[c].position];
  return reader_.missing(cell) || (!columns_[c].nominal && is_missing(cell));
}

bool RowEncoder::has_missing_feature(const Record& record) const {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const Source& source = sources_[c];
    // A model of before knows "nan" as a category.
    if (missing(record, c) && !(columns_[c].nominal && find_value(source, record.cells[source.position]))) return true;
  }
  return false;
}

bool RowEncoder::encode(const Record& record, Index row, bool may_drop, double* out) {
  if (may_drop && !uses_missing_ && has_missing_feature(record)) return false;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const Column& column = columns_[c];
    const Source& source = sources_[c];
    const std::string_view cell = record.cells[source.position];
    double* const to = out + source.first;
    if (column.nominal) {
      if (const auto value = find_value(source, cell)) {
        write_value(column, *value, to);
        continue;
      }
      if (!missing(record, c)) {
        if (strict_) fail_unseen(record, c);
        count_unseen(record, row, c);
        std::fill_n(to, column.width(), 0.0);
        continue;
      }
    } else if (parse_number(cell, *to) && std::isfinite(*to)) {
      if (column.missing_feature) to[1] = 0;
      continue;
    } else if (!missing(record, c)) {
      if (parse_number(cell, *to)) fail_not_finite(cell, record.place(reader_.name(), source.position), label_of(c));
      throw InputError(record.place(reader_.name(), source.position),
                       worded("expected a number, found {} in `row#{}`, {}, which held numbers in training",
                              shown(cell), row + 1, label_of(c)),
                       "correct it, or leave it empty (NaN) if the model takes missing values");
    }
    if (uses_missing_) {
      write_missing(column, to);
    } else {
      fail_missing(record, row, c);
    }
  }
  return true;
}

std::optional<Index> RowEncoder::find_value(const Source& source, std::string_view cell) const {
  auto found = source.values.find(cell);
  if (found == source.values.end()) found = source.values.find(canonical_value(cell));
  if (found == source.values.end()) return std::nullopt;
  return found->second;
}

std::string_view RowEncoder::label(const Record& record) const {
  const std::string_view cell = record.cells[*target_];
  return reader_.missing(cell) ? std::string_view() : cell;
}

Words RowEncoder::label_of(std::size_t c) const {
  return column_label(reader_.columns()[sources_[c].position].name, sources_[c].position);
}

void RowEncoder::count_unseen(const Record& record, Index row, std::size_t c) {
  if (unseen_[c].count++ > 0) return;
  unseen_[c].column = label_of(c);
  unseen_[c].example = record.cells[sources_[c].position];
  unseen_[c].row = row;
}

std::vector<Unseen> RowEncoder::unseen() const {
  std::vector<Unseen> out;
  std::copy_if(unseen_.begin(), unseen_.end(), std::back_inserter(out),
               [](const Unseen& one) { return one.count > 0; });
  return out;
}

std::vector<Words> RowEncoder::notes() const {
  std::vector<Words> notes = reader_.notes();
  if (!extra_.empty()) {
    notes.push_back(fmt::format("{} not known to the model and left out: {}",
                                extra_.size() == 1 ? "a column is" : "columns are", listed(extra_)));
  }
  const std::vector<Unseen> cells = unseen();
  if (!cells.empty()) {
    Index count = 0;
    for (const Unseen& one : cells) count += one.count;
    const Unseen& first =
        *std::min_element(cells.begin(), cells.end(), [](const Unseen& a, const Unseen& b) { return a.row < b.row; });
    notes.push_back(
        worded("{} {} that the model does not know (first: {} of {} in `row#{}`): counted as none of the known ones",
               count, count == 1 ? "cell holds a category" : "cells hold categories", shown(first.example),
               first.column, first.row + 1));
  }
  return notes;
}

void RowEncoder::fail_without_label(const Record& record) const {
  throw InputError(record.place(reader_.name(), *target_), "expected a class, found a missing value", "remove the row");
}

void RowEncoder::fail_unseen(const Record& record, std::size_t c) const {
  throw InputError(
      record.place(reader_.name(), sources_[c].position),
      worded("the model does not know the value {} of {}", shown(record.cells[sources_[c].position]), label_of(c)),
      fmt::format("known values: {}", listed(columns_[c].values)));
}

void RowEncoder::fail_missing(const Record& record, Index row, std::size_t c) const {
  throw InputError(record.place(reader_.name(), sources_[c].position),
                   worded("a value is missing in `row#{}`, {}", row + 1, label_of(c)),
                   "fill it in, or train with `missing=mean|indicator`", "missing");
}

}  // namespace manyone
