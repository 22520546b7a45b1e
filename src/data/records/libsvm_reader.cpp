// SPDX-License-Identifier: Apache-2.0
#include "data/records/libsvm_reader.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "data/records/cell.hpp"
#include "data/table_reader.hpp"
#include "manyone/errors.hpp"

namespace manyone {

namespace {

constexpr std::int64_t kMaxIndex = 100'000'000;
constexpr double kDense = 0.2;  // share of non-zeros from which dense arithmetic is faster

}  // namespace

std::string_view take_libsvm_token(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
  const std::string_view token = text.substr(0, end);
  text = trim(text.substr(end));
  return token;
}

void SparseRows::clear() {
  starts.assign(1, 0);
  indices.clear();
  values.clear();
}

bool stays_sparse(double entries, double rows, double features) { return entries < kDense * (rows * features); }

Features SparseRows::features(Index features, bool sparse, const MemoryBudget& memory) const {
  const double cells = static_cast<double>(rows()) * static_cast<double>(features);
  const auto entries = static_cast<Index>(values.size());
  constexpr char advice[] = "allow more with `memory` or take fewer rows";
  if (sparse) {
    memory.require(12.0 * static_cast<double>(entries), fmt::format("a sparse table of {} values", entries), advice);
    if (entries > std::numeric_limits<int>::max())
      throw MemoryError("a sparse table holds at most 2^31 - 1 values; take fewer rows");
    SparseMatrix x(rows(), features);
    x.resizeNonZeros(entries);
    std::copy(indices.begin(), indices.end(), x.innerIndexPtr());
    std::copy(values.begin(), values.end(), x.valuePtr());
    std::transform(starts.begin(), starts.end(), x.outerIndexPtr(),
                   [](Index start) { return static_cast<int>(start); });
    return x;
  }
  memory.require(8.0 * cells, fmt::format("a table of {} rows and {} features", rows(), features), advice);
  Matrix x = Matrix::Zero(rows(), features);
  for (Index i = 0; i < rows(); ++i) {
    for (Index e = starts[static_cast<std::size_t>(i)]; e < starts[static_cast<std::size_t>(i) + 1]; ++e) {
      x(i, indices[static_cast<std::size_t>(e)]) = values[static_cast<std::size_t>(e)];
    }
  }
  return x;
}

bool LibsvmReader::next(SparseRows& rows, std::string& label) {
  bool gap = false;
  while (read_row(rows, label, gap)) {
    ++rows_seen_;
    if (!gap) {
      rows.starts.push_back(static_cast<Index>(rows.values.size()));
      return true;
    }
    dropped_.push_back(rows_seen_ - 1);
    rows.indices.resize(static_cast<std::size_t>(rows.starts.back()));
    rows.values.resize(rows.indices.size());
  }
  return false;
}

/// Appends the entries of a line to the open row at the end of `rows`; `gap`: a value is missing.
bool LibsvmReader::read_row(SparseRows& rows, std::string& label, bool& gap) {
  std::string_view line;
  std::string_view text;
  do {
    if (!lines_.next(line)) return false;
    text = trim(line.substr(0, line.find('#')));
  } while (text.empty());

  label.clear();
  gap = false;
  std::size_t number = 1;
  if (text.substr(0, text.find_first_of(" \t")).find(':') == std::string_view::npos) {
    const std::string_view token = take_libsvm_token(text);
    if (token.size() > kMaxFieldBytes)
      throw InputError(Place{name(), lines_.line(), 1}, "the label is longer than 1 MB");
    label = canonical_value(token);  // "+1" is "1"
    require_utf8(label, Place{name(), lines_.line(), 1});
    ++number;
  }
  for (; !text.empty(); ++number) {
    const Place place{name(), lines_.line(), number};
    const std::string_view token = take_libsvm_token(text);
    if (append_libsvm_entry(token, place, rows)) continue;
    if (!drop_) {
      throw InputError(place, fmt::format("{}: a value is missing", shown(token)),
                       "leave the entry out where 0 is meant, or train with `missing=drop`, which leaves out such rows",
                       "missing");
    }
    gap = true;
  }
  return true;
}

bool append_libsvm_entry(std::string_view token, const Place& place, SparseRows& rows) {
  const auto fail = [&](const std::string& message) { throw InputError(place, message); };
  const auto colon = token.find(':');
  if (colon == std::string_view::npos)
    fail(fmt::format("expected index:value, found {}; write the number of a feature, a colon and its value",
                     shown(token)));
  const auto index = parse_integer(token.substr(0, colon));
  if (!index)
    fail(fmt::format(
        "expected a whole number as index, found {}; number the features from 1 (qid and names cannot be read)",
        shown(token.substr(0, colon))));
  if (*index < 1) fail(fmt::format("indices start at 1, found {}; add 1 to all of them", *index));
  if (*index > kMaxIndex)
    fail(fmt::format("index {} is beyond the largest possible, {}; number the features from 1 without large gaps",
                     *index, kMaxIndex));
  if (std::ssize(rows.indices) > rows.starts.back() && *index - 1 <= rows.indices.back()) {
    fail(fmt::format("indices must increase along a row, found {} after {}; sort the entries of the row", *index,
                     rows.indices.back() + 1));
  }
  double value = 0;
  const std::string_view text = token.substr(colon + 1);
  if (is_missing(text)) return false;
  if (!parse_number(text, value))
    fail(fmt::format("expected a number behind {}:, found {}; leave the entry out if the value is missing", *index,
                     shown(text)));
  if (!std::isfinite(value))
    fail(fmt::format("{} is not finite; leave the entry out if the value is missing", shown(text)));
  rows.indices.push_back(static_cast<int>(*index - 1));
  rows.values.push_back(value);
  return true;
}

bool LibsvmTable::next(SparseRows& rows, std::string& label) {
  if (!reader_.next(rows, label)) {
    if (rows_ == 0 && reader_.rows_seen() > 0)
      throw InputError(Place{name()}, "every row has a missing value, so `missing=drop` leaves none", {}, "missing");
    if (rows_ == 0)
      throw InputError(Place{name()}, "the file is empty", "expected rows of a label and index:value pairs");
    if (features_ == 0)
      throw InputError(Place{name()}, "no row has a single index:value pair", "expected rows such as 1 3:0.5");
    return false;
  }
  if (label.empty())
    throw InputError(reader_.place(), "expected a label in front of the index:value pairs, found none",
                     "write the class first");
  ++rows_;
  const Index entries = rows.starts.back() - rows.starts[rows.starts.size() - 2];
  if (entries > 0) features_ = std::max<Index>(features_, rows.indices.back() + 1);
  entries_ += entries;
  return true;
}

void require_feature_memory(const MemoryBudget& memory, Index features, const std::string& file) {
  constexpr double kFeatureBytes = 48;  // scaling, and the sums and extremes on the way to it
  memory.require(kFeatureBytes * static_cast<double>(features), fmt::format("{} with {} features", file, features),
                 "number the features without gaps or allow more with `memory`");
}

Dataset read_libsvm(ByteWindow window, const ReadOptions& options) {
  LibsvmTable table(std::move(window), options.missing);
  SparseRows rows;
  std::vector<std::string> labels;
  std::string label;
  std::vector<Index> kept;
  while (table.next(rows, label)) {
    labels.push_back(label);
    kept.push_back(table.reader().rows_seen() - 1);
    constexpr std::size_t kOften = 1024;  // rows between two looks at the budget
    if (labels.size() % kOften == 0) {
      options.memory.require(
          16.0 * static_cast<double>(rows.values.capacity()) + 58.0 * static_cast<double>(labels.size()),
          "reading " + table.name(), "allow more with `memory` or take fewer rows");
    }
  }
  const bool sparse = stays_sparse(static_cast<double>(table.entries()), static_cast<double>(table.rows()),
                                   static_cast<double>(table.features()));
  require_feature_memory(options.memory, table.features(), table.name());
  Dataset data = label_rows(rows.features(table.features(), sparse, options.memory), labels, table.name());
  data.schema.missing = options.missing;
  data.dropped = std::ssize(table.reader().dropped());
  if (data.dropped > 0) data.kept = std::move(kept);
  return data;
}

}  // namespace manyone
